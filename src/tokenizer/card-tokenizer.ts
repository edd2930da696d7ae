import { knownOptions } from "../errors/check-options.ts";
import {
  CONNECTION_OPTION_NAMES,
  type Connection,
  type ConnectionOptions,
  openConnection,
} from "../http/connection.ts";
import { readPublicKey } from "../http/keys.ts";
import type { RequestOptions } from "../http/request-options.ts";
import type { PaymentsPromise } from "../http/result.ts";
import type { CardParams } from "./card.ts";
import type { CardToken } from "./card-token.ts";
import { pageCarrier } from "./page-carrier.ts";
import { tokenize } from "./tokenize.ts";

/** Options of a {@link CardTokenizer}. */
export interface CardTokenizerOptions extends ConnectionOptions {
  /**
   * Milliseconds for the whole of `tokenize`, retries and the waits between them included, because a buyer is
   * waiting. An attempt that others may follow gets half of what is left. Default 30,000.
   */
  timeout?: number | undefined;
  /** Starts with `pk_`. It may be public; a secret key is refused. */
  publicKey?: string | undefined;
}

const OPTION_NAMES = [...CONNECTION_OPTION_NAMES, "publicKey"] as const;

/**
 * Turns card data into a token, with nothing but the public key. Made for the buyer's page, so that card
 * data never touches the merchant's server.
 *
 * ```ts
 * const tokenizer = new CardTokenizer({ baseUrl, publicKey: "pk_..." });
 * const token = await tokenizer.tokenize(card);
 * ```
 *
 * Spec: "POST /api/v1/card-token".
 */
export class CardTokenizer {
  readonly #connection: Connection;
  readonly #publicKey: string | undefined;

  /** @throws {ConfigurationError} on an option that cannot work, a secret key among them. */
  constructor(options: CardTokenizerOptions) {
    const own = knownOptions(options, OPTION_NAMES);
    this.#connection = openConnection(own, pageCarrier);
    this.#publicKey = readPublicKey(own.publicKey);
  }

  /**
   * A token for a card. A failure is tried again, because a token charges nobody: after a broken connection, a
   * connection that went dead, a 5xx, 408 or 429, twice unless told otherwise, and within the deadline.
   *
   * Every error says by `actor` who can mend it: `customer` means "check the card", `network` "try again", and the
   * other two that the buyer can only wait, or pay in another way.
   *
   * @throws {InvalidRequestError} where the card is not one; `issues` names the inputs.
   * @throws {ValidationError} on 400.
   * @throws {AuthenticationError} on 401.
   * @throws {UnexpectedResponseError} on an answer that is no token.
   * @throws {ConnectionError} where the connection failed; in a page its `reason` tells whether the browser is
   *   offline, the page's own policy forbids the call, or the answer may not be read (CORS).
   * @throws {TimeoutError} | {AbortedError} | {ServerError} where no answer came.
   */
  tokenize(card: CardParams, options?: RequestOptions): PaymentsPromise<CardToken> {
    return tokenize(this.#connection, this.#publicKey, card, options);
  }
}
