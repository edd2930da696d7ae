/// <reference types="node" />
import type { ClientRequest, IncomingMessage } from "node:http";
import type { RequestOptions } from "node:https";
import net, { Socket } from "node:net";
import tls from "node:tls";
import { assertConfig } from "../errors/check-options.ts";
import { RESPONSE_MAX_BYTES, type RequestProgress, type TransportRequest } from "../http/transport.ts";
import { type Address, type Connection, type ConnectionPools, connectionEnded } from "./connection-pool.ts";
import { ACCEPTED_CODINGS, decodeBody, type Received } from "./decode-body.ts";

// Older versions of Node load all other entries; this one would fail with a TypeError.
assertConfig(
  typeof process.getBuiltinModule === "function",
  "payments-sdk/node needs Node 22.13 or newer, Bun or Deno: this runtime has no process.getBuiltinModule.",
);

/**
 * Node's modules, loaded by name: an `import` of `node:http` reads all of its exports, which also loads Node's `fetch`
 * and doubles the start-up time.
 */
export const http = process.getBuiltinModule("node:http");
export const https = process.getBuiltinModule("node:https");

/** What a testing tool may replace, so that the tool responds or sends instead. */
const replaceable = () => [http.request, https.request, net.connect, tls.connect, Socket.prototype.connect];

/** As they were when the package was loaded. */
const ORIGINALS = replaceable();

/**
 * Sends a request once and reads the whole response, with its body decompressed. If the connection fails or `signal`
 * aborts inside the body, it resolves with the part that was received. `closeConnection` closes the connection of the
 * response, unless another request already uses it.
 *
 * @throws the reason of `signal`, or why there was no response. An error of Node may contain what was received.
 */
export async function sendRequest(
  pools: ConnectionPools,
  url: string,
  request: TransportRequest,
  signal: AbortSignal | undefined,
  progress: RequestProgress,
): Promise<Received & { readonly closeConnection: () => void }> {
  signal?.throwIfAborted();
  const target = parseUrl(url);
  const options = toRequestOptions(target, request);
  const client = target.protocol === "https:" ? https : http;
  let connection: Connection | undefined;
  let clientRequest: ClientRequest;
  if (replaceable().some((current, index) => current !== ORIGINALS[index])) {
    progress.beginSending(); // what the tool does with the request is unknown
    clientRequest = client.request(options);
  } else {
    const pool = pools.find(target.origin, target);
    const acquired = await pool.acquire(signal);
    try {
      // Node compares the protocol with that of the global agent, which is not used.
      const { protocol } = client.globalAgent as { protocol?: string };
      const createConnection = () => acquired.socket;
      clientRequest = client.request({ ...options, protocol, createConnection });
    } catch (error) {
      pool.release(acquired); // an invalid method or header: Node did not ask for the connection
      throw error;
    }
    connection = acquired.markUsed(clientRequest);
    clientRequest.on("response", ({ headers }) => acquired.limitIdle(headers["keep-alive"]));
    clientRequest.on("close", () => pool.release(acquired));
  }
  clientRequest.maxHeadersCount = 0; // unlimited: their size is limited, and Node would silently drop the rest
  const received = await decodeBody(await receive(clientRequest, request, signal, progress));
  // The response may be decoded when its connection was already assigned to another request.
  const closeConnection = () => {
    if (connection?.lastRequest === clientRequest) connection.socket.destroy();
  };
  return { ...received, closeConnection };
}

interface Target extends Address {
  readonly url: string;
  readonly origin: string;
  readonly authority: string;
  readonly path: string;
}

/** Parsing costs 5% of a call, and most calls go to the same URL. */
let latest: Target | undefined;

