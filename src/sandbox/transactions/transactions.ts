import type { LaterOutcome } from "../cards/test-cards.ts";
import type { Changes } from "../changes.ts";
import { type Scheduler, toTimestamp } from "../clock.ts";
import { UnknownIdError } from "../errors.ts";
import type { FaultKind } from "../faults/fault.ts";
import type { Deliveries } from "../postbacks/deliveries.ts";
import { applyLaterOutcome, applyMove, possibleMoves } from "./moves.ts";
import type { MoveName, SandboxStatus, SandboxTransaction } from "./transaction.ts";

/** The transactions of a gateway. Every change of status is posted. */
export interface Transactions {
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

const UNCHARGED: readonly SandboxStatus[] = ["refused", "expired", "cancelled"];

/** @param firstId the id of the first transaction; each further one is 1 higher. */
export function createTransactions(
  firstId: number,
  scheduler: Scheduler,
  deliveries: Deliveries,
  changes: Changes,
): Transactions {
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
      list().filter(({ externalId, status }) => externalId === externalRef && !UNCHARGED.includes(status)),
  };
}
