import { TRANSITIONS } from "../spec/transitions.ts";
import type { TransactionStatus } from "../spec/values.ts";

/**
 * What a status says of a transaction, given the one before.
 *
 * - `advance`: further on its way; act on it.
 * - `repeat`: what is known already. A refund of a part may repeat with another amount.
 * - `regression`: an older status that came late; keep what is known.
 * - `unclear`: the specification shows no such move; let a person look.
 */
export type Transition = "advance" | "repeat" | "regression" | "unclear";

/**
 * Compares the status of a postback with the last known one, because postbacks may come twice, late or out of
 * order: a `pending` that comes after `approved` must not un-pay an order.
 *
 * The specification states two moves, from `pending` to `approved` and to `expired`; the others are our reading
 * of it, listed in docs/postbacks.md. A status that the specification does not name is always `unclear`.
 *
 * Spec: "States and transitions".
 *
 * @param from - The last known status; where none is known, the first one that is named is an `advance`.
 */
export function checkTransition(
  from: TransactionStatus | null | undefined,
  to: TransactionStatus,
): Transition {
  if (!isNamed(to)) return "unclear";
  if (from === undefined || from === null) return "advance";
  if (!isNamed(from)) return "unclear";
  if (from === to) return "repeat";
  const { advance, regression } = TRANSITIONS[from];
  if (advance.includes(to)) return "advance";
  return regression.includes(to) ? "regression" : "unclear";
}

function isNamed(status: TransactionStatus): status is keyof typeof TRANSITIONS {
  return Object.hasOwn(TRANSITIONS, status);
}
