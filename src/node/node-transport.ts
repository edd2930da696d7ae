import { assertConfig, knownOptions } from "../errors/check-options.ts";
import { sanitizeError } from "../errors/sanitize-error.ts";
import { ConfigurationError } from "../errors/usage-errors.ts";
import { isTimeout, TIMEOUT_RULE } from "../http/timers.ts";
import { RESPONSE_MAX_BYTES, RequestProgress, type TransportRequest, transports } from "../http/transport.ts";
import { type Address, ConnectionPools } from "./connection-pool.ts";
import { http, https, parseUrl, sendRequest } from "./send-request.ts";

/** Options of {@link nodeTransport}. */
export interface NodeTransportOptions {
  /** Maximum number of connections to one host; further calls wait for one. Default 256. */
  readonly maxSockets?: number | undefined;
  /**
   * Milliseconds that an idle connection is kept open; less if the service sends a shorter `Keep-Alive: timeout`.
   * Default 4,000.
   */
  readonly idleTimeout?: number | undefined;
  /** Milliseconds that opening a connection may take, including TLS. Default 10,000. */
  readonly connectTimeout?: number | undefined;
}

/** A `fetch` over `node:http` and `node:https`. Create one with {@link nodeTransport}. */
export interface NodeTransport {
  /** As a `fetch`, see {@link nodeTransport}. */
  (url: string | URL, init?: RequestInit): Promise<Response>;
  /**
   * Closes idle connections and stops keeping connections open. Calls in flight continue; each later call opens a
   * connection that closes with the call. It is safe to call this twice.
   */
  close(): void;
  /** The same, for `using`. */
  [Symbol.dispose](): void;
}

/**
 * Sends requests with `node:http` and `node:https`, using less CPU than the platform's `fetch`. Pass its `fetch` to a
 * client; one transport can serve many clients. It detects when the first byte of a request is written, so a create
 * call that fails before that has the outcome `not_sent`, even if it was aborted or timed out while it waited for a
 * connection. Without {@link NodeTransport.close}, an idle connection closes after `idleTimeout`; it does not keep the
 * process alive.
 *
 * A request is sent once: redirects are not followed, and nothing is retried. A private CA is read from
 * `NODE_EXTRA_CA_CERTS`. Responses may be compressed with gzip, brotli or deflate.
 *
 * It does not use proxies: use `fetch` for them. If Node is configured to use the proxies of the environment
 * (`NODE_USE_ENV_PROXY=1`, `--use-env-proxy`), a call to a host that is not in `NO_PROXY` fails with a
 * `ConfigurationError`, and nothing is sent.
 *
 * Called as a `fetch`, it accepts a URL, and `method`, `headers`, `body` (string or bytes) and `signal` of an init. It
 * resolves when the whole body was received. A redirect is a normal response (`redirect: "manual"`). It rejects with a
 * `TypeError` if there is no response or its body is longer than 5,000,000 bytes, and with the signal's reason if the
 * signal aborts.
 *
 * If a testing tool has replaced `http.request`, that tool sends the requests, and no failure is proven `not_sent`.
 *
 * @throws {ConfigurationError} on an invalid option, and on Bun before 1.4 or Deno before 2.9, whose `node:http` sends
 * requests twice or not at all.
 */
export function nodeTransport(options: NodeTransportOptions = {}): NodeTransport {
  assertConfig(
    !isUnsupportedRuntime(),
    "nodeTransport needs Node, Bun 1.4 or newer, or Deno 2.9 or newer: do not use it on this runtime.",
  );
  const pools = new ConnectionPools(readTransportOptions(options));
  const close = () => pools.close();
  const transport = Object.assign(createFetch(pools), { close, [Symbol.dispose]: close });
  transports.set(transport, {
    findProblem: findProxyProblem,
    send: async (url, request, signal, progress) => {
      const received = await sendRequest(pools, url, request, signal, progress);
      const { response, bytes, isTruncated, failure, closeConnection } = received;
      const { statusCode: status = 0, rawHeaders } = response;
      const headers = () => toHeaders(rawHeaders);
      // Up to the limit, without a partial last character.
      const text = new TextDecoder().decode(bytes.subarray(0, RESPONSE_MAX_BYTES), { stream: isTruncated });
      return { status, headers, text, isTruncated, failure, isRedirected: false, closeConnection };
    },
  });
  return transport;
}

/** @param rawHeaders - Alternating names and values. */
export function toHeaders(rawHeaders: readonly string[]): Headers {
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    try {
      headers.append(rawHeaders[at] ?? "", rawHeaders[at + 1] ?? "");
    } catch {
      // The response is kept without a header that `Headers` does not accept.
    }
  }
  return headers;
}

