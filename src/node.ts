/**
 * A `fetch` for servers on Node that uses less CPU and proves more often that a request was not sent.
 *
 * @module payments-sdk/node
 */

export type { NodeTransport, NodeTransportOptions } from "./node/node-transport.ts";
export { nodeTransport } from "./node/node-transport.ts";
