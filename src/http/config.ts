import { isLoopbackHost, parseUrl } from "../data/web-url.ts";
import { assertConfig } from "../errors/check-options.ts";
import type { ErrorContext } from "../errors/payments-error.ts";
import { ConfigurationError } from "../errors/usage-errors.ts";
import { API_PREFIX } from "../spec/endpoints.ts";
import { PUBLIC_KEY_PREFIX, SECRET_KEY_PREFIX } from "../spec/values.ts";
import { type Call, type Config, type HeadersInput, type Platform, readHeaders } from "./call.ts";
import type { EventListener } from "./events.ts";
import { isTimeout, TIMEOUT_RULE } from "./timers.ts";
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

/** @internal @throws {ConfigurationError} on an option that cannot work. */
export function toConfig(options: ConnectionOptions, platform: Platform): Config {
  const { timeout = 30_000, maxRetries = 2, fetch, onEvent } = options;
  const headers = readHeaders(options.headers);
  assertOption(isTimeout(timeout), `timeout ${TIMEOUT_RULE}.`);
  const isCount = Number.isSafeInteger(maxRetries) && maxRetries >= 0;
  assertOption(isCount, "maxRetries must be a whole number, zero or more.");
  assertOption(fetch === undefined || typeof fetch === "function", "fetch must be a function.");
  assertOption(onEvent === undefined || typeof onEvent === "function", "onEvent must be a function.");
  assertOption(headers !== undefined, "headers must be valid HTTP headers.");
  const baseUrl = readBaseUrl(options.baseUrl, options.allowInsecureHttp === true);
  return { platform, baseUrl, timeout, maxRetries, headers, fetch, onEvent };
}

/** The context of an error about an option of a client or a tokenizer: it could send nothing. */
export const NOT_SENT: ErrorContext = { outcome: "not_sent" };

/** @throws {ConfigurationError} about an option of a client or a tokenizer, unless the condition holds. */
export function assertOption(condition: boolean, message: string): asserts condition {
  assertConfig(condition, message, NOT_SENT);
}

function readBaseUrl(value: unknown, allowInsecureHttp: boolean): string | undefined {
  if (value === undefined || value === "") return undefined;
  const url = parseUrl(value);
  assertOption(url !== undefined, "baseUrl must be an absolute URL, such as https://api.example.com.");
  const { protocol, username, password, search, hash } = url;
  const path = url.pathname.replace(/\/+$/, "");
  assertOption(protocol === "https:" || protocol === "http:", "baseUrl must start with https://.");
  const isPlain = username + password + search + hash === "";
  assertOption(isPlain, "baseUrl must not have a user, password, query or fragment.");
  const hasPrefix = `${path}/`.includes(`${API_PREFIX}/`);
  assertOption(!hasPrefix, `baseUrl must end before ${API_PREFIX}: the SDK adds it.`);
  assertOption(
    protocol === "https:" || isLoopbackHost(url.hostname) || allowInsecureHttp,
    "baseUrl is http, which would send the keys unencrypted: use https, or set allowInsecureHttp.",
  );
  return url.origin + path;
}

/** Printable ASCII without the colon, which separates the two keys in Basic authentication. */
const VALID_KEY = /^[!-9;-~]+$/;

// One function for each key, so that a page has no code for secret keys.

export const readSecretKey = (value: unknown) =>
  readKey(value, "secretKey", SECRET_KEY_PREFIX, PUBLIC_KEY_PREFIX);

export const readPublicKey = (value: unknown) =>
  readKey(value, "publicKey", PUBLIC_KEY_PREFIX, SECRET_KEY_PREFIX);

/** @throws {ConfigurationError} if the value is not a key; the message does not contain it. */
function readKey(value: unknown, option: string, prefix: string, other: string): string | undefined {
  if ((value ?? "") === "") return undefined;
  assertOption(typeof value === "string", `${option} must be a string.`);
  const swapped = `${option} starts with ${other}: the two keys are swapped. It must start with ${prefix}.`;
  assertOption(!value.startsWith(other), swapped);
  assertOption(value.startsWith(prefix), `${option} must start with ${prefix}.`);
  assertOption(
    VALID_KEY.test(value),
    `${option} must not contain spaces, colons or other characters that no key has.`,
  );
  return value;
}

/** The message of a 401 for a call that sends only the public key. */
export const PUBLIC_KEY_REFUSED =
  "The service refused the keys (401). Check that publicKey belongs to the account at this base URL.";

/** The environment variables that are read if an option is missing. */
export const ENVIRONMENT_VARIABLES = {
  baseUrl: "PAYMENTS_BASE_URL",
  secretKey: "PAYMENTS_SECRET_KEY",
  publicKey: "PAYMENTS_PUBLIC_KEY",
} as const;

/** The service and the account of one client, shared by its resources. */
export type Account = Readonly<ReturnType<typeof createAccount>>;

export function createAccount(config: Config, secretKey: string | undefined, publicKey: string | undefined) {
  const isComplete = secretKey !== undefined && publicKey !== undefined;
  // The secret key is the user name, the public key the password. Spec: "Authentication", rule 2.
  const basic = isComplete ? btoa(`${secretKey}:${publicKey}`) : undefined;
  // No call with this account may show its secrets.
  return { config, secretKey, publicKey, basic, secrets: [secretKey, publicKey, basic] };
}

/**
 * The Authorization header of a call; `undefined` if it has none.
 *
 * @throws {ConfigurationError} if a key is missing, or if nothing can send the request.
 */
export function authorize(call: Call, account: Account): string | undefined {
  const { basic } = account;
  if (typeof (account.config.fetch ?? globalThis.fetch) !== "function") {
    throw new ConfigurationError("The global fetch is missing: set `fetch`.", call.context("not_sent"));
  }
  if (call.endpoint.auth !== "basic") return undefined;
  if (basic === undefined) throw new ConfigurationError(describeMissing(account), call.context("not_sent"));
  return `Basic ${basic}`;
}

/** Names everything that is missing at once. */
function describeMissing({ secretKey, publicKey, config: { baseUrl } }: Account): string {
  const settings = [
    [secretKey, "secret key", "secretKey"],
    [publicKey, "public key", "publicKey"],
    [baseUrl, "base URL", "baseUrl"],
  ] as const;
  const missing = settings.filter(([value]) => value === undefined);
  const names = missing.map(([, name]) => name).join(" and the ");
  const options = missing.map(([, , option]) => `\`${option}\``).join(", ");
  const variables = missing.map(([, , option]) => ENVIRONMENT_VARIABLES[option]).join(", ");
  return `The ${names} ${missing.length > 1 ? "are" : "is"} missing: set ${options}, or set ${variables}.`;
}
