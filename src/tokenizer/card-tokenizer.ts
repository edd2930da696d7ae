import { Redactor } from "../data/redactor.ts";
import { knownOptions } from "../errors/check-options.ts";
import type { Config, Platform, RequestOptions } from "../http/call.ts";
import {
  CONNECTION_OPTION_NAMES,
  type ConnectionOptions,
  PUBLIC_KEY_REFUSED,
  readPublicKey,
  toConfig,
} from "../http/config.ts";
import type { PaymentsPromise } from "../http/result.ts";
import type { CardParams } from "./card.ts";
import type { CardToken } from "./card-token.ts";
import { explainFailureInPage, sendFromPage } from "./page-connection.ts";
import { tokenize } from "./tokenize.ts";

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

const OPTION_NAMES = [...CONNECTION_OPTION_NAMES, "publicKey"] as const;

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
    const own = knownOptions(options, OPTION_NAMES);
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
    return tokenize(this.#config, this.#publicKey, card, options);
  }
}
