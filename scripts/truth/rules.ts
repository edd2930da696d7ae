import { isPaymentsError } from "payments-sdk";
import type { Ledger } from "./oracle.ts";
import type { Attempt, Scenario } from "./scenarios.ts";

/** How a call of the SDK ended for its caller. */
export interface Ending {
  readonly attempt: Attempt;
  readonly result?: { readonly id: unknown; readonly isReplayed: boolean };
  readonly error?: unknown;
  /** Errors that `error` events carried. */
  readonly reported: readonly unknown[];
}

export interface Violation {
  readonly rule: string;
  readonly detail: string;
  readonly scenario: Scenario;
  readonly attempt: Attempt;
}

/** Checks all calls of a scenario against what the oracle recorded. */
export class Judge {
  readonly #ledger: Ledger;
  /** The call that each error was thrown by. An error must not be thrown by two calls. */
  readonly #owners = new Map<unknown, string>();

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /** Records the error of a call outside the scenarios. No call of a scenario may end with it. */
  addForeignError(error: unknown): void {
    this.#owners.set(error, "another call");
  }

  judge(scenario: Scenario, endings: readonly Ending[]): Violation[] {
    const violations: Violation[] = [];
    for (const ending of endings) {
      const { attempt } = ending;
      const checks = {
        "another call's error": this.#foreignError(ending),
        "not_sent or rejected, but charged": this.#chargedDespiteOutcome(ending),
        "mayHaveCharged is false, but charged": this.#chargedBefore(scenario, ending, endings),
        "another order's transaction": this.#foreignTransaction(ending),
        "sent twice": this.#repeatedRequest(scenario, attempt),
      };
      for (const [rule, detail] of Object.entries(checks)) {
        if (detail !== undefined) violations.push({ rule, detail, scenario, attempt });
      }
    }
    if (scenario.store === "none") return violations;
    for (const externalRef of new Set(endings.map((ending) => ending.attempt.externalRef))) {
      const charged = new Set(this.#chargesOf(externalRef).map((charge) => charge.attempt));
      const attempt = endings.findLast((ending) => charged.has(ending.attempt.name))?.attempt;
      if (charged.size < 2 || attempt === undefined) continue;
      const detail = `${externalRef} was charged by ${[...charged].join(" and ")}`;
      violations.push({ rule: "charged twice", detail, scenario, attempt });
    }
    return violations;
  }

  #chargesOf(externalRef: string) {
    return this.#ledger.charges.filter((charge) => charge.externalRef === externalRef);
  }

  #foreignError({ attempt, error, reported, result }: Ending): string | undefined {
    const errors = [...reported, ...(result === undefined ? [error] : [])];
    for (const found of errors) {
      if (!isPaymentsError(found)) return `${String(found)} is not a PaymentsError`;
      const owner = this.#owners.get(found) ?? attempt.name;
      if (owner !== attempt.name) return `the error object of ${owner}`;
      this.#owners.set(found, attempt.name);
      const { externalRef, endpoint, cause } = found;
      if (externalRef !== attempt.externalRef) return `externalRef ${externalRef}`;
      if (endpoint !== "transactions.create") return `endpoint ${endpoint}`;
      if (hasForeignCause(cause)) return "a PaymentsError as cause";
    }
    return undefined;
  }

  #chargedDespiteOutcome({ attempt, error }: Ending): string | undefined {
    if (!isPaymentsError(error) || !["not_sent", "rejected"].includes(error.outcome)) return undefined;
    const charge = this.#ledger.charges.find((charge) => charge.attempt === attempt.name);
    return charge && `${error.outcome}, but charged as ${charge.id}`;
  }

  /** Whether an error denies a charge of its own call or, with a store, of an earlier call for the same order. */
  #chargedBefore(
    { store }: Scenario,
    { attempt, error, reported }: Ending,
    endings: readonly Ending[],
  ): string | undefined {
    const isDenied = [...reported, error].some((found) => isPaymentsError(found) && !found.mayHaveCharged);
    if (!isDenied) return undefined;
    const earlier = endings.filter((ending) => store !== "none" && ending.attempt.wave < attempt.wave);
    const names = new Set<unknown>([attempt.name, ...earlier.map((ending) => ending.attempt.name)]);
    const charge = this.#chargesOf(attempt.externalRef).find((charge) => names.has(charge.attempt));
    return charge && `mayHaveCharged is false, but ${charge.attempt} was charged as ${charge.id}`;
  }

  #foreignTransaction({ attempt, error, result }: Ending): string | undefined {
    const id =
      result?.id ?? (isPaymentsError(error) && "transactionId" in error ? error.transactionId : undefined);
    if (id === undefined) {
      return isPaymentsError(error) && error.outcome === "created" ? "created, without an id" : undefined;
    }
    const charge = this.#ledger.charges.find((charge) => charge.id === id);
    const isSent = result?.isReplayed === false; // then it is the charge of this call
    const isOwn = charge?.externalRef === attempt.externalRef && (!isSent || charge.attempt === attempt.name);
    return isOwn ? undefined : `${id} is ${JSON.stringify(charge ?? "not a transaction")}`;
  }

  /** Custom code may send a request again. The SDK does not control how often. */
  #repeatedRequest({ transport, dispatcher }: Scenario, attempt: Attempt): string | undefined {
    const requests = this.#ledger.requests.get(attempt.name) ?? 0;
    const isOurs = ["fetch", "nodeTransport", "wrapped global fetch"].includes(transport);
    return requests > 1 && isOurs && dispatcher === "default" ? `${requests} requests` : undefined;
  }
}

function hasForeignCause(cause: unknown): boolean {
  return isPaymentsError(cause) || (cause instanceof Error && hasForeignCause(cause.cause));
}

/** Everything that is needed to understand a violation and to reproduce it. */
export function describeViolation(seed: number, ledger: Ledger, violation: Violation): string {
  const { rule, detail, scenario, attempt } = violation;
  const charges = ledger.charges.filter((charge) => charge.externalRef === attempt.externalRef);
  return [
    `${rule}: ${detail}`,
    `  seed ${seed}, scenario ${scenario.index}, call ${attempt.name} for ${attempt.externalRef}`,
    `  oracle: ${ledger.requests.get(attempt.name) ?? 0} requests of this call; charges ${JSON.stringify(charges)}`,
    `  scenario: ${JSON.stringify(scenario)}`,
  ].join("\n");
}
