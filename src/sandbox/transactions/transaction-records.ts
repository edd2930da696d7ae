import { UNCHARGED_STATUSES } from "../../spec/transitions.ts";
import type { LaterOutcome } from "../cards/test-cards.ts";
import type { Changes } from "../changes.ts";
import { type Scheduler, toTimestamp } from "../clock.ts";
import type { FaultKind } from "../faults/fault.ts";
import type { GatewaySettings } from "../gateway-options.ts";
import type { Deliveries } from "../postbacks/deliveries.ts";
import {
  ImpossibleMoveError,
  MOVES,
  type MoveName,
  type SandboxStatus,
  type SandboxTransaction,
  type TimelineEntry,
  UnknownIdError,
} from "./sandbox-transaction.ts";

export type TransactionRecords = ReturnType<typeof createTransactionRecords>;

/**
 * The transactions of a gateway. Every change of status is posted.
 *
 * @param firstId the id of the first transaction; each further one is 1 higher.
 */
export function createTransactionRecords(
  firstId: number,
  scheduler: Scheduler,
  deliveries: Deliveries,
  changes: Changes,
  settings: GatewaySettings,
) {
  /** Indexed by id - firstId. Records are replaced and never modified, so that a returned list does not change. */
  const records: SandboxTransaction[] = [];
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

  /**
   * In one step: if a listener makes the next move, its postback must follow that of this change.
   *
   * @param part what a postback says if the status has not changed.
   */
  function replace(before: SandboxTransaction, after: SandboxTransaction, part?: object): void {
    changes.inOneStep(() => {
      save(after);
      if (after.status !== before.status) deliveries.postChange(after);
      else if (settings.postbacks.partialRefunds) deliveries.postChange({ ...after, ...part });
    });
  }

  function toEntry(move: MoveName): MoveEntry {
    return { status: move === "med" ? settings.pixReturnedAs : RULES[move].to, at: now(), move };
  }

  /** Does nothing if a move has changed the status before. */
  function changeWhenDue(id: number, later?: LaterOutcome): void {
    const before = get(id);
    if (later === undefined && problemWith(before, "expire") !== undefined) return;
    const after = later ? applyLaterOutcome(before, later, now()) : applyMove(before, toEntry("expire"));
    if (after) replace(before, after);
  }

  return {
    /** The id of the transaction that is added next. */
    nextId: () => firstId + records.length,
    /** @param later a change of status that the card's scenario causes later. */
    add(transaction: SandboxTransaction, later?: LaterOutcome): void {
      const { id, pix, createdAt } = transaction;
      changes.inOneStep(() => {
        save(transaction);
        deliveries.postCreation(transaction);
      });
      if (pix) scheduler.at(Date.parse(pix.expirationDate), () => changeWhenDue(id));
      if (later) scheduler.at(Date.parse(createdAt) + later.afterMs, () => changeWhenDue(id, later));
    },
    /** Records the fault that replaced the response to the creation. */
    markFault: (id: number, fault: FaultKind) => save({ ...get(id), fault }),
    /** @throws {UnknownIdError} {ImpossibleMoveError} {RangeError} see `Gateway.refund`. */
    move(id: number, name: MoveName, cents?: number): SandboxTransaction {
      const transaction = get(id);
      const entry = toEntry(name);
      const part = { status: entry.status, amount: cents, timeline: [entry] };
      replace(transaction, applyMove(transaction, entry, cents), part);
      return get(id);
    },
    get,
    /** Oldest first. */
    list: (): readonly SandboxTransaction[] => [...records],
    /** See `Gateway.chargesFor`. */
    chargesFor: (externalRef: string) =>
      records.filter(
        ({ externalId, status }) => externalId === externalRef && !UNCHARGED_STATUSES.has(status),
      ),
  };
}

type MoveEntry = TimelineEntry & Required<Pick<TimelineEntry, "move">>;

