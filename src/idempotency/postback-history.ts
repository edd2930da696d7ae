import { checkTransition, GIVEN_BACK_STATUSES } from "../spec/transitions.ts";
import type { TransactionStatus } from "../spec/values.ts";
import { readStatus } from "../spec/values.ts";
import type { HandledPostback } from "./postback-contract.ts";

/** The status of a transaction after one more postback. One that came late, or is about a part, does not count. */
function statusAfter(
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

/** The status of a transaction after all of these, oldest first. */
export function statusOf(
  handled: readonly HandledPostback[],
  wholeAmount = wholeAmountOf(handled),
): TransactionStatus | undefined {
  let status: TransactionStatus | undefined;
  for (const postback of handled) status = statusAfter(status, postback, wholeAmount);
  return status;
}

/** Adds a handled postback; of more than `most`, one is forgotten. */
export function remember(
  handled: readonly HandledPostback[],
  { rawStatus, amount }: HandledPostback,
  most: number,
): readonly HandledPostback[] {
  const all = [...handled, { rawStatus, amount }];
  if (all.length <= most) return all;
  const forgotten = leastOf(all) ?? all.at(-2);
  return all.filter((postback) => postback !== forgotten);
}

/**
 * Of the handled postbacks of a transaction, the oldest that decides nothing. If all decide, the later ones are made up,
 * since a real transaction has a handful: the latest change of its status that is not the first to that status. Never
 * the newest, and `undefined` if there is nothing else.
 */
export function leastOf<Handled extends HandledPostback>(handled: readonly Handled[]): Handled | undefined {
  const { firsts, decisive } = decisiveOf(handled);
  const old = handled.slice(0, -1);
  const status = statusOf(handled);
  return (
    old.find((postback) => !decisive.has(postback)) ??
    old.findLast(
      (postback) =>
        !firsts.has(postback) && statusOf(handled.filter((other) => other !== postback)) === status,
    )
  );
}

/** The first of each status; and besides them those that changed the status of the transaction, and the largest amount. */
export function decisiveOf<Handled extends HandledPostback>(
  handled: readonly Handled[],
): { readonly firsts: ReadonlySet<Handled>; readonly decisive: ReadonlySet<Handled> } {
  const wholeAmount = wholeAmountOf(handled);
  const whole = handled.find(({ amount }) => amount === wholeAmount);
  const decisive = new Set(whole && [whole]);
  const firsts = new Map<TransactionStatus, Handled>();
  let status: TransactionStatus | undefined;
  for (const postback of handled) {
    const own = readStatus(postback.rawStatus);
    const next = statusAfter(status, postback, wholeAmount);
    if (!firsts.has(own)) firsts.set(own, postback);
    if (next !== status || firsts.get(own) === postback) decisive.add(postback);
    status = next;
  }
  return { firsts: new Set(firsts.values()), decisive };
}
