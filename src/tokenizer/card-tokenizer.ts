import { Redactor } from "../data/redactor.ts";
import { knownOptions } from "../errors/check-options.ts";
import {
  Call,
  type Config,
  type FailureReason,
  type HttpRequest,
  type Platform,
  type RequestOptions,
} from "../http/call.ts";
import {
  CONNECTION_OPTION_NAMES,
  type ConnectionOptions,
  NOT_SENT,
  PUBLIC_KEY_REFUSED,
  readPublicKey,
  toConfig,
} from "../http/config.ts";
import { describeFailure } from "../http/explain-failure.ts";
import type { RawResponse } from "../http/response.ts";
import { type PaymentsPromise, toPaymentsPromise } from "../http/result.ts";
import { planRetry } from "../http/retries.ts";
import { prepareRequest, sendAttempt } from "../http/send.ts";
import { pause, TimeoutReached, withTimeoutSignal } from "../http/timers.ts";
import { createCardToken } from "../spec/endpoints.ts";
import type { CardToken } from "./card-token.ts";
import { type CardParams, tokenize } from "./tokenize.ts";

/** Options of a {@link CardTokenizer}. */
export interface CardTokenizerOptions extends ConnectionOptions {
  /**
   * Milliseconds for the whole call of `tokenize`, including retries and their delays, because a buyer is waiting. An
   * attempt that may be retried gets half of the remaining time. Default 30,000.
   */
  timeout?: number | undefined;
  /** Starts with `pk_`. It may be public; the tokenizer refuses a secret key. */
  publicKey?: string | undefined;
}

/** Without ky and Node-only code, so that a page loads less. */
const browserPlatform: Platform = {
  sendWithRetries: sendFromPage,
  explainFailure: explainFailureInPage,
  Redactor,
  describeUnauthorized: () => PUBLIC_KEY_REFUSED,
};

/**
 * Converts card data to a token in the buyer's page, so that it never reaches the merchant's server. Needs the public key
 * only.
 *
 * ```ts
 * const tokenizer = new CardTokenizer({ baseUrl, publicKey: "pk_..." });
 * const token = await tokenizer.tokenize({ number, holderName, expirationMonth, expirationYear, cvv });
 * await fetch("/pay", { method: "POST", body: JSON.stringify({ order, token }) }); // your server sends it as card.hash
 * ```
 *
 * Spec: "POST /api/v1/card-token".
 */
export class CardTokenizer {
  readonly #config: Config;
  readonly #publicKey: string | undefined;

  /** @throws {ConfigurationError} if an option is not valid, or if `publicKey` is a secret key. */
  constructor(options: CardTokenizerOptions) {
    const own = knownOptions(options, [...CONNECTION_OPTION_NAMES, "publicKey"], NOT_SENT);
    this.#config = toConfig(own, browserPlatform);
    this.#publicKey = readPublicKey(own.publicKey);
  }

