import { type PartialResult, UnexpectedResponseError } from "../../../errors/api-errors.ts";
import { IdempotencyStoreError } from "../../../errors/idempotency-errors.ts";
import type { Issue } from "../../../errors/issue.ts";
import type { Outcome } from "../../../errors/payments-error.ts";
import { sanitizeError } from "../../../errors/sanitize-error.ts";
import type { Call } from "../../../http/call.ts";
import { endpoints } from "../../../spec/endpoints.ts";

/** Describes this call only, because an earlier call for the same reference may have sent a request. */
export const NOT_SENT_BY_THIS_CALL = { consequence: "Nothing was sent by this call." };

/** What an error of a store says about the charge. */
export interface StoreErrorDetails {
  readonly outcome: Exclude<Outcome, "not_applicable">;
  readonly consequence?: string | undefined;
  readonly transactionId?: number | string | undefined;
}

/** The error of a store that failed, in a call that sent nothing unless `details` says otherwise. */
export function storeError(
  call: Call,
  problem: string,
  error?: unknown,
  { outcome, consequence, transactionId }: StoreErrorDetails = { outcome: "not_sent" },
): IdempotencyStoreError {
  const cause = error === undefined ? undefined : sanitizeError(error, call.redactor);
  const reason = cause?.message ? `: ${cause.message.replace(/\.$/, "")}` : "";
  const sentence = outcome === "not_sent" ? NOT_SENT_BY_THIS_CALL.consequence : consequence;
  const context = { ...call.context(outcome), cause, consequence: sentence };
  return new IdempotencyStoreError(`The idempotency store ${problem}${reason}.`, context, transactionId);
}

/** The error of a call whose lease could end before the call does: others would then assume that it crashed. */
export function leaseTooShort(call: Call): IdempotencyStoreError {
  return storeError(call, "granted a lease that may end before this call does");
}

/** The status of a response that created a transaction. Spec: "POST /api/v1/transactions". */
export const [CREATED_STATUS] = endpoints.createTransaction.statuses;

/** The error of a call whose transaction exists, but cannot be returned. */
export function createdError(
  call: Call,
  problem: string,
  issue: Issue,
  { consequence, ...partial }: Omit<PartialResult, "issues"> & { readonly consequence?: string | undefined },
): UnexpectedResponseError {
  const response = { status: CREATED_STATUS, headers: new Headers(), requestId: undefined, body: "" };
  const context = { ...call.context("created"), consequence };
  return new UnexpectedResponseError(response, { issues: [issue], ...partial }, context, problem);
}
