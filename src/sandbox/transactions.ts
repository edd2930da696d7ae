import type { SandboxStatus, SandboxTransaction } from "./transaction.ts";

/** What exists in one gateway. Records are replaced, never changed, so that a list handed out stays true. */
export class Transactions {
  readonly #byId = new Map<number, SandboxTransaction>();
  #nextId: number;

  /** @param firstId the id of the first transaction; they count up from there. */
  constructor(firstId: number) {
    this.#nextId = firstId;
  }

  /** An id for a transaction that is about to exist. Ids follow the order of the requests. */
  takeId(): number {
    const id = this.#nextId;
    this.#nextId += 1;
    return id;
  }

  put(transaction: SandboxTransaction): void {
    this.#byId.set(transaction.id, transaction);
  }

  /** Oldest first. */
  list(): readonly SandboxTransaction[] {
    return [...this.#byId.values()].sort((a, b) => a.id - b.id);
  }

  /** See `Gateway.chargesFor`. */
  chargesFor(externalRef: string): readonly SandboxTransaction[] {
    return this.list().filter(
      (transaction) => transaction.externalId === externalRef && mayCost(transaction),
    );
  }
}

const TOOK_NOTHING: readonly SandboxStatus[] = ["refused", "expired", "cancelled"];

function mayCost({ status, paidAmount }: SandboxTransaction): boolean {
  return paidAmount > 0 || !TOOK_NOTHING.includes(status);
}
