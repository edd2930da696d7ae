/// <reference types="node" />
import { Socket } from "node:net";
import { assertConfig } from "../errors/check-options.ts";

// Older versions of Node load all other entries; this one would fail with a TypeError.
assertConfig(
  typeof process.getBuiltinModule === "function",
  "payments-sdk/node needs Node 22.13 or newer: this runtime has no process.getBuiltinModule.",
);

/**
 * Node's modules, loaded by name: an `import` of `node:http` reads all of its exports, which also loads Node's `fetch`
 * and doubles the start-up time.
 */
export const http = process.getBuiltinModule("node:http");
export const https = process.getBuiltinModule("node:https");

/** As they were when the package was loaded. */
const ORIGINALS = [http.request, https.request, Socket.prototype.connect];

/** Whether a testing tool has replaced one of them: the tool may respond, or send, itself. */
export function isIntercepted(): boolean {
  return (
    http.request !== ORIGINALS[0] ||
    https.request !== ORIGINALS[1] ||
    Socket.prototype.connect !== ORIGINALS[2]
  );
}
