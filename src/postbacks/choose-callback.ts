import type { OrderRecord } from "../contracts/idempotency-store.ts";
import type { OrderPostbacks, PostbackDetails, RecordedPostback } from "../contracts/postback-store.ts";
import { isReported, isSamePostback, statusOf } from "../idempotency/postbacks/postback-history.ts";
import { type TransactionStatus, toTransactionStatus } from "../spec/transaction-status.ts";
import {
  checkTransition,
  GIVEN_BACK_STATUSES,
  UNCHARGED_STATUSES,
  UNDECIDED_STATUSES,
} from "../spec/transitions.ts";
import type { ReviewReason } from "./handler-options.ts";
import type { Postback } from "./parse-postback.ts";

export type ChosenCallback =
  | { readonly name: "onPostback" | "onPaid" | "onNotPaid" | "onReturned" }
  | { readonly name: "onReview"; readonly reason: ReviewReason }
  /** None. `isOtherReturned`: money was given back that is not the payment of the order. `isTooEarly`: none yet. */
  | { readonly name: undefined; readonly isOtherReturned?: boolean; readonly isTooEarly?: boolean };

export interface OrderFacts {
  readonly amountMatches: boolean | undefined;
  /** With the postback itself, if it was recorded. */
  readonly order: OrderPostbacks;
  /**
   * The order's record in the store, if there is one. Without the postback itself, unless that says that the payment was
   * not made.
   */
  readonly record: OrderRecord | undefined;
}

const NONE: ChosenCallback = { name: undefined };

/**
 * Chooses the named callback of a signed postback, by everything that is known about its order when it runs: a retry may be
 * older than postbacks that were handled since.
 */
export function chooseCallback(postback: Postback, facts: OrderFacts): ChosenCallback {
  const { status } = postback;
  if (status === "unrecognized") return review("unrecognized_status");
  const history = readHistory(postback, facts);
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
  /** The order's record contradicted the postback. */
  readonly isContradicted: boolean;
  /** One with the same status and amount was handled, in another spelling. */
  readonly isRepeated: boolean;
  /** In the order in which they arrived. */
  readonly earlier: readonly RecordedPostback[];
  readonly later: readonly RecordedPostback[];
}

function readHistory(postback: Postback, { order, record }: OrderFacts): History {
  const ofTransaction = order.recorded.filter((other) => other.id === postback.id);
  const own = ofTransaction.findIndex((other) => isSamePostback(other, postback)); // it is open
  const isRepeated = ofTransaction.some(
    (other) => !other.isOpen && other.amount === postback.amount && hasStatus(other, postback.status),
  );
  const end = own === -1 ? ofTransaction.length : own;
  const [earlier, later] = [ofTransaction.slice(0, end), ofTransaction.slice(end + 1)];
  const isContradicted = ofTransaction[own]?.contradictsRecord === true || contradicts(record, postback);
  return { isContradicted, isRepeated, earlier, later };
}

/** Whether the order's record has no final status of a transaction. */
export function isUndecided(record: OrderRecord, id: number): boolean {
  if (record.transactionId !== id) return record.unchargedIds?.includes(id) !== true;
  return UNDECIDED_STATUSES.has(record.transaction?.status ?? "unrecognized");
}

/** Whether the order's record says something else about a transaction, for example because a person recorded it. */
export function contradicts(record: OrderRecord | undefined, { id, status }: Postback): boolean {
  if (record?.unchargedIds?.includes(id) === true) return !UNCHARGED_STATUSES.has(status);
  const known = record?.transactionId === id ? record.transaction?.status : undefined;
  if (known === undefined || UNDECIDED_STATUSES.has(known)) return false;
  const transition = checkTransition(known, status);
  return transition === "unclear" || (transition === "regression" && status === "approved");
}

/** The transaction that the order's record shows as paid in full; also if the money was given back since. */
export function findPaid(record: OrderRecord | undefined): PostbackDetails["paid"] {
  const { amount, transactionId: id, transaction } = record ?? {};
  if (transaction === undefined || typeof id !== "number") return undefined;
  const isPaid =
    transaction.status === "approved" && (transaction.paidAmount || transaction.amount) === amount;
  const isGivenBack = GIVEN_BACK_STATUSES.has(transaction.status);
  return isPaid || isGivenBack ? { id, isGivenBack } : undefined;
}

