export { type Sandbox, type SandboxOptions, startSandbox } from "./sandbox/server/start-sandbox.ts";
