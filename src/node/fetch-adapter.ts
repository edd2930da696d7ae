/// <reference types="node" />
import { RequestProgress } from "../http/transport.ts";
import { exchange, type Incoming } from "./exchange.ts";
import type { Message } from "./message.ts";
import { sanitizeError } from "./sanitize-error.ts";
import type { TargetCache } from "./target-cache.ts";

/** A transport as a `fetch`, for those who know no other way. */
export function fetchBy(targets: TargetCache): (url: string | URL, init?: RequestInit) => Promise<Response> {
  return async function nodeTransport(url, init = {}) {
    const message = readInit(init);
    const signal = init.signal ?? undefined;
    signal?.throwIfAborted();
    try {
      return responseOf(
        message,
        await exchange(targets, String(url), message, signal, new RequestProgress()),
      );
    } catch (error) {
      if (signal?.aborted === true && error === signal.reason) throw error;
      throw new TypeError("fetch failed", { cause: sanitizeError(error) });
    }
  };
}

/** @throws {TypeError} on a body that is no text and no bytes, and on headers that HTTP does not allow. */
function readInit({ method = "GET", headers, body }: RequestInit): Message {
  const all = new Headers(headers);
  if (typeof body === "string" && !all.has("content-type")) {
    all.set("content-type", "text/plain;charset=UTF-8"); // as `fetch` does
  }
  return { method: method.toUpperCase(), headers: Object.fromEntries(all), body: readBody(body) };
}

function readBody(body: RequestInit["body"]): string | Uint8Array | undefined {
  if (body === undefined || body === null) return undefined;
  if (typeof body === "string" || body instanceof Uint8Array) return body;
  throw new TypeError("nodeTransport sends a body that is a string or a Uint8Array.");
}

const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** @throws where there can be no such `Response`. */
function responseOf(
  { method }: Message,
  { status, statusText, rawHeaders, chunks, cut }: Incoming,
): Response {
  const headers = new Headers();
  for (let place = 0; place < rawHeaders.length; place += 2) {
    headers.append(rawHeaders[place] ?? "", rawHeaders[place + 1] ?? "");
  }
  const hasBody = method !== "HEAD" && !WITHOUT_BODY.has(status);
  return new Response(hasBody ? bodyOf(chunks, cut) : null, { status, statusText, headers });
}

/** One that was cut gives what there is, and then breaks off. */
function bodyOf(
  chunks: readonly Buffer[],
  cut: boolean,
): ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> {
  if (!cut) return Buffer.concat(chunks);
  const left = chunks.values();
  return new ReadableStream({
    pull(controller) {
      const { value } = left.next();
      if (value === undefined) controller.error(new TypeError("the body is too long"));
      else controller.enqueue(value);
    },
  });
}