/** The transport as a `fetch`, for code other than the SDK. */
function createFetch(pools: ConnectionPools): (url: string | URL, init?: RequestInit) => Promise<Response> {
  return async function nodeTransport(url, init = {}) {
    const problem = findProxyProblem(String(url));
    if (problem !== undefined) throw new ConfigurationError(problem);
    const request = readInit(init);
    const signal = init.signal ?? undefined;
    try {
      const received = await sendRequest(pools, String(url), request, signal, new RequestProgress());
      const { response, bytes, isTruncated, failure } = received;
      if (failure !== undefined) throw failure;
      if (isTruncated) throw new TypeError("the body is longer than 5,000,000 bytes");
      const { statusCode: status = 0, statusMessage: statusText = "", rawHeaders } = response;
      const headers = toHeaders(rawHeaders);
      return new Response(bytes.length === 0 ? null : bytes, { status, statusText, headers });
    } catch (error) {
      if (signal?.aborted === true && error === signal.reason) throw error;
      throw new TypeError("fetch failed", { cause: sanitizeError(error, { text: (message) => message }) });
    }
  };
}

/** @throws {TypeError} on a body that is not a string or bytes, and on headers that HTTP does not allow. */
function readInit({ method = "GET", headers: init, body }: RequestInit): TransportRequest {
  const headers = new Headers(init);
  if (typeof body === "string" && !headers.has("content-type")) {
    headers.set("content-type", "text/plain;charset=UTF-8"); // as `fetch` does
  }
  if (body !== undefined && body !== null && typeof body !== "string" && !(body instanceof Uint8Array)) {
    throw new TypeError("nodeTransport sends a body that is a string or a Uint8Array.");
  }
  return { method: method.toUpperCase(), headers: Object.fromEntries(headers), body: body ?? undefined };
}

/** @throws {ConfigurationError} */
export function readTransportOptions(
  options: NodeTransportOptions,
): Record<keyof NodeTransportOptions, number> {
  const read = knownOptions(options, ["maxSockets", "idleTimeout", "connectTimeout"]);
  const { maxSockets = 256, idleTimeout = 4_000, connectTimeout = 10_000 } = read;
  const isCount = Number.isSafeInteger(maxSockets) && maxSockets > 0;
  assertConfig(isCount, "maxSockets must be a whole number above zero.");
  assertConfig(isTimeout(idleTimeout), `idleTimeout ${TIMEOUT_RULE}.`);
  assertConfig(isTimeout(connectTimeout), `connectTimeout ${TIMEOUT_RULE}.`);
  return { maxSockets, idleTimeout, connectTimeout };
}

/** Observed: Bun 1.3.12 sends twice, Bun 1.3.14 cuts off every response, Deno 2.5 sends nothing. */
function isUnsupportedRuntime(): boolean {
  const { Bun, Deno } = globalThis as { Bun?: { version?: string }; Deno?: { version?: { deno?: string } } };
  return (
    /^(?:0|1\.[0-3])\./.test(String(Bun?.version)) || /^(?:[01]|2\.[0-8])\./.test(String(Deno?.version?.deno))
  );
}

type Variables = Readonly<Record<string, string | undefined>>;

/** Whether the process was started with Node's support of proxies. */
const IS_PROXY_ENABLED =
  process.env["NODE_USE_ENV_PROXY"] === "1" || process.execArgv.includes("--use-env-proxy");

/** The problem with a URL to which Node itself would send through a proxy; `undefined` if there is none. */
export function findProxyProblem(url: string): string | undefined {
  const { globalAgent } = url.startsWith("https:") ? https : http;
  // Not documented, but nothing else shows `http.setGlobalProxyFromEnv`. An agent of a tool may have no options.
  const { proxyEnv } = (globalAgent as { options?: { proxyEnv?: Variables } }).options ?? {};
  const variables = proxyEnv ?? (IS_PROXY_ENABLED ? process.env : undefined);
  if (variables === undefined || !usesProxy(variables, parseUrl(url))) return undefined;
  return (
    "nodeTransport does not use proxies, and the environment configures one for this host. " +
    "Use the platform's `fetch`, by leaving out the option `fetch`, or add the host to NO_PROXY."
  );
}

/** In doubt it does: Node also accepts ranges of addresses in NO_PROXY. */
function usesProxy(variables: Variables, { protocol, host, port }: Address): boolean {
  const read = (name: string) => variables[name] || variables[name.toUpperCase()] || "";
  if (read(`${protocol.slice(0, -1)}_proxy`) === "") return false;
  const isExcluded = (entry: string) =>
    ["*", host, `${host}:${port}`].includes(entry) ||
    (entry.startsWith(".") && `.${host}`.endsWith(entry)) ||
    (entry.startsWith("*.") && host.endsWith(entry.slice(1)));
  return !read("no_proxy")
    .split(",")
    .some((entry) => isExcluded(entry.trim().toLowerCase()));
}
