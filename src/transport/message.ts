/// <reference types="node" />
import type { RequestOptions } from "node:https";
import { ACCEPTED_CODINGS } from "./content-codings.ts";
import type { Target } from "./target-book.ts";

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

/** A request as Node wants it, with each header given; `isRaw` as names and values in turn, which costs less. */
export function requestOptions(target: Target, message: Message, isRaw: boolean): RequestOptions {
  const headers = headersOf(target, message);
  return {
    method: message.method,
    protocol: target.scheme,
    host: target.hostname,
    port: target.port,
    path: target.path,
    headers: isRaw ? headers : recordOf(headers),
  };
}

/** Node writes a text together with the headers before it, all in UTF-8; headers beyond ASCII go out by themselves. */
export function bodyOf({ headers, body }: Message): string | Uint8Array | undefined {
  if (typeof body !== "string") return body;
  for (const name in headers) if (BEYOND_ASCII.test(headers[name] ?? "")) return Buffer.from(body);
  return body;
}

const BEYOND_ASCII = /[^\0-\x7f]/;

function headersOf({ authority }: Target, { method, headers, body }: Message): string[] {
  const raw: string[] = [];
  let hasHost = false;
  let hasAccept = false;
  let hasAgent = false;
  for (const name in headers) {
    const lowered = name.toLowerCase();
    if (OF_THE_TRANSPORT.has(lowered)) continue;
    if (lowered === "host") hasHost = true;
    if (lowered === "accept-encoding") hasAccept = true;
    if (lowered === "user-agent") hasAgent = true;
    raw.push(name, headers[name] ?? "");
  }
  if (!hasHost) raw.unshift("host", authority);
  if (!hasAccept) raw.push("accept-encoding", ACCEPTED_CODINGS);
  if (!hasAgent) raw.push("user-agent", USER_AGENT);
  if (body !== undefined) raw.push("content-length", String(Buffer.byteLength(body)));
  else if (!WITHOUT_BODY.has(method)) raw.push("content-length", "0");
  return raw;
}

function recordOf(raw: readonly string[]): Record<string, string> {
  const record: Record<string, string> = {};
  for (let place = 0; place < raw.length; place += 2) record[raw[place] ?? ""] = raw[place + 1] ?? "";
  return record;
}
