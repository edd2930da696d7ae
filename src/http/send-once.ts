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
export async function sendOnce(call: Call, request: HttpRequest): Promise<RawResponse> {
  const { config, options, progress } = call;
  const prepared = prepareRequest(call, request);
  const bodyReadOnce =
    prepared.transport === undefined ? toBodyReadOnce(request.body, config.fetch, progress) : undefined;
  Object.assign(prepared.headers, bodyReadOnce?.headers);
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
 * The body of a request that may charge, in a form that a `fetch` sends at most once. On Workers, any form is sent at most once.
 *
 * - undici, the `fetch` of Node and of edge-runtime, sends a request again after a 421. Bun did so on a kept connection,
 *   and Deno does if its connection ended before a response was received, though the service may have read the request.
 *   None of them can do so with a body that can be read once, nor can a tool that wraps their `fetch`.
 * - Bun up to 1.3 gets a new connection for each create call instead.
 * - A custom `fetch` and a mock get a text, because they may read the body. On Deno, they may call Deno's `fetch`.
 *
 * A request without a body gets an empty one, because a request without any is sent again, too.
 *
 * A body that can be read once also proves `not_sent`: as long as it has not been read, the order was not sent, through
 * any dispatcher, proxy or TLS handshake.
 */
function toBodyReadOnce(
  body: string | undefined,
  fetch: object = globalThis.fetch,
  progress: RequestProgress,
): BodyReadOnceInit {
  const text = body ?? "";
  const { Buffer, Bun, Deno, document, EdgeRuntime, process } = globalThis as Runtimes;
  // The source of Node's own fetch names the module that it calls; the fetch of a tool does not.
  if (Deno === undefined && String(fetch).includes("internal/deps/undici")) {
    // undici would copy anything else into a Buffer.
    const bytes = Buffer?.from(text) ?? new TextEncoder().encode(text);
    const init = { body: readOnce(bytes, progress), duplex: "half" };
    const headers = contentLength(bytes);
    return { init: init as unknown as RequestInit, headers, reportsSending: true };
  }
  const isOldBun = OLD_BUN.test(String(Bun?.version));
  const isServer = (Bun ?? EdgeRuntime ?? process?.versions?.undici) !== undefined && document === undefined;
  const isPlatforms = isServer && !isOldBun && fetch === globalThis.fetch && !("mock" in fetch);
  if (Deno !== undefined || isPlatforms) {
    const bytes = new TextEncoder().encode(text);
    const init = { body: toStream(bytes, text, progress), duplex: "half" } as RequestInit;
    return { init, headers: Deno === undefined ? contentLength(bytes) : {}, reportsSending: true };
  }
  const init = { ...(body !== undefined && { body }), ...(isOldBun && { keepalive: false }) };
  return { init, headers: {}, reportsSending: false };
}

/** `fetch` cannot know the length of a body that can be read once. */
const contentLength = ({ length }: Uint8Array) => ({ "content-length": String(length) });

interface Runtimes {
  readonly Buffer?: { from(text: string): Uint8Array };
  readonly Bun?: { readonly version?: string };
  readonly Deno?: object;
  readonly document?: object;
  readonly EdgeRuntime?: string;
  readonly process?: { readonly versions?: { readonly undici?: string } };
}

const OLD_BUN = /^(?:0|1\.[0-3])\./;

/** Bytes that can be read once, in one piece, and only while the request may still be sent. Cheaper than a stream. */
async function* readOnce(
  bytes: Uint8Array,
  progress: RequestProgress,
): AsyncGenerator<Uint8Array, undefined> {
  progress.beginSending();
  if (bytes.length > 0) yield bytes;
}

/** A `fetch` of Node that is given a `Request` reads up to two chunks of its body before it connects. */
const LEADING_BYTES = 4;

/**
 * A stream without read-ahead, for tools that wrap a `fetch`. Its first bytes are chunks of their own: if only these
 * were read, the request is incomplete, and no service can charge the order.
 */
function toStream(bytes: Uint8Array, text: string, progress: RequestProgress): ReadableStream<Uint8Array> {
  let start = 0;
  const stream = new ReadableStream(
    {
      type: "bytes", // Node 22 and 24 read any other stream at once
      pull(controller) {
        const end = start < LEADING_BYTES ? Math.min(start + 1, bytes.length) : bytes.length;
        if (end === bytes.length) progress.beginSending();
        if (bytes.length > 0) controller.enqueue(bytes.slice(start, end));
        if (end === bytes.length) controller.close();
        start = end;
      },
    },
    { highWaterMark: 0 },
  );
  return Object.assign(stream, {
    // For a replacement that knows no streams, such as node-fetch: it would send "[object ReadableStream]".
    toString() {
      progress.beginSending();
      return text;
    },
  });
}
