import { ConfigurationError } from "../errors/usage-errors.ts";
import type { CalledEndpoint } from "../spec/endpoints.ts";
import type { Call, Config, HttpRequest } from "./call.ts";
import { RawResponse, readResponse } from "./response.ts";
import { rejectOnAbort } from "./timers.ts";
import { findTransport, type SendByTransport, type TransportRequest } from "./transport.ts";

/** A request that is ready to be sent. */
export interface PreparedRequest extends TransportRequest {
  readonly url: string;
  readonly headers: Record<string, string>;
  /** Sends the request instead of `fetch`. */
  readonly transport: SendByTransport | undefined;
  /** The body in another form, if it is sent by a `fetch` and must not be sent twice. */
  readonly bodyReadOnce: BodyReadOnceInit | undefined;
}

/** The body of a create call, as a `fetch` receives it. */
export interface BodyReadOnceInit {
  readonly init: RequestInit;
  /** Headers that the body needs. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the body calls `beginSending()` when it is read. Otherwise it counts as sent once `fetch` is called. */
  readonly reportsSending: boolean;
}

/**
 * Completes the request of a resource with the settings of its call.
 *
 * @throws {AbortedError} if the caller's signal is aborted.
 * @throws {ConfigurationError} if the base URL is missing.
 */
export function prepareRequest(call: Call, { query, authorization, body }: HttpRequest): PreparedRequest {
  const { config, endpoint, options } = call;
  call.throwIfAborted();
  if (config.baseUrl === undefined) {
    const message = "The base URL is missing: set `baseUrl`. PaymentsClient also reads PAYMENTS_BASE_URL.";
    throw new ConfigurationError(message, call.context("not_sent"));
  }
  warnAboutTimeout(call);
  const headers: Record<string, string> = {
    accept: ACCEPT[endpoint.responseFormat],
  };
  for (const { allowed, dropped } of [config.headers, options.headers]) {
    Object.assign(headers, allowed);
    for (const name of dropped) call.warn(`headers.${name}`, "is set by the SDK and was ignored");
  }
  if (body !== undefined) headers["content-type"] = "application/json";
  if (authorization !== undefined) headers["authorization"] = authorization;
  const url = config.baseUrl + endpoint.path + (query === undefined ? "" : `?${query}`);
  const transport = config.fetch && findTransport(config.fetch);
  return { url, method: endpoint.method, headers, body, transport, bodyReadOnce: undefined };
}

const ACCEPT: Readonly<Record<CalledEndpoint["responseFormat"], string>> = {
  json: "application/json",
  text: "text/plain, */*",
  any: "application/json, text/plain, */*",
};

/** A shorter timeout is most likely meant in seconds. */
const SHORT_TIMEOUT_MS = 1_000;

const warned = new WeakSet<Config>();

/** Warns once per client. */
function warnAboutTimeout(call: Call): void {
  const { timeout } = call.options;
  if (timeout >= SHORT_TIMEOUT_MS || warned.has(call.config)) return;
  warned.add(call.config);
  call.warn("timeout", `is ${timeout} ms: if you meant seconds, use ${timeout * 1000}`);
}

/** Next.js sets it when it replaces the global `fetch`. */
const NEXT_PATCH = Symbol.for("next-patch");

/**
 * Sends a request and reads the response: every attempt of every call goes through here. If the signal aborts, it
 * rejects, or returns what was received until then.
 */
export async function exchange(
  call: Call,
  request: PreparedRequest,
  attempt: number,
  signal: AbortSignal,
): Promise<RawResponse> {
  const { fetch, onEvent } = call.config;
  const { url, method, headers, body, bodyReadOnce, transport } = request;
  // The caller or a listener may have aborted in the meantime: then nothing is sent.
  signal.throwIfAborted();
  if (onEvent !== undefined)
    call.emit({ type: "request", method, path: call.endpoint.shownPath ?? call.endpoint.path, attempt });
  signal.throwIfAborted();

  if (transport !== undefined) {
    const received = await transport(url, request, signal, call.progress);
    return assertUsable(call, new RawResponse({ ...received, isRedirected: false }));
  }
  const init: RequestInit = { method, headers, redirect: "manual", signal };
  // As Next.js marks its own requests: it passes them on, and neither reads, caches nor merges them.
  if (NEXT_PATCH in globalThis) Object.assign(init, { next: { internal: true } });
  if (bodyReadOnce !== undefined) Object.assign(init, bodyReadOnce.init);
  else if (body !== undefined) init.body = body;
  if (bodyReadOnce?.reportsSending !== true) call.progress.beginSending();
  const aborted = rejectOnAbort(signal); // before `fetch`, which may reject with another error
  const response = await Promise.race([aborted, (async () => (fetch ?? globalThis.fetch)(url, init))()]);
  call.progress.receiveHeaders();
  return assertUsable(call, await readResponse(response, aborted));
}

/** An incomplete body may show what became of a charge. Any other call fails, so that it is retried. */
function assertUsable(call: Call, response: RawResponse): RawResponse {
  if (response.failure !== undefined && !call.endpoint.charges) throw response.failure;
  return response;
}

/** Emits the `response` event of an attempt. */
export function emitResponse(call: Call, response: RawResponse, attempt: number, startedAt: number): void {
  if (call.config.onEvent === undefined) return;
  const { status, requestId } = response;
  const id = requestId === undefined ? {} : { requestId: call.redactor.text(requestId) };
  call.emit({ type: "response", status, attempt, durationMs: performance.now() - startedAt, ...id });
}
