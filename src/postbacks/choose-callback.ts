import type { OrderRecord } from "../contracts/idempotency-store.ts";
import type { OrderPostbacks, RecordedPostback } from "../contracts/postback-store.ts";
import { isSamePostback, statusOf } from "../idempotency/postbacks/postback-history.ts";
import { type TransactionStatus, toTransactionStatus } from "../spec/transaction-status.ts";
import {
  checkTransition,
  GIVEN_BACK_STATUSES,
  UNCHARGED_STATUSES,
  UNDECIDED_STATUSES,
} from "../spec/transitions.ts";
import type { ReviewReason } from "./handler-options.ts";
import type { Postback } from "./parse-postback.ts";

/** Which callback a postback calls. */
export type ChosenCallback =
  | { readonly name: "onPostback" | "onPaid" | "onNotPaid" | "onReturned" }
  | { readonly name: "onReview"; readonly reason: ReviewReason }
  /** None. `isOtherReturned`: money was given back that is not the payment of the order. */
  | { readonly name: undefined; readonly isOtherReturned?: boolean };

/** What decides about a signed postback. */
export interface OrderFacts {
  readonly amountMatches: boolean | undefined;
  /** With the postback itself, if it was recorded. */
  readonly order: OrderPostbacks;
  /** The order's record in the store, if there is one. */
  readonly record: OrderRecord | undefined;
}

export const NONE: ChosenCallback = { name: undefined };

/**
 * Chooses the named callback of a signed postback, by everything that is known about its order when it runs: a retry may be
 * older than postbacks that were handled since.
 */
export function chooseCallback(postback: Postback, facts: OrderFacts): ChosenCallback {
  const { status } = postback;
  if (status === "unrecognized") return review("unrecognized_status");
  const history = readHistory(postback, facts.order);
  if (history.isRepeated) return NONE;
  if (GIVEN_BACK_STATUSES.has(status)) return chooseForReturn(postback, facts, history);
  if (status === "approved") return chooseForPayment(postback, facts, history);
  if (UNCHARGED_STATUSES.has(status)) return chooseForEnd(postback, facts, history);
  return NONE; // pending or processing
}

export function review(reason: ReviewReason): ChosenCallback {
  return { name: "onReview", reason };
}

/** The other postbacks of the transaction. */
interface History {
  /** One with the same status and amount was handled, in another spelling. */
  readonly isRepeated: boolean;
  /** In the order in which they arrived. */
  readonly earlier: readonly RecordedPostback[];
  readonly later: readonly RecordedPostback[];
}

function readHistory(postback: Postback, order: OrderPostbacks) {
  const ofTransaction = order.recorded.filter((other) => other.id === postback.id);
  const own = ofTransaction.findIndex((other) => isSamePostback(other, postback)); // it is open
  const isRepeated = ofTransaction.some(
    (other) => !other.isOpen && other.amount === postback.amount && hasStatus(other, postback.status),
  );
  const end = own === -1 ? ofTransaction.length : own;
  return { isRepeated, earlier: ofTransaction.slice(0, end), later: ofTransaction.slice(end + 1) };
}

/** The money was given back, or a part of it. */
function chooseForReturn(
  { id }: Postback,
  { order, record }: OrderFacts,
  { earlier }: History,
): ChosenCallback {
  // The shop may ship a card that was approved at once when its create call returns, before there is a postback.
  const isPaidAtOnce =
    order.winner === undefined && record?.paymentMethod === "credit_card" && record.transactionId === id;
  if (order.winner === id || isPaidAtOnce) return { name: "onReturned" };
  const before = statusOf(earlier);
  const wasUncharged = before !== undefined && UNCHARGED_STATUSES.has(before);
  return wasUncharged ? review("unclear_transition") : { name: undefined, isOtherReturned: true };
}

function chooseForPayment(
  { id }: Postback,
  { amountMatches, order, record }: OrderFacts,
  { earlier, later }: History,
): ChosenCallback {
  if (amountMatches !== true) return review("amount_differs");
  if (order.winner !== undefined && order.winner !== id) return review("paid_twice");
  // Of what arrived later, `expired` is late: the pix was paid in time.
  const isEnded =
    earlier.some(endsPayment) || later.some((other) => endsPayment(other) && !hasStatus(other, "expired"));
  if (isEnded) return review("unclear_transition");
  if (record === undefined) return { name: "onPaid" };
  // Paid without a postback: a card that was approved at once, or an order that a person resolved.
  const isPaidOtherwise = listPaid(record).some(
    (paidId) =>
      paidId !== id && !order.recorded.some((other) => other.id === paidId && hasStatus(other, "approved")),
  );
  if (isPaidOtherwise) return review("paid_twice");
  return isStillPaid(record, id) ? { name: "onPaid" } : review("unclear_transition");
}

/** Whether a postback says that the money was given back or never paid. */
function endsPayment({ rawStatus, amountMatches }: RecordedPostback): boolean {
  const status = toTransactionStatus(rawStatus);
  return GIVEN_BACK_STATUSES.has(status) || (UNCHARGED_STATUSES.has(status) && amountMatches);
}

function hasStatus({ rawStatus }: RecordedPostback, status: TransactionStatus): boolean {
  return toTransactionStatus(rawStatus) === status;
}

/** The transactions of an order that are approved. */
function listPaid({ transactionId, transaction, possibleDuplicates }: OrderRecord): readonly unknown[] {
  const others = possibleDuplicates.filter(({ status }) => status === "approved").map(({ id }) => id);
  return transaction?.status === "approved" ? [transactionId, ...others] : others;
}

/** Whether the record agrees that a transaction is paid. A person may have recorded something else. */
function isStillPaid({ transactionId, transaction, possibleDuplicates }: OrderRecord, id: number): boolean {
  if (transactionId !== id)
    return possibleDuplicates.some((other) => other.id === id && other.status === "approved");
  const { status = "approved" } = transaction ?? {};
  return status === "approved" || UNDECIDED_STATUSES.has(status);
}

/** The transaction was refused, cancelled, or has expired. */
function chooseForEnd(
  { id, status }: Postback,
  { amountMatches, order, record }: OrderFacts,
  { earlier, later }: History,
): ChosenCallback {
  if (amountMatches !== true) return review("amount_differs");
  const before = statusOf(earlier);
  const transition = checkTransition(before, status);
  const isKnown = before !== undefined && UNCHARGED_STATUSES.has(before);
  if (transition === "unclear" && !isKnown) return review("unclear_transition");
  if (transition !== "advance" || later.some((other) => hasStatus(other, "approved"))) return NONE;
  const isPaidOrPayable =
    order.winner !== undefined ||
    listOtherStatuses(order, id).some((other) => other === "approved" || UNDECIDED_STATUSES.has(other)) ||
    (record !== undefined && (record.state !== "free" || record.possibleDuplicates.length > 0));
  return isPaidOrPayable ? NONE : { name: "onNotPaid" };
}

/** The status of each other transaction of the order. */
function listOtherStatuses(order: OrderPostbacks, id: number): readonly TransactionStatus[] {
  const ids = new Set(order.recorded.map((other) => other.id).filter((otherId) => otherId !== id));
  return [...ids].map((otherId) => {
    const statuses = order.recorded.filter((other) => other.id === otherId);
    return statusOf(statuses) ?? "unrecognized";
  });
}
