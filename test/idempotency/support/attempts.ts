import type { ClaimedOrder, PostbackNews } from "payments-sdk/idempotency";

export type Status = Exclude<PostbackNews["status"], "unrecognized">;

/** The margin that the client adds to the timeout of a call. */
export const LEASE_MARGIN_MS = 30_000;

export interface Transaction {
  readonly id: number;
  status: Status;
  /** Every status that it has had. */
  readonly history: Status[];
  /** The statuses that were reported to the store. */
  readonly reported: Set<Status>;
}

/** A caller's attempt to create the payment. */
export interface Attempt {
  readonly order: ClaimedOrder;
  /** By the caller's own clock, read before the store is called. */
  leaseSince: number;
  phase: "claimed" | "sent" | "over";
  request: "none" | "inFlight" | "lost" | "accepted";
  transaction?: Transaction;
  /** A person reported that it charged no one, and was or may be wrong. */
  isWrittenOff: boolean;
  /** It was replaced: the code of its pix was assumed to be lost. */
  isReplaced: boolean;
  /** The code of its pix was recorded. */
  hasCode?: boolean;
}

/** The possible next statuses of each status. */
const NEXT: Readonly<Record<Status, readonly Status[]>> = {
  pending: ["processing", "approved", "expired", "cancelled"],
  processing: ["approved", "refused", "cancelled"],
  approved: ["refunded", "chargedback"],
  refused: [],
  cancelled: [],
  expired: ["approved"], // it was paid late
  refunded: [],
  chargedback: [],
};

/** The possible next statuses; a transaction that was paid late stays as it is, to keep the runs short. */
function listNext(transaction: Transaction): readonly Status[] {
  return isPaidLate(transaction) ? [] : NEXT[transaction.status];
}

export function isFinal(transaction: Transaction): boolean {
  return listNext(transaction).length === 0;
}

/** Moves a transaction to its next status; `nth` chooses one. */
export function move(transaction: Transaction, nth: number): void {
  const next = listNext(transaction);
  const status = next[nth % next.length];
  if (status === undefined) return;
  transaction.status = status;
  transaction.history.push(status);
}

/** Whether it expired before it was paid: no one can know that until it is reported. */
export function isPaidLate({ history }: Transaction): boolean {
  return history.includes("expired") && history.includes("approved");
}

/** Whether it has charged the customer, or may do so. */
export function mayCharge({ request, transaction }: Pick<Attempt, "request" | "transaction">): boolean {
  if (request === "inFlight") return true;
  const { status } = transaction ?? {};
  return status !== undefined && status !== "refused" && status !== "expired" && status !== "cancelled";
}
