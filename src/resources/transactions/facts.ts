import type { Transaction } from "../../contracts/transaction.ts";
import { toInteger } from "../../data/json.ts";
import { isRecord, ownProperty } from "../../data/own-properties.ts";
import type { Call } from "../../http/call.ts";
import type { ReceivedFacts, SentFacts } from "../../http/events.ts";
import { isCnpj } from "../../spec/check-digits.ts";
import { SPELLED_STATUSES, STATUS_WORD } from "../../spec/transaction-status.ts";
import { CONTESTED_PIX_FIELDS } from "../../spec/values.ts";
import type { TransactionRequest } from "./create-request.ts";

/** Fields of a response that only one example of the specification has. */
const RARE_FIELDS = ["metadata", "postBackUrl", "customer.externalRef"] as const;

/** The paths at which an object has no value. */
function missingFrom(object: unknown, paths: readonly string[]): string[] {
  return paths.filter((path) => {
    let value = object;
    for (const name of path.split(".")) value = isRecord(value) ? ownProperty(value, name) : undefined;
    return value === undefined || value === null;
  });
}

/** What the events about a request say of it. */
export function factsOfRequest(request: TransactionRequest) {
  const { paymentMethod, amount, customer } = request;
  const { type, number } = customer.document;
  const fields = CONTESTED_PIX_FIELDS.filter((path) => paymentMethod === "pix" || !path.startsWith("pix."));
  const hasCnpjLetters = type === "cnpj" && /[a-z]/i.test(number) && isCnpj(number);
  const notSent = missingFrom(request, fields);
  return { paymentMethod, amount, notSent, ...(hasCnpjLetters && { hasCnpjLetters }) } satisfies SentFacts;
}

/** What the `result` event says of a transaction. Text and numbers of the service may repeat secrets. */
export function factsOfTransaction(call: Call, transaction: Transaction): ReceivedFacts {
  const { id: transactionId, status, rawStatus = "", raw } = transaction;
  const body = isRecord(raw) ? raw : {};
  const data = ownProperty(body, "data");
  const envelopeStatus = toInteger(ownProperty(body, "status")) ?? -1;
  const isWord =
    SPELLED_STATUSES.has(rawStatus) ||
    (STATUS_WORD.test(rawStatus) && call.redactor.text(rawStatus) === rawStatus);
  return {
    transactionId,
    status,
    ...(isWord && { rawStatus }),
    ...(isRecord(data) && { notReturned: missingFrom(data, RARE_FIELDS) }),
    ...(envelopeStatus >= 0 && envelopeStatus <= 999 && { envelopeStatus }),
  };
}
