import { ConfigurationError } from "../errors/usage-errors.ts";
import type { CalledEndpoint } from "../spec/endpoints.ts";
import type { Call, Config, HttpRequest } from "./call.ts";
import { createRawResponse, type RawResponse, readResponse } from "./response.ts";
import { untilAborted, withTimeoutSignal } from "./timers.ts";
import { type Transport, type TransportRequest, transports } from "./transport.ts";

/** A request that is ready to be sent. */
export interface PreparedRequest extends TransportRequest {
  readonly url: string;
  readonly body: string | undefined;
  /** Sends the request instead of `fetch`. */
  readonly transport: Transport | undefined;
  /** What a `fetch` also receives: the body, and how it is sent. */
  readonly init: RequestInit;
  /** Whether the body calls `beginSending()` when it is read. Otherwise it counts as sent once `fetch` is called. */
  readonly reportsSending: boolean;
}

const ACCEPT: Readonly<Record<CalledEndpoint["responseFormat"], string>> = {
  json: "application/json",
  text: "text/plain, */*",
  any: "application/json, text/plain, */*",
};

/** A shorter timeout is most likely meant in seconds. */
const SHORT_TIMEOUT_MS = 1_000;

/** Each client warns once. */
const warned = new WeakSet<Config>();

/**
 * Completes the request of a resource with the settings of its call.
 *
 * @throws {AbortedError} if the caller's signal is aborted.
 * @throws {ConfigurationError} if the base URL is missing, or if the transport cannot send to it.
 */
export function prepareRequest(call: Call, { query, authorization, body }: HttpRequest): PreparedRequest {
  const { config, endpoint, options } = call;
  call.throwIfAborted();
  if (config.baseUrl === undefined) {
    const message = "The base URL is missing: set `baseUrl`. PaymentsClient also reads PAYMENTS_BASE_URL.";
    throw new ConfigurationError(message, call.context("not_sent"));
  }
  const { timeout } = options;
  if (timeout < SHORT_TIMEOUT_MS && !warned.has(config)) {
    warned.add(config);
    call.warn("timeout", `is ${timeout} ms: if you meant seconds, use ${timeout * 1000}`);
  }
  const headers: Record<string, string> = { accept: ACCEPT[endpoint.responseFormat] };
  for (const { allowed, dropped } of [config.headers, options.headers]) {
    Object.assign(headers, allowed);
    for (const name of dropped) call.warn(`headers.${name}`, "is set by the SDK and was ignored");
  }
  if (body !== undefined) headers["content-type"] = "application/json";
  if (authorization !== undefined) headers["authorization"] = authorization;
  const url = config.baseUrl + endpoint.path + (query === undefined ? "" : `?${query}`);
  const transport = config.fetch && transports.get(config.fetch);
  const problem = transport?.findProblem(url);
  if (problem !== undefined) throw new ConfigurationError(problem, call.context("not_sent"));
  const init = body === undefined ? {} : { body };
  return { url, method: endpoint.method, headers, body, transport, init, reportsSending: false };
}

/**
 * Sends a request that may charge: once, and never again, even after a failure.
 *
 * @throws {TimeoutReached} if the response, body included, takes longer than the timeout of the call.
 */
export async function sendOnce(call: Call, request: HttpRequest): Promise<RawResponse> {
  const { timeout: ms, signal } = call.options;
  const prepared = prepareRequest(call, request);
  const ready = prepared.transport === undefined ? withBodyReadOnce(call, prepared) : prepared;
  return withTimeoutSignal({ ms, signal }, (limit) => sendAttempt(call, ready, 1, limit));
}

/** Next.js sets it when it replaces the global `fetch`. */
const NEXT_PATCH = Symbol.for("next-patch");

