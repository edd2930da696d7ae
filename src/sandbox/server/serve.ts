/// <reference types="node" />
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import { json } from "../answers.ts";

/** Bytes of a request body that the server takes; above, it answers 413. */
const BODY_MAX_BYTES = 1_000_000;

/** @param ip who calls. */
export type Answer = (request: Request, ip: string) => Promise<Response>;

/**
 * Answers one request of a Node server. An answer that rejects resets the connection, as a fault asks for.
 *
 * @param isListening whether the port is open: while it is closed, no connection is kept for the next call.
 */
export async function serve(
  baseUrl: string,
  isListening: () => boolean,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  answer: Answer,
): Promise<void> {
  const gone = new AbortController();
  outgoing.once("close", () => gone.abort());
  try {
    const response = await respond(baseUrl, incoming, gone.signal, answer);
    if (!isListening()) outgoing.shouldKeepAlive = false;
    outgoing.writeHead(response.status, [...response.headers].flat());
    if (response.body === null) outgoing.end();
    else await pipeline(Readable.fromWeb(response.body as NodeReadableStream), outgoing);
  } catch {
    // A fault, or a client that went away while it was sending.
    incoming.socket.resetAndDestroy();
  }
}

async function respond(
  baseUrl: string,
  incoming: IncomingMessage,
  signal: AbortSignal,
  answer: Answer,
): Promise<Response> {
  const body = await readBody(incoming);
  if (body === "too_large") return failure(413, "Payload Too Large");
  const request = toRequest(baseUrl, incoming, body, signal);
  if (request === undefined) return failure(400, "Bad Request");
  return answer(request, incoming.socket.remoteAddress ?? "127.0.0.1");
}

/** Reads to the end even what is too large: a client that is still sending would not see the answer. */
async function readBody(incoming: IncomingMessage): Promise<Uint8Array<ArrayBuffer> | "too_large"> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of incoming) {
    length += chunk.length;
    if (length <= BODY_MAX_BYTES) chunks.push(chunk);
  }
  return length > BODY_MAX_BYTES ? "too_large" : new Uint8Array(Buffer.concat(chunks));
}

/** `undefined` for what HTTP allows and `Request` does not, such as TRACE. */
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

function failure(status: number, message: string): Response {
  return json({ success: false, message }, status);
}
