import type { LaterOutcome } from "./card-outcomes.ts";
import type { Changes } from "./changes.ts";
import { type Scheduler, timestamp } from "./clock.ts";
import type { MoveName } from "./move-names.ts";
import { cameTo, moved, movesOf } from "./moves.ts";
import type { Deliveries } from "./postbacks/deliveries.ts";
import { UnknownIdError } from "./sandbox-errors.ts";
import type { SandboxTransaction } from "./transaction.ts";
import type { Transactions } from "./transactions.ts";

/** What happens to transactions from their creation on. Every change of status is posted. */
export interface TransactionLife {
  /** @param later what a card's scenario holds for it. */
  begin(transaction: SandboxTransaction, later?: LaterOutcome): void;
  /** @throws {UnknownIdError} {ImpossibleMoveError} {RangeError} see `Gateway.refund`. */
  move(id: number, name: MoveName, refundCents?: number): SandboxTransaction;
}

export function createTransactionLife(
  transactions: Transactions,
  scheduler: Scheduler,
  deliveries: Deliveries,
  { inOneStep }: Pick<Changes, "inOneStep">,
): TransactionLife {
  const now = () => timestamp(scheduler.now());

  /** In one step: a listener that moves the transaction on must not post before this is posted. */
  function keep(before: SandboxTransaction, after: SandboxTransaction): void {
    inOneStep(() => {
      transactions.put(after);
      if (after.status !== before.status) deliveries.post(after);
    });
  }

  /** Only where it still makes sense: a person may have been faster. */
  function expireByItself(id: number): void {
    const transaction = get(id);
    if (movesOf(transaction).includes("expire")) keep(transaction, moved(transaction, "expire", now()));
  }

  function happen(id: number, later: LaterOutcome): void {
    const transaction = get(id);
    const after = cameTo(transaction, later, now());
    if (after) keep(transaction, after);
  }

  function get(id: number): SandboxTransaction {
    const transaction = transactions.get(id);
    if (transaction === undefined) throw new UnknownIdError(`There is no transaction ${id}.`);
    return transaction;
  }

  return {
    begin(transaction, later) {
      const { id, pix, createdAt } = transaction;
      inOneStep(() => {
        transactions.put(transaction);
        deliveries.postCreation(transaction);
      });
      if (pix) scheduler.at(Date.parse(pix.expirationDate), () => expireByItself(id));
      if (later) scheduler.at(Date.parse(createdAt) + later.afterMs, () => happen(id, later));
    },
    move(id, name, refundCents) {
      const transaction = get(id);
      keep(transaction, moved(transaction, name, now(), refundCents));
      return get(id);
    },
  };
}
