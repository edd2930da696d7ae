/// <reference types="node" />
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import { failure } from "../responses.ts";

/** Maximum bytes of a request body. The response to a larger one is a 413. */
const BODY_MAX_BYTES = 1_000_000;

/** @param ip address of the client. */
export type Handler = (request: Request, ip: string) => Promise<Response>;

/**
 * Handles a request to a Node server. If the handler rejects, for example because of a fault, the connection is reset.
 *
 * @param isListening whether the port is open: while it is closed, no connection is kept alive.
 */
export async function serve(
  baseUrl: string,
  isListening: () => boolean,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  handle: Handler,
): Promise<void> {
  const disconnected = new AbortController();
  outgoing.once("close", () => disconnected.abort());
  try {
    const response = await respond(baseUrl, incoming, disconnected.signal, handle);
    if (!isListening() || isPostOfPage(incoming)) outgoing.shouldKeepAlive = false;
    outgoing.writeHead(response.status, [...response.headers].flat());
    if (response.body === null) outgoing.end();
    else await pipeline(Readable.fromWeb(response.body as NodeReadableStream), outgoing);
  } catch {
    // A fault, or a client that has disconnected.
    incoming.socket.resetAndDestroy();
  }
}

/**
 * Browsers send a request again by themselves if a reused connection breaks, even a POST: a fault would charge twice.
 * Browsers alone send `Origin`.
 */
function isPostOfPage({ method, headers }: IncomingMessage): boolean {
  return method === "POST" && headers.origin !== undefined;
}

async function respond(
  baseUrl: string,
  incoming: IncomingMessage,
  signal: AbortSignal,
  handle: Handler,
): Promise<Response> {
  const body = await readBody(incoming);
  if (body === "too_large") return failure(413, "Payload Too Large");
  const request = toRequest(baseUrl, incoming, body, signal);
  if (request === undefined) return failure(400, "Bad Request");
  return handle(request, incoming.socket.remoteAddress ?? "127.0.0.1");
}

/** Reads a body to its end even if it is too large: a client that is still sending would not read the response. */
async function readBody(incoming: IncomingMessage): Promise<Uint8Array<ArrayBuffer> | "too_large"> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of incoming) {
    length += chunk.length;
    if (length <= BODY_MAX_BYTES) chunks.push(chunk);
  }
  return length > BODY_MAX_BYTES ? "too_large" : new Uint8Array(Buffer.concat(chunks));
}

/** Returns `undefined` for a request that HTTP allows but `Request` does not, such as TRACE. */
function toRequest(
  baseUrl: string,
  { method = "GET", url = "/", headersDistinct }: IncomingMessage,
  body: Uint8Array<ArrayBuffer>,
  signal: AbortSignal,
): Request | undefined {
  try {
    const headers = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    );
    const init: RequestInit = { method, headers, signal };
    if (body.length > 0 && method !== "GET" && method !== "HEAD") init.body = body;
    return new Request(new URL(baseUrl).origin + url, init);
  } catch {
    return undefined;
  }
}
