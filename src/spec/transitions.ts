import type { TransactionStatus } from "./transaction-status.ts";

type NamedStatus = Exclude<TransactionStatus, "unrecognized">;

/** What each next status means, given the current one. A status in neither list is `unclear`. */
interface NextStatuses {
  /** The transaction moved forward. */
  readonly advance: readonly NamedStatus[];
  /** The transaction has already left this status: the notification is late. */
  readonly regression: readonly NamedStatus[];
}

const OPEN = ["pending", "processing"] as const;
const UNPAID = [...OPEN, "expired"] as const;
const GIVEN_BACK = ["refunded", "chargedback"] as const;

/** The transaction may still be paid. `unrecognized` can be any status, so it is included. */
export const UNDECIDED_STATUSES: ReadonlySet<TransactionStatus> = new Set([...OPEN, "unrecognized"]);

/** The customer was not charged, and never will be. */
export const UNCHARGED_STATUSES: ReadonlySet<TransactionStatus> = new Set([
  "refused",
  "cancelled",
  "expired",
]);

/** The customer got the money back, or a part of it. */
export const GIVEN_BACK_STATUSES: ReadonlySet<TransactionStatus> = new Set(GIVEN_BACK);

/** The next statuses of each status. Most are assumptions: see {@link checkTransition}. */
export const TRANSITIONS: Readonly<Record<NamedStatus, NextStatuses>> = {
  pending: {
    // A notification in between may be lost: a refunded transaction was approved before.
    advance: ["processing", "approved", "refused", "cancelled", "expired", ...GIVEN_BACK],
    regression: [],
  },
  processing: { advance: ["approved", "refused", "cancelled", ...GIVEN_BACK], regression: ["pending"] },
  approved: { advance: GIVEN_BACK, regression: UNPAID },
  refused: { advance: [], regression: OPEN },
  cancelled: { advance: [], regression: OPEN },
  expired: { advance: [], regression: OPEN },
  refunded: { advance: [], regression: [...UNPAID, "approved"] },
  chargedback: { advance: [], regression: UNPAID },
};

/**
 * What a new status means for a transaction, given its last known status.
 *
 * - `advance`: the transaction moved forward. Act on it.
 * - `repeat`: the status is the last known one. Another partial refund can repeat it with another amount.
 * - `regression`: an older status that arrives late. Keep the last known status.
 * - `unclear`: a transition that the specification does not show. Check it with the service.
 */
export type Transition = "advance" | "repeat" | "regression" | "unclear";

/**
 * Compares the status of a postback with the last known status. Postbacks can arrive twice, late or out of
 * order: a `pending` that arrives after `approved` must not mark a paid order as unpaid.
 *
 * The specification states two transitions, both of a pix: from `pending` to `approved` and to `expired`. The others are
 * assumptions, listed in docs/postbacks.md. A status that is not in the specification is always `unclear`.
 *
 * Spec: "States and transitions".
 *
 * @param from - The last known status. If none is known, every named status is an `advance`.
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

function isNamed(status: TransactionStatus): status is NamedStatus {
  return Object.hasOwn(TRANSITIONS, status);
}
