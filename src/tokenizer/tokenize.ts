import { type Call, NOTHING_MORE } from "../core/call.ts";
import type { CallScope } from "../core/call-scope.ts";
import type { Connection } from "../core/connection.ts";
import { ConfigurationError } from "../core/errors/configuration-error.ts";
import { InvalidRequestError } from "../core/errors/invalid-request-error.ts";
import { type PaymentsPromise, promiseOf } from "../core/payments-promise.ts";
import type { RequestOptions } from "../core/request-options.ts";
import { runCall } from "../core/run-call.ts";
import { toIssues } from "../core/to-issues.ts";
import { type CardParams, cardFieldOf, readCard } from "../schemas/card-token-request.ts";
import { endpoints, PUBLIC_KEY_PARAMETER } from "../spec/endpoints.ts";
import type { CardToken } from "./card-token.ts";
import { readToken } from "./read-token.ts";

const endpoint = endpoints.createCardToken;

/** Turns a card into a token; the one way to do it, for the client and for the tokenizer. */
export function tokenize(
  connection: Connection,
  publicKey: string | undefined,
  card: CardParams,
  options: RequestOptions | undefined,
): PaymentsPromise<CardToken> {
  return promiseOf(runCall(connection, endpoint, options, (scope) => prepare(scope, publicKey, card)));
}

function prepare(scope: CallScope, publicKey: string | undefined, card: CardParams): Call<CardToken> {
  const context = scope.context("not_sent");
  const checked = readCard(card);
  if (!checked.ok) throw new InvalidRequestError(toIssues(checked.issues), context, "customer");
  if (publicKey === undefined) {
    throw new ConfigurationError(
      "There is no public key: give `publicKey`. PaymentsClient also reads PAYMENTS_PUBLIC_KEY.",
      context,
    );
  }
  const { number, cvv, holderName } = checked.value;
  return {
    ...NOTHING_MORE,
    authorization: undefined,
    query: new URLSearchParams({ [PUBLIC_KEY_PARAMETER]: publicKey }).toString(),
    body: JSON.stringify(checked.value),
    secrets: [publicKey, number, cvv, holderName],
    read: readToken,
    fieldOf: cardFieldOf,
  };
}
