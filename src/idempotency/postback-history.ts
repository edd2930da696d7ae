import { checkTransition } from "../core/check-transition.ts";
import { readStatus } from "../schemas/transaction-status.ts";
import { GIVEN_BACK_STATUSES } from "../spec/transitions.ts";
import type { TransactionStatus } from "../spec/values.ts";
import type { HandledPostback } from "./postback-contract.ts";

/** The status of a transaction after one more postback. One that came late, or is about a part, does not count. */
export function statusAfter(
  previous: TransactionStatus | undefined,
  { rawStatus, amount }: HandledPostback,
  wholeAmount: number,
): TransactionStatus | undefined {
  const next = readStatus(rawStatus);
  // What was given back in part is still paid for the rest.
  const isOfAPart = amount < wholeAmount && GIVEN_BACK_STATUSES.has(next);
  const counts = next !== "unrecognized" && checkTransition(previous, next) !== "regression";
  return counts && !isOfAPart ? next : previous;
}

/** The largest amount: postbacks about a part have a smaller one. */
export function wholeAmountOf(handled: readonly HandledPostback[]): number {
  return handled.reduce((most, { amount }) => Math.max(most, amount), 0);
}

/** Adds a handled postback; of more than `most`, the oldest that decides nothing is forgotten. */
export function remember(
  handled: readonly HandledPostback[],
  { rawStatus, amount }: HandledPostback,
  most: number,
): readonly HandledPostback[] {
  const all = [...handled, { rawStatus, amount }];
  if (all.length <= most) return all;
  const decisive = decisiveOf(all);
  const oldest = all.findIndex((postback) => !decisive.has(postback));
  // If all decide, the later ones are made up: a real transaction has a handful.
  return all.toSpliced(oldest === -1 ? all.length - 2 : oldest, 1);
}

/** Those that changed the status of the transaction, and the first of each status. */
export function decisiveOf<Handled extends HandledPostback>(
  handled: readonly Handled[],
): ReadonlySet<Handled> {
  const wholeAmount = wholeAmountOf(handled);
  const decisive = new Set<Handled>();
  const statuses = new Set<TransactionStatus>();
  let status: TransactionStatus | undefined;
  for (const postback of handled) {
    const own = readStatus(postback.rawStatus);
    const next = statusAfter(status, postback, wholeAmount);
    if (next !== status || !statuses.has(own)) decisive.add(postback);
    statuses.add(own);
    status = next;
  }
  return decisive;
}
