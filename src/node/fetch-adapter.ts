/// <reference types="node" />
import { RequestProgress } from "../http/transport.ts";
import { exchange, type TransportRequest, type TransportResponse } from "./exchange.ts";
import { sanitizeError } from "./sanitize-error.ts";
import type { TargetCache } from "./target-cache.ts";

type FetchAdapter = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** The transport as a `fetch`, for code other than the SDK. */
export function createFetchAdapter(targets: TargetCache): FetchAdapter {
  return async function nodeTransport(url, init = {}) {
    const request = readInit(init);
    const signal = init.signal ?? undefined;
    try {
      const response = await exchange(targets, String(url), request, signal, new RequestProgress());
      if (response.failure !== undefined) throw response.failure;
      return toResponse(request.method, response);
    } catch (error) {
      if (signal?.aborted === true && error === signal.reason) throw error;
      throw new TypeError("fetch failed", { cause: sanitizeError(error) });
    }
  };
}

/** @throws {TypeError} on a body that is not a string or bytes, and on headers that HTTP does not allow. */
function readInit({ method = "GET", headers: init, body }: RequestInit): TransportRequest {
  const headers = new Headers(init);
  if (typeof body === "string" && !headers.has("content-type")) {
    headers.set("content-type", "text/plain;charset=UTF-8"); // as `fetch` does
  }
  return { method: method.toUpperCase(), headers: Object.fromEntries(headers), body: readBody(body) };
}

function readBody(body: RequestInit["body"]): string | Uint8Array | undefined {
  if (body === undefined || body === null) return undefined;
  if (typeof body === "string" || body instanceof Uint8Array) return body;
  throw new TypeError("nodeTransport sends a body that is a string or a Uint8Array.");
}

const STATUSES_WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** @throws if a `Response` cannot have this status. */
function toResponse(
  method: string,
  { status, statusText, rawHeaders, chunks, isTruncated }: TransportResponse,
): Response {
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] ?? "", rawHeaders[index + 1] ?? "");
  }
  const hasBody = method !== "HEAD" && !STATUSES_WITHOUT_BODY.has(status);
  const body = isTruncated ? toFailingStream(chunks) : Buffer.concat(chunks);
  return new Response(hasBody ? body : null, { status, statusText, headers });
}

/** Returns what was received, and then fails. */
function toFailingStream(chunks: readonly Buffer[]): ReadableStream<Uint8Array> {
  const remaining = chunks.values();
  return new ReadableStream({
    pull(controller) {
      const { value } = remaining.next();
      if (value === undefined) controller.error(new TypeError("the body is too long"));
      else controller.enqueue(value);
    },
  });
}