  /**
   * Converts card data to a token. A token charges no one, so failures are retried up to `maxRetries` times within
   * `timeout`: a failed or unresponsive connection, 5xx, 408 and 429.
   *
   * Choose the message for the buyer by the `actor` of the error: for `customer` "check the card", for `network` "try
   * again"; otherwise the buyer can only wait or pay in another way.
   *
   * @throws {InvalidRequestError} if the card is not valid; `issues` names the inputs.
   * @throws {ValidationError} on 400.
   * @throws {AuthenticationError} on 401.
   * @throws {UnexpectedResponseError} if the response is not a token.
   * @throws {ConnectionError} if the connection failed; in a page its `reason` shows whether the browser is
   *   offline, the page's own policy forbids the call, or the response may not be read (CORS).
   * @throws {TimeoutError} if there was no response in time.
   * @throws {AbortedError} if `signal` aborts.
   * @throws {ServerError} on 5xx and 408.
   * @throws {RateLimitError} on 429.
   */
  tokenize(card: CardParams, options?: RequestOptions): PaymentsPromise<CardToken> {
    const call: Call = new Call(this.#config, createCardToken, options);
    return toPaymentsPromise(call.run(() => tokenize(call, this.#publicKey, card)));
  }
}

/**
 * Sends a request from a page and retries it. The buyer is waiting, so the time limit applies to all attempts and
 * delays together. An attempt that may be retried gets half of the remaining time, so that an unresponsive connection
 * leaves time for another attempt.
 *
 * Without ky, which would use up more than half of the size limit for a page.
 */
async function sendFromPage(call: Call, httpRequest: HttpRequest): Promise<RawResponse> {
  const request = prepareRequest(call, httpRequest);
  const { timeout, signal } = call.options;
  const endsAt = performance.now() + timeout;
  for (let attempt = 1; ; attempt += 1) {
    const leftMs = endsAt - performance.now();
    const ms = attempt > call.config.maxRetries ? leftMs : leftMs / 2;
    let response: RawResponse | undefined;
    let failure: unknown;
    try {
      response = await withTimeoutSignal({ ms, signal }, (limit) =>
        sendAttempt(call, request, attempt, limit),
      );
      if (response.isOk) return response;
    } catch (error) {
      failure = error;
    }
    const isImmediate = failure instanceof TimeoutReached; // the attempt took long enough
    const longestDelayMs = endsAt - performance.now();
    const delayMs = planRetry(call, { attempt, response, isImmediate, longestDelayMs });
    if (delayMs !== undefined) await pause(delayMs, signal);
    else if (response !== undefined) return response;
    else throw failure;
  }
}

const DETAILS = {
  offline: "the browser is offline",
  content_security_policy:
    "the page's Content-Security-Policy forbids it; add the origin of `baseUrl` to its connect-src",
  cors:
    "the page may not read the response (CORS): either the service does not allow the page's origin, or " +
    "a proxy in front of it responded instead",
} as const;

/**
 * Explains a rejected `fetch` in a page. A browser reports every failure as "Failed to fetch", so this checks whether the
 * browser is online and then sends a `no-cors` request to the same address. That request contains neither card nor key,
 * and is sent only if no attempt is left.
 */
async function explainFailureInPage(call: Call, error: unknown): Promise<FailureReason> {
  const failure = describeFailure(error, call.redactor);
  const { config, endpoint, options, progress } = call;
  // No runtime but a page and its workers has both.
  const isBrowser =
    "onLine" in (globalThis.navigator ?? {}) && typeof globalThis.addEventListener === "function";
  // A server and a custom `fetch` have no browser rules. If headers were received, no rule forbids the call: the
  // connection broke off later.
  if (config.fetch !== undefined || progress.headersReceived || !isBrowser) return failure;
  const ms = Math.min(2_000, options.timeout - call.elapsedMs); // the buyer is waiting
  const reason = await findReason(`${config.baseUrl}${endpoint.path}`, options.signal, ms);
  return reason === undefined ? failure : { ...failure, reason, detail: DETAILS[reason] };
}

async function findReason(url: string, signal: AbortSignal | undefined, ms: number) {
  if (!navigator.onLine) return "offline";
  const { origin } = new URL(url);
  let isForbidden = false;
  // Requests to other origins may be blocked at the same time.
  const watch = ({ disposition, effectiveDirective, blockedURI }: SecurityPolicyViolationEvent) => {
    const isOrigin = `${blockedURI}/`.startsWith(`${origin}/`);
    isForbidden ||= isOrigin && disposition === "enforce" && effectiveDirective === "connect-src";
  };
  globalThis.addEventListener("securitypolicyviolation", watch);
  try {
    // Resolves for any response, even one that the page may not read.
    await withTimeoutSignal({ ms, signal }, (limit) =>
      fetch(url, { method: "HEAD", mode: "no-cors", credentials: "omit", cache: "no-store", signal: limit }),
    );
    return "cors";
  } catch {
    if (!isForbidden) await new Promise((resolve) => setTimeout(resolve, 50)); // until the browser reports it
    return isForbidden ? "content_security_policy" : undefined;
  } finally {
    globalThis.removeEventListener("securitypolicyviolation", watch);
  }
}
