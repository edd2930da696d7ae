/**
 * A `fetch` for servers on Node, at less cost, that proves more of what was not sent.
 *
 * @module payments-sdk/node
 */

export type { NodeTransport, NodeTransportOptions } from "./transport/node-transport.ts";
export { nodeTransport } from "./transport/node-transport.ts";
