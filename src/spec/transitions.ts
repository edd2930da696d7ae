import type { TransactionStatus } from "./values.ts";

type NamedStatus = Exclude<TransactionStatus, "unrecognized">;

interface Moves {
  /** Further on the way of a transaction. */
  readonly advance: readonly NamedStatus[];
  /** Back to where it has been: a notification that came late. */
  readonly regression: readonly NamedStatus[];
}

const NOT_YET_DECIDED = ["pending", "processing"] as const;
const NOT_PAID_IN_TIME = [...NOT_YET_DECIDED, "expired"] as const;
const GIVEN_BACK = ["refunded", "chargedback"] as const;

/** Of a transaction that may still be paid; one that nobody can read may be anything. */
export const UNDECIDED_STATUSES: ReadonlySet<TransactionStatus> = new Set([
  ...NOT_YET_DECIDED,
  "unrecognized",
]);

/** Of a transaction that charges nobody, and never will. */
export const UNCHARGED_STATUSES: ReadonlySet<TransactionStatus> = new Set([
  "refused",
  "cancelled",
  "expired",
]);

/** Of a transaction whose money was given back, which may be a part of it. */
export const GIVEN_BACK_STATUSES: ReadonlySet<TransactionStatus> = new Set(GIVEN_BACK);

/**
 * What a new status says of a transaction, given the last one. What is in neither list is unclear.
 *
 * The specification states two of these moves, from `pending` to `approved` and to `expired`; the others are ours.
 *
 * Spec: "States and transitions".
 */
export const TRANSITIONS: Readonly<Record<NamedStatus, Moves>> = {
  pending: {
    // Some on the way may have been lost: what was refunded had been approved.
    advance: ["processing", "approved", "refused", "cancelled", "expired", ...GIVEN_BACK],
    regression: [],
  },
  processing: { advance: ["approved", "refused", "cancelled", ...GIVEN_BACK], regression: ["pending"] },
  approved: { advance: GIVEN_BACK, regression: NOT_PAID_IN_TIME },
  refused: { advance: [], regression: NOT_YET_DECIDED },
  cancelled: { advance: [], regression: NOT_YET_DECIDED },
  expired: { advance: [], regression: NOT_YET_DECIDED },
  refunded: { advance: [], regression: [...NOT_PAID_IN_TIME, "approved"] },
  chargedback: { advance: [], regression: NOT_PAID_IN_TIME },
};

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
