import type {
  HandledPostback,
  PostbackDetails,
  PostbackKey,
  RecordedPostback,
} from "../../contracts/postback-store.ts";
import { type TransactionStatus, toTransactionStatus } from "../../spec/transaction-status.ts";
import { checkTransition, GIVEN_BACK_STATUSES } from "../../spec/transitions.ts";

/** Identifies a postback of an order. */
export type PostbackOfOrder = Pick<PostbackKey, "id" | "rawStatus" | "amount">;

export function isSamePostback(one: PostbackOfOrder, other: PostbackOfOrder): boolean {
  return one.id === other.id && one.rawStatus === other.rawStatus && one.amount === other.amount;
}

/** Whether a postback reported what the order's record shows: that a transaction was paid in full, or given back. */
export function isReported(
  paid: NonNullable<PostbackDetails["paid"]>,
  recorded: readonly RecordedPostback[],
): boolean {
  return recorded.some(({ id, rawStatus, amountMatches }) => {
    const status = toTransactionStatus(rawStatus);
    const isReport =
      (status === "approved" && amountMatches) || (paid.isGivenBack && GIVEN_BACK_STATUSES.has(status));
    return id === paid.id && isReport;
  });
}

/** Whether only a part of the amount was refunded or charged back: the rest is still paid. */
export function isPartialRefund(
  status: TransactionStatus,
  amount: number | undefined,
  wholeAmount: number | undefined,
): boolean {
  const isPart = amount !== undefined && wholeAmount !== undefined && amount < wholeAmount;
  return isPart && GIVEN_BACK_STATUSES.has(status);
}

/** The status of a transaction after one more postback. A late one, or one for a part of the amount, has no effect. */
function statusAfter(
  previous: TransactionStatus | undefined,
  { rawStatus, amount }: HandledPostback,
  wholeAmount: number,
): TransactionStatus | undefined {
  const next = toTransactionStatus(rawStatus);
  const isNewer = next !== "unrecognized" && checkTransition(previous, next) !== "regression";
  return isNewer && !isPartialRefund(next, amount, wholeAmount) ? next : previous;
}

/** The largest amount: postbacks for a part of it have a smaller one. */
export function wholeAmountOf(handled: readonly HandledPostback[]): number {
  return handled.reduce((most, { amount }) => Math.max(most, amount), 0);
}

/** The status of a transaction after all of these postbacks, oldest first. */
export function statusOf(
  handled: readonly HandledPostback[],
  wholeAmount = wholeAmountOf(handled),
): TransactionStatus | undefined {
  let status: TransactionStatus | undefined;
  for (const postback of handled) status = statusAfter(status, postback, wholeAmount);
  return status;
}

/**
 * @returns `firsts`: the first postback of each status. `decisive`: those, each that changed the status of the
 * transaction, and the largest amount.
 */
function findDecisive<Handled extends HandledPostback>(
  handled: readonly Handled[],
): { readonly firsts: ReadonlySet<Handled>; readonly decisive: ReadonlySet<Handled> } {
  const wholeAmount = wholeAmountOf(handled);
  const whole = handled.find(({ amount }) => amount === wholeAmount);
  const decisive = new Set(whole && [whole]);
  const firsts = new Map<TransactionStatus, Handled>();
  let status: TransactionStatus | undefined;
  for (const postback of handled) {
    const own = toTransactionStatus(postback.rawStatus);
    const next = statusAfter(status, postback, wholeAmount);
    if (!firsts.has(own)) firsts.set(own, postback);
    if (next !== status || firsts.get(own) === postback) decisive.add(postback);
    status = next;
  }
  return { firsts: new Set(firsts.values()), decisive };
}

/** Handled postbacks that a record keeps. A real order has only a few, and each one writes the record again. */
const MAX_HANDLED = 300;

/**
 * Forgets one of the handled postbacks of an order or of a transaction if there are too many; never the newest one. The
 * first that exists of:
 *
 * 1. The oldest postback that does not decide the status of its transaction.
 * 2. If every postback decides it, someone has invented the later ones, since a real transaction has only a few: of the
 *    transaction that has the most, the latest postback that repeats a status, and without which its status is the same.
 * 3. The latest postback before the newest that is not of the winner: a payment that was shipped is not forgotten.
 */
export function limitHandled<Handled extends PostbackOfOrder>(
  handled: readonly Handled[],
  winner?: number,
): readonly Handled[] {
  if (handled.length <= MAX_HANDLED) return handled;
  const transactions = [...Map.groupBy(handled, ({ id }) => id).values()];
  const decisive = new Set(transactions.flatMap((all) => [...findDecisive(all).decisive]));
  const older = handled.slice(0, -1);
  const longest = transactions.reduce((most, all) => (all.length > most.length ? all : most), []);
  const forgotten =
    older.find((postback) => !decisive.has(postback)) ??
    findRepeat(longest) ??
    older.findLast(({ id }) => id !== winner);
  return handled.filter((postback) => postback !== forgotten);
}

/** The latest postback of a transaction that repeats a status, and without which its status is the same. */
function findRepeat<Handled extends HandledPostback>(handled: readonly Handled[]): Handled | undefined {
  const { firsts } = findDecisive(handled);
  const status = statusOf(handled);
  const isNeeded = (postback: Handled) =>
    firsts.has(postback) || statusOf(handled.filter((other) => other !== postback)) !== status;
  return handled.slice(0, -1).findLast((postback) => !isNeeded(postback));
}