interface MoveRule {
  /** The statuses that allow the move. */
  readonly from: readonly SandboxStatus[];
  readonly to: SandboxStatus;
  /** Default: both methods. */
  readonly method?: SandboxTransaction["paymentMethod"];
}

/**
 * The specification states only payment and expiry of a pending pix: "all other transitions: not shown". Expiry
 * means "not paid in time" and applies to a pix only; `chargedback` is listed for cards only. It does not mention the return
 * mechanism of the central bank (MED), which exists for every pix.
 *
 * Spec: "States and transitions".
 */
const RULES: Readonly<Record<MoveName, MoveRule>> = {
  pay: { from: ["pending", "processing"], to: "approved" },
  expire: { from: ["pending"], to: "expired", method: "pix" },
  refund: { from: ["approved"], to: "refunded" },
  med: { from: ["approved"], to: "refunded", method: "pix" }, // or as the option `pixReturnedAs` sets it
  chargeback: { from: ["approved"], to: "chargedback", method: "credit_card" },
  cancel: { from: ["pending", "processing"], to: "cancelled" },
};

/** Whether the move returns money, all of it or a part. */
export function takesAmount(move: MoveName): boolean {
  return move === "refund" || move === "med";
}

export function possibleMoves(transaction: SandboxTransaction): readonly MoveName[] {
  return MOVES.filter((move) => problemWith(transaction, move) === undefined);
}

function problemWith({ status, paymentMethod }: SandboxTransaction, move: MoveName): string | undefined {
  const { from, method } = RULES[move];
  if (method !== undefined && method !== paymentMethod) {
    return `this move is for a ${method} only, and it is a ${paymentMethod}`;
  }
  return from.includes(status) ? undefined : `it is ${status}, and must be ${from.join(" or ")}`;
}

/**
 * Returns a transaction after a move.
 *
 * @param cents for a move that returns money; default everything that has not been returned yet.
 * @throws {ImpossibleMoveError} when the transaction's status or method does not allow the move.
 */
function applyMove(transaction: SandboxTransaction, entry: MoveEntry, cents?: number): SandboxTransaction {
  const { move } = entry;
  const problem = problemWith(transaction, move);
  if (problem !== undefined) throw impossibleMove(transaction, move, problem);
  if (takesAmount(move)) return giveBack(transaction, entry, cents);
  const after = withStatus(transaction, entry);
  return move === "pay" ? { ...after, paidAmount: transaction.amount } : after;
}

/** A part leaves the transaction `approved`: no status exists for it. */
function giveBack(transaction: SandboxTransaction, entry: MoveEntry, cents?: number): SandboxTransaction {
  const refundable = transaction.paidAmount - transaction.refundedAmount;
  const amount = cents ?? refundable;
  if (!(Number.isSafeInteger(amount) && amount >= 1)) {
    throw new RangeError("The amount is a whole number of cents, 1 or more.");
  }
  if (amount > refundable) {
    throw impossibleMove(transaction, entry.move, `at most ${refundable} cents can be refunded`);
  }
  const status = amount === refundable ? entry.status : transaction.status;
  const after = withStatus(transaction, { ...entry, status, amount });
  return { ...after, refundedAmount: transaction.refundedAmount + amount };
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
  const after = withStatus(transaction, { status, at });
  if (status === "approved") return { ...after, paidAmount: amount };
  if (status === "chargedback") return after;
  return { ...after, ...(refusedReason && { refusedReason }), refusedAmount: amount, fees: 0 };
}

function withStatus(transaction: SandboxTransaction, entry: TimelineEntry): SandboxTransaction {
  return { ...transaction, status: entry.status, timeline: [...transaction.timeline, entry] };
}

function impossibleMove({ id }: SandboxTransaction, move: MoveName, problem: string): ImpossibleMoveError {
  return new ImpossibleMoveError(`Transaction ${id}: cannot ${move}: ${problem}.`);
}