/** @throws {TypeError} */
export function parseUrl(url: string): Target {
  if (latest?.url === url) return latest;
  const parsed = new URL(url);
  const { protocol, username, password, origin, host: authority, hostname } = parsed;
  if (!/^https?:$/.test(protocol) || username + password !== "") {
    throw new TypeError("A URL must start with https: or http:, and must not contain a user or a password.");
  }
  const host = hostname.replace(/^\[|\]$/g, "");
  const port = Number(parsed.port || (protocol === "https:" ? 443 : 80));
  latest = { url, protocol, host, port, origin, authority, path: parsed.pathname + parsed.search };
  return latest;
}

/** Headers about the connection or the length of the body: the transport sets them. */
const TRANSPORT_HEADERS =
  /^(connection|content-length|expect|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade)$/;

/**
 * The headers as an object. An array of names and values would be cheaper, but tracing tools that wrap `http.request`
 * copy the headers as an object and would lose them all.
 */
function toRequestOptions(target: Target, { method, headers, body }: TransportRequest): RequestOptions {
  const { protocol, host, port, path, authority } = target;
  const sent: Record<string, string> = {
    host: authority,
    "accept-encoding": ACCEPTED_CODINGS,
    "user-agent": "node", // as `fetch` sends: some firewalls refuse a request without it
  };
  for (const name in headers) if (!TRANSPORT_HEADERS.test(name)) sent[name] = headers[name] ?? "";
  if (body !== undefined) sent["content-length"] = String(Buffer.byteLength(body));
  else if (method !== "GET" && method !== "HEAD") sent["content-length"] = "0";
  sent["connection"] = "keep-alive";
  return { method, protocol, host, port, path, headers: sent };
}

/** Writes the request and reads the response. */
function receive(
  clientRequest: ClientRequest,
  { headers, body }: TransportRequest,
  signal: AbortSignal | undefined,
  progress: RequestProgress,
): Promise<Received> {
  return new Promise((resolve, reject) => {
    let response: IncomingMessage | undefined;
    let maxBytes = RESPONSE_MAX_BYTES;
    const chunks: Buffer[] = [];

    const finish = (failure?: unknown, isTruncated = false) => {
      signal?.removeEventListener("abort", onAbort);
      // A request that got its response before all of it was read would occupy its connection forever.
      if (response?.readableEnded !== true || !clientRequest.writableFinished) clientRequest.destroy();
      if (response === undefined) reject(failure);
      else resolve({ response, bytes: Buffer.concat(chunks), isTruncated, failure });
    };
    const onData = (chunk: Buffer) => {
      chunks.push(chunk);
      maxBytes -= chunk.length;
      if (maxBytes < 0) finish(undefined, true);
    };
    /** Ends with the part of the body that was received, which may show what became of a charge. */
    const fail = (error: unknown) => {
      // A stream that has failed does not emit the chunks that it holds.
      response?.off("data", onData);
      for (let chunk = response?.read() ?? null; chunk !== null; chunk = response?.read()) onData(chunk);
      finish(error);
    };
    const onAbort = () => fail(signal?.reason);

    signal?.addEventListener("abort", onAbort, { once: true });
    clientRequest.on("response", (received: IncomingMessage) => {
      response = received;
      received.on("data", onData).on("end", () => finish());
      received.on("error", fail);
      progress.receiveHeaders();
      // Compressed data can be a little longer than the body.
      if (received.headers["content-encoding"] !== undefined) maxBytes *= 2;
    });
    // Nothing invalidates a complete response: its `end` event is still to come.
    clientRequest.on("error", (error) => response?.complete === true || fail(error));
    // The only event after an unexpected upgrade.
    clientRequest.on("close", () => response?.complete === true || fail(connectionEnded()));
    try {
      signal?.throwIfAborted(); // a tool that watches requests being created may abort
      // Node writes a string together with the headers, all in UTF-8. Headers beyond ASCII must be written separately.
      const isAscii = !/[^\0-\x7f]/.test(Object.values(headers).join(""));
      progress.beginSending();
      clientRequest.end(typeof body !== "string" || isAscii ? body : Buffer.from(body));
    } catch (error) {
      fail(error);
    }
  });
}