/** Every attempt of every call. If the signal aborts, it rejects, or returns what was received until then. */
export async function sendAttempt(
  call: Call,
  request: PreparedRequest,
  attempt: number,
  signal: AbortSignal,
): Promise<RawResponse> {
  const { config, endpoint, progress } = call;
  const { url, method, headers, transport } = request;
  const startedAt = performance.now();
  // The caller or a listener may have aborted in the meantime: then nothing is sent.
  signal.throwIfAborted();
  call.emit({ type: "request", method, path: endpoint.shownPath ?? endpoint.path, attempt });
  signal.throwIfAborted();

  let raw: RawResponse;
  if (transport !== undefined) {
    raw = createRawResponse(await transport.send(url, request, signal, progress));
  } else {
    const init: RequestInit = { method, headers, redirect: "manual", signal, ...request.init };
    // As Next.js marks its own requests: it passes them on, and neither reads, caches nor merges them.
    if (NEXT_PATCH in globalThis) Object.assign(init, { next: { internal: true } });
    if (!request.reportsSending) progress.beginSending();
    // `fetch` may reject with another error when the signal aborts, or not at all.
    const response = await untilAborted(signal, async () => (config.fetch ?? fetch)(url, init));
    progress.receiveHeaders();
    raw = await readResponse(response, signal);
  }
  // An incomplete body may show what became of a charge. Any other call fails, so that it is retried.
  if (raw.failure !== undefined && !endpoint.charges) throw raw.failure;
  if (config.onEvent !== undefined) {
    const { status, requestId } = raw;
    const id = requestId === undefined ? {} : { requestId: call.redactor.text(requestId) };
    // Last, so that a listener that aborts cannot hide the response.
    call.emit({ type: "response", status, attempt, durationMs: performance.now() - startedAt, ...id });
  }
  return raw;
}

/**
 * The request with a body that can be read once, so that neither `fetch` nor a wrapper can send the request twice: undici,
 * the `fetch` of Node and of edge-runtime, does so after a 421, and Deno if its connection ended before a response. A
 * request without a body gets an empty one. As long as the body has not been read, this also proves `not_sent`, through
 * any dispatcher, proxy or TLS handshake.
 *
 * - Workers send any body at most once, and a stream without its length. Their version of undici is an empty string.
 * - Bun up to 1.3 gets a new connection for each create call instead.
 * - A custom `fetch` and a mock get a text, because they may read the body. On Deno, they may call Deno's `fetch`.
 */
function withBodyReadOnce({ config, progress }: Call, request: PreparedRequest): PreparedRequest {
  const { Buffer, Bun, Deno, document, EdgeRuntime, process } = globalThis as Runtimes;
  const fetch: object = config.fetch ?? globalThis.fetch;
  // The source of Node's own fetch names the module that it calls; the fetch of a tool does not.
  const isNode = Deno === undefined && String(fetch).includes("internal/deps/undici");
  if (!isNode && Deno === undefined) {
    const isOldBun = OLD_BUN.test(String(Bun?.version));
    const isServer = Boolean(Bun ?? EdgeRuntime ?? process?.versions?.undici) && document === undefined;
    const isPlatformFetch = isServer && fetch === globalThis.fetch && !("mock" in fetch);
    if (isOldBun) return { ...request, init: { ...request.init, keepalive: false } };
    if (!isPlatformFetch) return request;
  }
  const { body: text = "" } = request;
  // undici would copy anything else into a Buffer. A stream detaches the memory of its chunks, and Buffers share theirs.
  const bytes = (isNode && Buffer?.from(text)) || new TextEncoder().encode(text);
  const body: unknown = isNode ? readOnce(bytes, progress) : toStream(bytes, text, progress);
  // `fetch` cannot know the length of a body that can be read once.
  const length = Deno === undefined && { "content-length": String(bytes.length) };
  return {
    ...request,
    headers: { ...request.headers, ...length },
    init: { body, duplex: "half" } as RequestInit,
    reportsSending: true,
  };
}

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
async function* readOnce(bytes: Uint8Array, progress: Call["progress"]): AsyncGenerator<Uint8Array> {
  progress.beginSending();
  if (bytes.length > 0) yield bytes;
}

/** A `fetch` of Node that is given a `Request` reads up to two chunks of its body before it connects. */
const LEADING_BYTES = 4;

/**
 * A stream without read-ahead, for tools that wrap a `fetch`. Its first bytes are chunks of their own: if only these
 * were read, the request is incomplete, and no service can charge the order.
 */
function toStream(bytes: Uint8Array, text: string, progress: Call["progress"]): ReadableStream<Uint8Array> {
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
