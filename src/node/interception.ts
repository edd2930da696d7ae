/// <reference types="node" />
import { Socket } from "node:net";
import { http, https } from "./node-http.ts";

/** As they were when the package was loaded: tools for tests replace them, and answer, or send, by themselves. */
const ORIGINALS = [http.request, https.request, Socket.prototype.connect];

export function isIntercepted(): boolean {
  return (
    http.request !== ORIGINALS[0] ||
    https.request !== ORIGINALS[1] ||
    Socket.prototype.connect !== ORIGINALS[2]
  );
}
