export type { NodeTransport, NodeTransportOptions } from "./transport/node-transport.ts";
export { nodeTransport } from "./transport/node-transport.ts";
