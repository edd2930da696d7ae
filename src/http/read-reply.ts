import { parseIfJson } from "../data/exact-json.ts";
import { isRecord, own, ownCopy } from "../data/own.ts";
import type { Redactor } from "../data/redactor.ts";
import { ApiError } from "../errors/api-error.ts";
import { listIssues } from "../errors/issue.ts";
import { type Salvage, UnexpectedResponseError } from "../errors/unexpected-response-error.ts";
import type { Transaction } from "../resources/transactions/transaction.ts";
import type { Call, Deviate } from "./call.ts";
import type { CallScope } from "./call-scope.ts";
import { issuesOf } from "./parse-issues.ts";
import { type Answer, forError } from "./response.ts";
import { attachRawBody } from "./result.ts";

/**
 * The result that a 2xx carries.
 *
 * @throws {ApiError} where the body says `success: false`.
 * @throws {UnexpectedResponseError} where the body cannot be used; with the transaction's id, where one
 *   could still be read.
 */
export function readReply<Data>(
  scope: CallScope,
  call: Call<Data>,
  answer: Answer,
  redactorOf: () => Redactor,
  deviate: Deviate,
): Data {
  const unusable = (found: Salvage) => {
    const salvage = ownCopy(found, ["transactionId", "transaction"]);
    const redactor = redactorOf();
    const context = scope.context(salvage.transactionId === undefined ? "unknown" : "created");
    return new UnexpectedResponseError(
      forError(answer, redactor),
      withoutSecrets(salvage, redactor),
      context,
    );
  };
  const salvageText = (message: string): Salvage => ({
    issues: [{ field: "", message }],
    transactionId: call.rescueId?.(answer.text),
  });

  const { endpoint } = scope;
  if (answer.cut) throw unusable(salvageText("the body is too long"));
  const body = endpoint.reply === "text" ? answer.text : parseIfJson(answer.text);
  if (body === undefined) throw unusable(salvageText(describeText(answer.text)));
  if (endpoint.reply === "json" && isRecord(body) && own(body, "success") === false) {
    throw refusal(scope, call, answer, body, redactorOf());
  }
  const reading = call.read(body, deviate, redactorOf);
  if (!reading.ok) throw unusable(reading);
  return reading.data;
}

/** An error may be logged, so the transaction in it is without its postback URL. */
function withoutSecrets({ transaction, ...salvage }: Salvage, redactor: Redactor): Salvage {
  if (transaction === undefined) return salvage;
  const { postBackUrl: _, ...shown } = transaction;
  const clean = redactor.data(shown) as Transaction;
  return { ...salvage, transaction: attachRawBody(clean, redactor.data(transaction.raw)) };
}

/** What a body that is not JSON is instead. */
function describeText(text: string): string {
  if (text.trim() === "") return "the body is empty";
  return /^\s*</.test(text) ? "the body is a page, not JSON" : "the body is not JSON";
}

function refusal(
  scope: CallScope,
  call: Call<unknown>,
  answer: Answer,
  body: unknown,
  redactor: Redactor,
): ApiError {
  const id = call.rescueId?.(answer.text);
  const said = issuesOf(body, redactor);
  const detail = said.length === 0 ? "" : `: ${listIssues(said)}`;
  const context = scope.context(id === undefined ? "unknown" : "created");
  return new ApiError(
    `The service answered ${answer.status}, but with success: false${detail}.`,
    { ...forError(answer, redactor), transactionId: id },
    context,
    "service",
  );
}
