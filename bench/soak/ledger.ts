import { isPaymentsError, type Transaction } from "payments-sdk";
import type { Control } from "./control.ts";

/** What the calls of a merchant ended with. It keeps nothing of a cycle that is over. */
export class Ledger {
  calls = 0;
  ended = 0;
  readonly endedOtherwise: string[] = [];
  readonly outcomes: Record<string, number> = {};
  chargedUnknown = 0;
  inventedResults = 0;
  #believedFree = new Set<string>();
  #results = new Map<string, number>();

  /** A reference is used for the first time. */
  begin(externalRef: string): void {
    this.#believedFree.add(externalRef);
  }

  result(externalRef: string, { id }: Transaction, replayed: boolean): void {
    this.ended += 1;
    this.#count(replayed ? "created (replayed)" : "created");
    this.#believedFree.delete(externalRef);
    this.#results.set(externalRef, id);
  }

  /** @returns what the call said of the charge. */
  failure(externalRef: string, error: unknown): string {
    this.ended += 1;
    const outcome = isPaymentsError(error) ? error.outcome : "not_applicable";
    if (!isPaymentsError(error) || outcome === "not_applicable") {
      this.endedOtherwise.push(String(error));
      return outcome;
    }
    this.#count(`${outcome} (${error.code})`);
    if (outcome !== "not_sent" && outcome !== "rejected") this.#believedFree.delete(externalRef);
    return outcome;
  }

  /** Compares what was believed with what the service knows, and forgets it. */
  async audit(control: Control): Promise<void> {
    const [free, results] = [this.#believedFree, this.#results];
    this.#believedFree = new Set();
    this.#results = new Map();
    const charged = await control.idsOf([...free]);
    this.chargedUnknown += charged.size;
    const known = await control.idsOf([...results.keys()]);
    for (const [reference, id] of results) if (known.get(reference) !== id) this.inventedResults += 1;
  }

  #count(name: string): void {
    this.outcomes[name] = (this.outcomes[name] ?? 0) + 1;
  }
}
