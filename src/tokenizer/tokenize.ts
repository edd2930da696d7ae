import { ConfigurationError } from "../errors/configuration-error.ts";
import { InvalidRequestError } from "../errors/invalid-request-error.ts";
import { toIssues } from "../errors/issue.ts";
import { type Call, NOTHING_MORE } from "../http/call.ts";
import type { CallScope } from "../http/call-scope.ts";
import type { Connection } from "../http/connection.ts";
import type { RequestOptions } from "../http/request-options.ts";
import { type PaymentsPromise, promiseOf } from "../http/result.ts";
import { runCall } from "../http/run-call.ts";
import { endpoints, PUBLIC_KEY_PARAMETER } from "../spec/endpoints.ts";
import { type CardParams, cardFieldOf, readCard } from "./card.ts";
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
