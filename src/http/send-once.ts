import type { Call, HttpRequest } from "./call.ts";
import { type BodyReadOnceInit, emitResponse, exchange, prepareRequest } from "./exchange.ts";
import type { RequestProgress } from "./request-progress.ts";
import type { RawResponse } from "./response.ts";
import { withTimeoutSignal } from "./timers.ts";

/**
 * Sends a request that may charge: once, and never again, even after a failure.
 *
 * @throws {TimeoutReached} if the response, body included, takes longer than the timeout of the call.
 */
export async function sendOnce(
  call: Call,
  request: HttpRequest & { readonly body: string },
): Promise<RawResponse> {
  const { config, options, progress } = call;
  const prepared = prepareRequest(call, request);
  const bodyReadOnce =
    prepared.transport === undefined ? toBodyReadOnce(request.body, config.fetch, progress) : undefined;
  const limit = { ms: options.timeout, signal: options.signal };
  const startedAt = performance.now();
  const response = await withTimeoutSignal(limit, (signal) =>
    exchange(call, { ...prepared, bodyReadOnce }, 1, signal),
  );
  // Not before: once there is a response, no listener that aborts can hide it.
  emitResponse(call, response, 1, startedAt);
  return response;
}

/**
 * The body of a create call in a form that a `fetch` sends at most once. On Workers, any form is sent at most once.
 *
 * - Deno sends a request again if its connection ended before a response was received, though the service may have
 *   read it. It cannot do so with a stream, which can be read once: any `fetch` there calls Deno's.
 * - Bun did the same on a kept connection, at least up to 1.3.12, so there each create call gets its own connection.
 *   Newer versions get a body that can be read once.
 * - undici, the `fetch` of Node and of edge-runtime, sends a request again after a 421. A tool that replaces Node's
 *   `fetch` gets a text, because it may read the body: Next.js uses it as a cache key.
 *
 * A body that can be read once also proves `not_sent`: as long as it has not been read, no byte of it was sent, through
 * any dispatcher, proxy or TLS handshake.
 */
function toBodyReadOnce(
  text: string,
  fetch: object = globalThis.fetch,
  progress: RequestProgress,
): BodyReadOnceInit {
  const { Buffer, Bun, Deno, EdgeRuntime } = globalThis as Runtimes;
  if (Deno !== undefined) {
    const init = { body: toStream(text, progress), duplex: "half" } as RequestInit;
    return { init, contentLength: undefined, reportsSending: true };
  }
  const isOldBun = OLD_BUN.test(String(Bun?.version));
  const isBunFetch = Bun !== undefined && !isOldBun && NATIVE_FETCH.test(String(fetch));
  // The source of Node's own fetch names the module that it calls; the fetch of a tool does not.
  const isNodeFetch = String(fetch).includes("internal/deps/undici");
  const isUndici = isNodeFetch || (EdgeRuntime === "edge-runtime" && !("__nextPatched" in fetch));
  if (isUndici || isBunFetch) {
    // undici would copy anything else into a Buffer.
    const bytes = Buffer === undefined ? new TextEncoder().encode(text) : Buffer.from(text);
    const init = { body: readOnce(bytes, progress), duplex: "half" };
    return { init: init as unknown as RequestInit, contentLength: bytes.length, reportsSending: true };
  }
  const init = isOldBun ? { body: text, keepalive: false } : { body: text };
  return { init, contentLength: undefined, reportsSending: false };
}

interface Runtimes {
  readonly Buffer?: { from(text: string): Uint8Array };
  readonly Bun?: { readonly version?: string };
  readonly Deno?: object;
  readonly EdgeRuntime?: string;
}

/** Bun's own `fetch`: a patched one is not native, and a bound one has no name. */
const NATIVE_FETCH = /^function fetch\(\) \{\s*\[native code\]\s*\}$/;

const OLD_BUN = /^(?:0|1\.[0-3])\./;

/** Bytes that can be read once, in one piece, and only while the request may still be sent. Cheaper than a stream. */
async function* readOnce(
  bytes: Uint8Array,
  progress: RequestProgress,
): AsyncGenerator<Uint8Array, undefined> {
  progress.beginSending();
  yield bytes;
}

/** A stream without read-ahead. */
function toStream(text: string, progress: RequestProgress): ReadableStream<Uint8Array> {
  const body = readOnce(new TextEncoder().encode(text), progress);
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value } = await body.next();
        if (value === undefined) controller.close();
        else controller.enqueue(value);
      },
    },
    { highWaterMark: 0 },
  );
}
