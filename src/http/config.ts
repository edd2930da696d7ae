import { isLoopbackHost, parseUrl } from "../data/texts.ts";
import { ConfigurationError } from "../errors/usage-errors.ts";
import { API_PREFIX } from "../spec/endpoints.ts";
import type { Config, Platform } from "./call.ts";
import type { EventListener } from "./events.ts";
import { type HeadersInput, isTimeout, readHeaders, TIMEOUT_RULE } from "./request-options.ts";
import type { FetchLike } from "./transport.ts";

/** Options that `PaymentsClient` and `CardTokenizer` share. */
export interface ConnectionOptions {
  /**
   * URL of the service, such as `https://api.example.com`. No default. It may have a path, but not `/api/v1`. `http` only
   * for loopback hosts, unless {@link ConnectionOptions.allowInsecureHttp}.
   */
  baseUrl?: string | undefined;
  /**
   * Milliseconds for one attempt, including its body. Default 30,000. Below 1,000, a `warning` event reports that this
   * may be a value in seconds.
   */
  timeout?: number | undefined;
  /**
   * How often a read or a tokenization is retried. A create call is never retried. Default 2.
   *
   * A retry waits for `Retry-After`, up to a minute; without that header half a second, doubled after each attempt.
   * After a 429 without `Retry-After` it waits 15 to 19 seconds, then twice as long, because the stated limits count
   * requests per minute and per hour. If that wait leaves less than 5 seconds of `timeout`, counted from the start of
   * the call, the `RateLimitError` is thrown immediately. Spec: "Limits".
   */
  maxRetries?: number | undefined;
  /** Additional headers for every call. Headers that the SDK sets cannot be replaced. */
  headers?: HeadersInput | undefined;
  /**
   * Sends the requests, and must not repeat a create request. Default: the global `fetch`, looked up at each call. Any
   * other gets the body as text.
   */
  fetch?: FetchLike | undefined;
  /** Receives a redacted event for each request, response, retry, error, drift and warning. Default: none. */
  onEvent?: EventListener | undefined;
  /** Allows `http` for hosts that are not loopback. The keys are then sent unencrypted. Default `false`. */
  allowInsecureHttp?: boolean | undefined;
}

export const CONNECTION_OPTION_NAMES = [
  "baseUrl",
  "timeout",
  "maxRetries",
  "headers",
  "fetch",
  "onEvent",
  "allowInsecureHttp",
] as const;

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_RETRIES = 2;

/** @internal @throws {ConfigurationError} on an option that cannot work. */
export function toConfig(options: ConnectionOptions, platform: Platform): Config {
  const { timeout = DEFAULT_TIMEOUT_MS, maxRetries = DEFAULT_RETRIES, fetch, onEvent } = options;
  if (!isTimeout(timeout)) throw new ConfigurationError(`timeout ${TIMEOUT_RULE}.`);
  if (!Number.isSafeInteger(maxRetries) || maxRetries < 0) {
    throw new ConfigurationError("maxRetries must be a whole number, zero or more.");
  }
  if (fetch !== undefined && typeof fetch !== "function")
    throw new ConfigurationError("fetch must be a function.");
  if (onEvent !== undefined && typeof onEvent !== "function") {
    throw new ConfigurationError("onEvent must be a function.");
  }
  const headers = readHeaders(options.headers);
  if (headers === undefined) throw new ConfigurationError("headers must be valid HTTP headers.");
  const baseUrl = readBaseUrl(options.baseUrl, options.allowInsecureHttp === true);
  return { platform, baseUrl, timeout, maxRetries, headers, fetch, onEvent };
}

function readBaseUrl(value: unknown, allowInsecureHttp: boolean): string | undefined {
  if (value === undefined || value === "") return undefined;
  const url = parseUrl(value);
  if (url === undefined) {
    throw new ConfigurationError("baseUrl must be an absolute URL, such as https://api.example.com.");
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw new ConfigurationError("baseUrl must start with https://.");
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw new ConfigurationError("baseUrl must not have a user, password, query or fragment.");
  }
  const path = url.pathname.replace(/\/+$/, "");
  if (`${path}/`.includes(`${API_PREFIX}/`)) {
    throw new ConfigurationError(`baseUrl must end before ${API_PREFIX}: the SDK adds it.`);
  }
  if (url.protocol === "http:" && !isLoopbackHost(url.hostname) && !allowInsecureHttp) {
    throw new ConfigurationError(
      "baseUrl is http, which would send the keys unencrypted: use https, or set allowInsecureHttp.",
    );
  }
  return url.origin + path;
}
