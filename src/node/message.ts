/// <reference types="node" />
import type { RequestOptions } from "node:https";
import { ACCEPTED_CODINGS } from "./content-codings.ts";
import type { Target } from "./target-cache.ts";

/** What is to be sent. */
export interface Message {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
}

/** Headers about the connection or the length of the body, which are the transport's to say. */
const OF_THE_TRANSPORT: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "expect",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** As Node's `fetch` says: there are firewalls that refuse a request without it. */
const USER_AGENT = "node";

/** Methods that have no body, so that its length is not said. */
const WITHOUT_BODY: ReadonlySet<string> = new Set(["GET", "HEAD"]);

/**
 * A request as Node wants it, with each header given. Names and values in turn would cost less, but tracing and other tools
 * that stand before `http.request` copy the headers as an object, and would lose them all.
 */
export function requestOptions(target: Target, message: Message): RequestOptions {
  return {
    method: message.method,
    protocol: target.scheme,
    host: target.hostname,
    port: target.port,
    path: target.path,
    headers: headersOf(target, message),
  };
}

/** Node writes a text together with the headers before it, all in UTF-8; headers beyond ASCII go out by themselves. */
export function bodyOf({ headers, body }: Message): string | Uint8Array | undefined {
  if (typeof body !== "string") return body;
  for (const name in headers) if (BEYOND_ASCII.test(headers[name] ?? "")) return Buffer.from(body);
  return body;
}

const BEYOND_ASCII = /[^\0-\x7f]/;

function headersOf({ authority }: Target, { method, headers, body }: Message): Record<string, string> {
  const sent: Record<string, string> = {
    host: authority,
    "accept-encoding": ACCEPTED_CODINGS,
    "user-agent": USER_AGENT,
  };
  for (const name in headers) {
    const lowered = name.toLowerCase();
    if (!OF_THE_TRANSPORT.has(lowered)) sent[lowered] = headers[name] ?? "";
  }
  if (body !== undefined) sent["content-length"] = String(Buffer.byteLength(body));
  else if (!WITHOUT_BODY.has(method)) sent["content-length"] = "0";
  return sent;
}
