import type { SandboxStatus, SandboxTransaction } from "./transaction.ts";

/** What exists in one gateway. Records are replaced, never changed, so that a list handed out stays true. */
export class Transactions {
  /** By id, less the first one; a transaction that is still being made leaves a hole. */
  readonly #records: (SandboxTransaction | undefined)[] = [];
  readonly #firstId: number;
  readonly #changed: (transaction: SandboxTransaction) => void;

  /**
   * @param firstId the id of the first transaction; they count up from there.
   * @param changed told of every record that is new or replaced.
   */
  constructor(firstId: number, changed: (transaction: SandboxTransaction) => void) {
    this.#firstId = firstId;
    this.#changed = changed;
  }

  /** An id for a transaction that is about to exist. Ids follow the order of the requests. */
  takeId(): number {
    return this.#firstId + this.#records.push(undefined) - 1;
  }

  put(transaction: SandboxTransaction): void {
    this.#records[transaction.id - this.#firstId] = transaction;
    this.#changed(transaction);
  }

  get(id: number): SandboxTransaction | undefined {
    return this.#records[id - this.#firstId];
  }

  /** Oldest first. */
  list(): readonly SandboxTransaction[] {
    return this.#records.filter((record) => record !== undefined);
  }

  /** See `Gateway.chargesFor`. */
  chargesFor(externalRef: string): readonly SandboxTransaction[] {
    return this.list().filter(
      (transaction) => transaction.externalId === externalRef && mayCost(transaction),
    );
  }
}

const TOOK_NOTHING: readonly SandboxStatus[] = ["refused", "expired", "cancelled"];

function mayCost({ status }: SandboxTransaction): boolean {
  return !TOOK_NOTHING.includes(status);
}
