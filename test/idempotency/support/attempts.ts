import type { ClaimedOrder, PostbackNews } from "payments-sdk/idempotency";

export type Status = Exclude<PostbackNews["status"], "unrecognized">;

/** What the guard adds to the timeout of a call. */
export const LEASE_MARGIN_MS = 30_000;

export interface Transaction {
  readonly id: number;
  status: Status;
  /** All that it ever was. */
  readonly said: Status[];
  /** What the store was told of it. */
  readonly told: Set<Status>;
}

/** Somebody's try to create the payment. */
export interface Attempt {
  readonly order: ClaimedOrder;
  /** By the caller's own clock, which is asked before the store is. */
  leaseSince: number;
  phase: "claimed" | "sent" | "over";
  request: "none" | "flying" | "lost" | "taken";
  transaction?: Transaction;
  /** A person said that it charged nobody, and was wrong, or may be. */
  isWrittenOff: boolean;
}

/** Where each status may lead to; what is in no list is the end. */
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

/** What may come next; one that was paid late has been through enough. */
function nextOf(transaction: Transaction): readonly Status[] {
  return isPaidLate(transaction) ? [] : NEXT[transaction.status];
}

export function isFinal(transaction: Transaction): boolean {
  return nextOf(transaction).length === 0;
}

/** The service moves a transaction on; `nth` chooses where to. */
export function move(transaction: Transaction, nth: number): void {
  const next = nextOf(transaction);
  const status = next[nth % next.length];
  if (status === undefined) return;
  transaction.status = status;
  transaction.said.push(status);
}

/** Whether it had expired before it was paid: until that is told, nobody can know. */
export function isPaidLate({ said }: Transaction): boolean {
  return said.includes("expired") && said.includes("approved");
}

/** Whether somebody has been charged by it, or will be, or may be. */
export function mayCharge({ request, transaction }: Pick<Attempt, "request" | "transaction">): boolean {
  if (request === "flying") return true;
  const { status } = transaction ?? {};
  return status !== undefined && status !== "refused" && status !== "expired" && status !== "cancelled";
}
