import type { LaterOutcome } from "./card-outcomes.ts";
import { MOVES, type MoveName } from "./move-names.ts";
import { ImpossibleMoveError } from "./sandbox-errors.ts";
import type { SandboxStatus, SandboxTransaction } from "./transaction.ts";

/** From which statuses a move starts, and for which method where it is not for both. */
interface MoveRule {
  readonly from: readonly SandboxStatus[];
  readonly method?: SandboxTransaction["paymentMethod"];
}

/**
 * Stated are payment and expiry of a pending pix only; "all other transitions: not shown". Expiry is "not
 * paid in time" and for a pix, a chargeback is on the list of the card.
 *
 * Spec: "States and transitions".
 */
const RULES: Readonly<Record<MoveName, MoveRule>> = {
  pay: { from: ["pending", "processing"] },
  expire: { from: ["pending"], method: "pix" },
  refund: { from: ["approved"] },
  chargeback: { from: ["approved"], method: "credit_card" },
  cancel: { from: ["pending", "processing"] },
};

/** The moves that make sense for a transaction as it is. */
export function movesOf(transaction: SandboxTransaction): readonly MoveName[] {
  return MOVES.filter((move) => problemWith(transaction, move) === undefined);
}

/**
 * A transaction after a move.
 *
 * @param at ISO 8601.
 * @param refundCents what to give back, for a refund; default all that is left.
 * @throws {ImpossibleMoveError} when the move makes no sense for the transaction as it is.
 */
export function moved(
  transaction: SandboxTransaction,
  move: MoveName,
  at: string,
  refundCents?: number,
): SandboxTransaction {
  const problem = problemWith(transaction, move);
  if (problem !== undefined) throw impossible(transaction, move, problem);

  switch (move) {
    case "pay":
      return { ...enter(transaction, "approved", at, move), paidAmount: transaction.amount };
    case "expire":
      return enter(transaction, "expired", at, move);
    case "chargeback":
      return enter(transaction, "chargedback", at, move);
    case "cancel":
      return enter(transaction, "cancelled", at, move);
    case "refund":
      return refunded(transaction, at, refundCents);
  }
}

/**
 * A card payment after what its scenario held for later. It was nobody's move, so the timeline names none.
 *
 * @param at ISO 8601.
 * @returns `undefined` where it makes no sense any more: a person was faster.
 */
export function cameTo(
  transaction: SandboxTransaction,
  { status, refusedReason }: LaterOutcome,
  at: string,
): SandboxTransaction | undefined {
  if (transaction.status !== (status === "chargedback" ? "approved" : "processing")) return undefined;

  const { amount } = transaction;
  const after = enter(transaction, status, at);
  switch (status) {
    case "approved":
      return { ...after, paidAmount: amount };
    case "refused":
      return { ...after, ...(refusedReason && { refusedReason }), refusedAmount: amount, fees: 0 };
    case "chargedback":
      return after;
  }
}

/** A part leaves the transaction `approved`: there is no status for it. */
function refunded(transaction: SandboxTransaction, at: string, refundCents?: number): SandboxTransaction {
  const left = transaction.paidAmount - transaction.refundedAmount;
  const cents = refundCents ?? left;
  if (!(Number.isSafeInteger(cents) && cents >= 1)) {
    throw new RangeError("A refund is a whole number of cents, 1 or more.");
  }
  if (cents > left) throw impossible(transaction, "refund", `only ${left} cents of it are left`);

  const status = cents === left ? "refunded" : transaction.status;
  return {
    ...enter(transaction, status, at, "refund", cents),
    refundedAmount: transaction.refundedAmount + cents,
  };
}

function enter(
  transaction: SandboxTransaction,
  status: SandboxStatus,
  at: string,
  move?: MoveName,
  cents?: number,
): SandboxTransaction {
  const entry = { status, at, ...(move && { move }), ...(cents !== undefined && { amount: cents }) };
  return { ...transaction, status, timeline: [...transaction.timeline, entry] };
}

function problemWith({ status, paymentMethod }: SandboxTransaction, move: MoveName): string | undefined {
  const { from, method } = RULES[move];
  if (method !== undefined && method !== paymentMethod) {
    return `that is for a ${method} only, and it is a ${paymentMethod}`;
  }
  return from.includes(status) ? undefined : `it is ${status}, and must be ${from.join(" or ")}`;
}

function impossible({ id }: SandboxTransaction, move: MoveName, problem: string): ImpossibleMoveError {
  return new ImpossibleMoveError(`Transaction ${id}: cannot ${move}: ${problem}.`);
}
