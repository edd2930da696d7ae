import { Call, type RequestOptions } from "../http/call.ts";
import type { Account } from "../http/config.ts";
import { type PaymentsPromise, toPaymentsPromise } from "../http/result.ts";
import { runCall } from "../http/trace.ts";
import { createCardToken } from "../spec/endpoints.ts";
import type { CardToken } from "../tokenizer/card-token.ts";
import { type CardParams, tokenize } from "../tokenizer/tokenize.ts";

/** Tokenizes cards on a server. */
export class CardTokensResource {
  readonly #account: Account;

  /** @internal */
  constructor(account: Account) {
    this.#account = account;
  }

  /**
   * Converts card data to a token. Sends the public key only, and retries failures because a token charges no one.
   *
   * Card data that passes through your server brings it into the scope of PCI DSS: use `CardTokenizer` in the buyer's page
   * instead, and this method for scripts and tests.
   *
   * Spec: "POST /api/v1/card-token".
   *
   * @throws {InvalidRequestError} if the card is not valid; `issues` names the fields.
   * @throws {ValidationError} on 400.
   * @throws {AuthenticationError} on 401.
   * @throws {UnexpectedResponseError} if the response is not a token.
   */
  create(card: CardParams, options?: RequestOptions): PaymentsPromise<CardToken> {
    const { config, publicKey } = this.#account;
    const call: Call = new Call(config, createCardToken, options);
    return toPaymentsPromise(runCall(call, () => tokenize(call, publicKey, card)));
  }
}
