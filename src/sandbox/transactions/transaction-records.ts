import { UNCHARGED_STATUSES } from "../../spec/transitions.ts";
import type { LaterOutcome } from "../cards/test-cards.ts";
import type { Changes } from "../changes.ts";
import { type Scheduler, toTimestamp } from "../clock.ts";
import type { FaultKind } from "../faults/fault.ts";
import type { Deliveries } from "../postbacks/deliveries.ts";
import {
  ImpossibleMoveError,
  MOVES,
  type MoveName,
  type SandboxStatus,
  type SandboxTransaction,
  UnknownIdError,
} from "./sandbox-transaction.ts";

/** The transactions of a gateway. Every change of status is posted. */
export interface TransactionRecords {
  /** Reserves the id of a transaction that is being created. Ids follow the order of the requests. */
  reserveId(): number;
  /**
   * Adds a transaction.
   *
   * @param later a change of status that the card's scenario causes later.
   */
  add(transaction: SandboxTransaction, later?: LaterOutcome): void;
  /** Records the fault that replaced the response to the creation. */
  markFault(id: number, fault: FaultKind): void;
  /** @throws {UnknownIdError} {ImpossibleMoveError} {RangeError} see `Gateway.refund`. */
  move(id: number, name: MoveName, refundCents?: number): SandboxTransaction;
  /** @throws {UnknownIdError} */
  get(id: number): SandboxTransaction;
  /** Oldest first. */
  list(): readonly SandboxTransaction[];
  /** See `Gateway.chargesFor`. */
  chargesFor(externalRef: string): readonly SandboxTransaction[];
}

/** @param firstId the id of the first transaction; each further one is 1 higher. */
export function createTransactionRecords(
  firstId: number,
  scheduler: Scheduler,
  deliveries: Deliveries,
  changes: Changes,
): TransactionRecords {
  /**
   * Indexed by id - firstId. A transaction that is still being created leaves a hole. Records are replaced and
   * never modified, so that a returned list does not change.
   */
  const records: (SandboxTransaction | undefined)[] = [];
  const now = () => toTimestamp(scheduler.now());

  function get(id: number): SandboxTransaction {
    const transaction = records[id - firstId];
    if (transaction === undefined) throw new UnknownIdError(`There is no transaction ${id}.`);
    return transaction;
  }

  function save(transaction: SandboxTransaction): void {
    records[transaction.id - firstId] = transaction;
    changes.publish({ type: "transaction", transaction });
  }

  /** In one step: if a listener makes the next move, its postback must follow that of this change. */
  function replace(before: SandboxTransaction, after: SandboxTransaction): void {
    changes.inOneStep(() => {
      save(after);
      if (after.status !== before.status) deliveries.postChange(after);
    });
  }

  /** Does nothing if the transaction was paid or cancelled before. */
  function expireWhenDue(id: number): void {
    const transaction = get(id);
    if (possibleMoves(transaction).includes("expire")) {
      replace(transaction, applyMove(transaction, "expire", now()));
    }
  }

  function applyWhenDue(id: number, later: LaterOutcome): void {
    const transaction = get(id);
    const after = applyLaterOutcome(transaction, later, now());
    if (after) replace(transaction, after);
  }

  const list = () => records.filter((record) => record !== undefined);

  return {
    reserveId: () => firstId + records.push(undefined) - 1,
    add(transaction, later) {
      const { id, pix, createdAt } = transaction;
      changes.inOneStep(() => {
        save(transaction);
        deliveries.postCreation(transaction);
      });
      if (pix) scheduler.at(Date.parse(pix.expirationDate), () => expireWhenDue(id));
      if (later) scheduler.at(Date.parse(createdAt) + later.afterMs, () => applyWhenDue(id, later));
    },
    markFault: (id, fault) => save({ ...get(id), fault }),
    move(id, name, refundCents) {
      const transaction = get(id);
      replace(transaction, applyMove(transaction, name, now(), refundCents));
      return get(id);
    },
    get,
    list,
    chargesFor: (externalRef) =>
      list().filter(
        ({ externalId, status }) => externalId === externalRef && !UNCHARGED_STATUSES.has(status),
      ),
  };
}

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
function applyMove(
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
function applyLaterOutcome(
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
