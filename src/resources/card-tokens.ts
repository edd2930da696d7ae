import type { RequestOptions } from "../http/request-options.ts";
import type { PaymentsPromise } from "../http/result.ts";
import type { CardParams } from "../tokenizer/card.ts";
import type { CardToken } from "../tokenizer/card-token.ts";
import { tokenize } from "../tokenizer/tokenize.ts";
import type { Account } from "./account.ts";

/** Tokenization from a server. */
export class CardTokensResource {
  readonly #account: Account;

  /** @internal */
  constructor(account: Account) {
    this.#account = account;
  }

  /**
   * A token for a card, sent with the public key only.
   *
   * Card data that passes through your server puts it in the scope of PCI DSS: prefer `CardTokenizer` in
   * the buyer's page, and keep this for scripts and tests. A failure is tried again, because a token
   * charges nobody.
   *
   * Spec: "POST /api/v1/card-token".
   *
   * @throws {InvalidRequestError} where the card is not one; `issues` names the inputs.
   * @throws {ValidationError} on 400.
   * @throws {AuthenticationError} on 401.
   * @throws {UnexpectedResponseError} on an answer that is no token.
   */
  create(card: CardParams, options?: RequestOptions): PaymentsPromise<CardToken> {
    const { connection, publicKey } = this.#account;
    return tokenize(connection, publicKey, card, options);
  }
}