/** Another transaction that paid for the order: with a postback, or without one, such as a card that was approved at once. */
function findOtherPaid(id: number, { order, record }: OrderFacts): number | string | undefined {
  const paid = findPaid(record);
  if (paid !== undefined && paid.id !== id && !isReported(paid, order.recorded)) return paid.id;
  const duplicate = record?.possibleDuplicates.find(
    (other) =>
      other.status === "approved" &&
      other.id !== id &&
      !order.recorded.some((past) => past.id === other.id && hasStatus(past, "approved")),
  );
  return duplicate?.id ?? (order.winner === id ? undefined : order.winner);
}

function chooseForReturn(
  { id }: Postback,
  { order }: OrderFacts,
  { isContradicted, earlier }: History,
): ChosenCallback {
  if (order.winner === id) return { name: "onReturned" };
  const before = statusOf(earlier);
  const wasUncharged = isContradicted || (before !== undefined && UNCHARGED_STATUSES.has(before));
  // Without a winner, nothing says that the money was ever paid.
  const isUnclear = wasUncharged || order.winner === undefined;
  return isUnclear ? review("unclear_transition") : { name: undefined, isOtherReturned: true };
}

function chooseForPayment(
  { id }: Postback,
  facts: OrderFacts,
  { isContradicted, earlier, later }: History,
): ChosenCallback {
  if (facts.amountMatches !== true) return review("amount_differs");
  const otherPaid = findOtherPaid(id, facts);
  if (otherPaid !== undefined) {
    // A person recorded that the other one was not paid after all.
    const isDisputed = facts.record?.unchargedIds?.includes(otherPaid) === true;
    return review(isDisputed ? "unclear_transition" : "paid_twice");
  }
  // Of what arrived later, `expired` is late: the pix was paid in time.
  const isLate = later.some((other) => hasStatus(other, "expired"));
  const isEnded =
    earlier.some(endsPayment) || later.some((other) => endsPayment(other) && !hasStatus(other, "expired"));
  return isEnded || (isContradicted && !isLate) ? review("unclear_transition") : { name: "onPaid" };
}

/** Whether a postback says that the money was given back or never paid. */
function endsPayment({ rawStatus, amountMatches }: RecordedPostback): boolean {
  const status = toTransactionStatus(rawStatus);
  return GIVEN_BACK_STATUSES.has(status) || (UNCHARGED_STATUSES.has(status) && amountMatches);
}

function hasStatus({ rawStatus }: RecordedPostback, status: TransactionStatus): boolean {
  return toTransactionStatus(rawStatus) === status;
}

function chooseForEnd(
  { id, status }: Postback,
  { amountMatches, order, record }: OrderFacts,
  { isContradicted, earlier, later }: History,
): ChosenCallback {
  if (amountMatches !== true) return review("amount_differs");
  const before = statusOf(earlier);
  const transition = checkTransition(before, status);
  const isKnown = before !== undefined && UNCHARGED_STATUSES.has(before);
  if (isContradicted || (transition === "unclear" && !isKnown)) return review("unclear_transition");
  if (transition !== "advance" || later.some((other) => hasStatus(other, "approved"))) return NONE;
  const others = Map.groupBy(order.recorded, (other) => other.id);
  others.delete(id);
  const statuses = [...others.values()].map((postbacks) => statusOf(postbacks) ?? "unrecognized");
  const mayBePaid = statuses.some((other) => other === "approved" || UNDECIDED_STATUSES.has(other));
  if (order.winner !== undefined || mayBePaid) return NONE;
  if (record === undefined) return { name: "onNotPaid" };
  // Most likely it is the transaction of the call in flight, whose response may get lost.
  const isInFlight = record.state === "claimed" && !record.earlierIds.includes(id);
  if (isInFlight) return { name: undefined, isTooEarly: true };
  return record.state === "free" && record.possibleDuplicates.length === 0 ? { name: "onNotPaid" } : NONE;
}
