/**
 * The sandbox as an HTTP server, with its dashboard and checkout pages.
 *
 * @module payments-sdk/sandbox/server
 */

export { type Sandbox, type SandboxOptions, startSandbox } from "./sandbox/server/start-sandbox.ts";
