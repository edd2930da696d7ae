/**
 * A `fetch` for servers on Node, at less cost, that proves more of what was not sent.
 *
 * @module payments-sdk/node
 */

export type { NodeTransport, NodeTransportOptions } from "./node/node-transport.ts";
export { nodeTransport } from "./node/node-transport.ts";
