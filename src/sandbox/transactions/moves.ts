import type { LaterOutcome } from "../cards/test-cards.ts";
import { ImpossibleMoveError } from "../errors.ts";
import { MOVES, type MoveName, type SandboxStatus, type SandboxTransaction } from "./transaction.ts";

/** The statuses that allow a move. */
interface MoveRule {
  readonly from: readonly SandboxStatus[];
  /** Default: both methods. */
  readonly method?: SandboxTransaction["paymentMethod"];
}

/**
 * The specification states only payment and expiry of a pending pix: "all other transitions: not shown". Expiry
 * means "not paid in time" and applies to a pix only; `chargedback` is listed for cards only.
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

/** The moves that the transaction's status and method allow. */
export function possibleMoves(transaction: SandboxTransaction): readonly MoveName[] {
  return MOVES.filter((move) => problemWith(transaction, move) === undefined);
}

/**
 * Returns a transaction after a move.
 *
 * @param at ISO 8601.
 * @param refundCents for a refund only; default everything that has not been refunded yet.
 * @throws {ImpossibleMoveError} when the transaction's status or method does not allow the move.
 */
export function applyMove(
  transaction: SandboxTransaction,
  move: MoveName,
  at: string,
  refundCents?: number,
): SandboxTransaction {
  const problem = problemWith(transaction, move);
  if (problem !== undefined) throw impossibleMove(transaction, move, problem);

  switch (move) {
    case "pay":
      return { ...withStatus(transaction, "approved", at, move), paidAmount: transaction.amount };
    case "expire":
      return withStatus(transaction, "expired", at, move);
    case "chargeback":
      return withStatus(transaction, "chargedback", at, move);
    case "cancel":
      return withStatus(transaction, "cancelled", at, move);
    case "refund":
      return refund(transaction, at, refundCents);
  }
}

/**
 * Returns a card payment after the later change of its scenario, which has no move in the timeline.
 *
 * @param at ISO 8601.
 * @returns `undefined` if a move has already changed the status.
 */
export function applyLaterOutcome(
  transaction: SandboxTransaction,
  { status, refusedReason }: LaterOutcome,
  at: string,
): SandboxTransaction | undefined {
  if (transaction.status !== (status === "chargedback" ? "approved" : "processing")) return undefined;

  const { amount } = transaction;
  const after = withStatus(transaction, status, at);
  switch (status) {
    case "approved":
      return { ...after, paidAmount: amount };
    case "refused":
      return { ...after, ...(refusedReason && { refusedReason }), refusedAmount: amount, fees: 0 };
    case "chargedback":
      return after;
  }
}

/** A partial refund leaves the transaction `approved`: no status exists for it. */
function refund(transaction: SandboxTransaction, at: string, refundCents?: number): SandboxTransaction {
  const refundable = transaction.paidAmount - transaction.refundedAmount;
  const cents = refundCents ?? refundable;
  if (!(Number.isSafeInteger(cents) && cents >= 1)) {
    throw new RangeError("A refund is a whole number of cents, 1 or more.");
  }
  if (cents > refundable) {
    throw impossibleMove(transaction, "refund", `at most ${refundable} cents can be refunded`);
  }

  const status = cents === refundable ? "refunded" : transaction.status;
  return {
    ...withStatus(transaction, status, at, "refund", cents),
    refundedAmount: transaction.refundedAmount + cents,
  };
}

function withStatus(
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
    return `this move is for a ${method} only, and it is a ${paymentMethod}`;
  }
  return from.includes(status) ? undefined : `it is ${status}, and must be ${from.join(" or ")}`;
}

function impossibleMove({ id }: SandboxTransaction, move: MoveName, problem: string): ImpossibleMoveError {
  return new ImpossibleMoveError(`Transaction ${id}: cannot ${move}: ${problem}.`);
}
