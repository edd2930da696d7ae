import { isPaymentsError } from "payments-sdk";
import type { Ledger, Reply } from "./oracle.ts";
import { type Attempt, REFUSING, type Scenario } from "./scenarios.ts";

/** How a call of the SDK ended for its caller. */
export interface Ending {
  readonly attempt: Attempt;
  readonly result?: { readonly id: unknown; readonly isReplayed: boolean };
  readonly error?: unknown;
  /** Errors that `error` events carried. */
  readonly reported: readonly unknown[];
  readonly isAborted: boolean;
}

export type Rule =
  | "not_sent or rejected, but charged"
  | "mayHaveCharged is false, but charged"
  | "another order's transaction"
  | "charged twice"
  | "another call's error"
  | "sent twice"
  | "unexpected result";

export interface Violation {
  readonly rule: Rule;
  readonly detail: string;
  readonly scenario: Scenario;
  readonly attempt: Attempt;
}

/** The fields of an error that the rules check. */
interface ErrorFields {
  readonly code: string;
  readonly outcome: string;
  readonly externalRef?: string;
  readonly endpoint?: string;
  readonly transactionId?: unknown;
  readonly cause?: unknown;
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
      const checks: [Rule, string | undefined][] = [
        ["another call's error", this.#foreignError(ending)],
        ["not_sent or rejected, but charged", this.#chargedDespiteOutcome(ending)],
        ["mayHaveCharged is false, but charged", this.#chargedBefore(scenario, ending, endings)],
        ["another order's transaction", this.#foreignTransaction(ending)],
        ["sent twice", this.#repeatedRequest(scenario, attempt)],
        ["unexpected result", this.#unexpectedEnding(scenario, ending, endings)],
      ];
      for (const [rule, detail] of checks) {
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
    const outcome = fieldsOf(error)?.outcome;
    if (outcome !== "not_sent" && outcome !== "rejected") return undefined;
    const charge = this.#ledger.charges.find((charge) => charge.attempt === attempt.name);
    return charge && `${outcome}, but charged as ${charge.id}`;
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
    const fields = fieldsOf(error);
    const id = result?.id ?? fields?.transactionId;
    if (id === undefined) return fields?.outcome === "created" ? "created, without an id" : undefined;
    const charge = this.#ledger.charges.find((charge) => charge.id === id);
    const isSent = result?.isReplayed === false; // then it is the charge of this call
    const isOwn = charge?.externalRef === attempt.externalRef && (!isSent || charge.attempt === attempt.name);
    return isOwn ? undefined : `${id} is ${JSON.stringify(charge ?? "not a transaction")}`;
  }

  #repeatedRequest(scenario: Scenario, attempt: Attempt): string | undefined {
    const requests = this.#ledger.requests.get(attempt.name) ?? 0;
    return requests > 1 && !mayRepeat(scenario) ? `${requests} requests` : undefined;
  }

  /** Without interference, a call ends as the documentation promises. */
  #unexpectedEnding(scenario: Scenario, ending: Ending, endings: readonly Ending[]): string | undefined {
    const { attempt, error, result } = ending;
    const requests = this.#ledger.requests.get(attempt.name) ?? 0;
    const { code, outcome, transactionId } = fieldsOf(error) ?? {};
    const actual = result === undefined ? `${code}, ${outcome}, ${transactionId}` : `result ${result.id}`;
    const charge = this.#ledger.charges.find((charge) => charge.attempt === attempt.name);
    const expected = this.#expectedEndings(scenario, ending, endings, requests, charge?.id);
    if (expected === undefined || expected.includes(requests > 0 ? actual : `${actual}, no request`))
      return undefined;
    return `expected ${expected.join(" or ")}, got ${actual} after ${requests} requests`;
  }

  #expectedEndings(
    scenario: Scenario,
    { attempt, isAborted }: Ending,
    endings: readonly Ending[],
    requests: number,
    id: number | undefined,
  ): string[] | undefined {
    if (attempt.abort?.at === "before") return ["aborted, not_sent, undefined, no request"];
    if (!isFirst(scenario, attempt, endings)) return undefined;
    if ((scenario.signer === "throws" || scenario.signer === "rejects") && !isAborted) {
      return [
        "configuration, not_sent, undefined, no request",
        "invalid_request, not_sent, undefined, no request",
      ];
    }
    if (!isPlain(scenario) || requests !== 1 || attempt.timeout < 1_000) return undefined;
    const [reply] = attempt.replies;
    if (reply.kind === "stall" && isAborted) return ["aborted, unknown, undefined"];
    return reply.kind === "response" && !isAborted ? expectedFor(reply, id) : undefined;
  }
}

/** Whether custom code sends or repeats the request: then the SDK does not control how often it is sent. */
function mayRepeat({ transport, dispatcher }: Scenario): boolean {
  return !["fetch", "nodeTransport", "wrapped global fetch"].includes(transport) || dispatcher !== "default";
}

/** Whether it is the first call for its reference, and no other runs at the same time: then the store changes nothing. */
function isFirst(scenario: Scenario, attempt: Attempt, endings: readonly Ending[]): boolean {
  if (scenario.storeFault.startsWith("throws")) return false;
  const calls = endings.filter((ending) => ending.attempt.externalRef === attempt.externalRef);
  return calls.every(({ attempt: other }) => other === attempt || other.wave > attempt.wave);
}

/** Whether nothing in the scenario changes a response, or lets it arrive at another call. */
function isPlain({ transport, dispatcher, target, attempts }: Scenario): boolean {
  const isPlainTransport = !transport.includes("throws") && !transport.includes("repeats");
  const isClean = attempts.every(({ replies }) => replies[0].followedBy === "nothing");
  return isPlainTransport && dispatcher === "default" && target === "service" && isClean;
}

const CODES: Readonly<Record<number, string>> = {
  400: "validation_failed",
  401: "authentication_failed",
  404: "not_found",
  408: "server_error",
  422: "validation_failed",
  429: "rate_limited",
};

/** How a call ends that receives this response completely and in time. */
function expectedFor({ status, body }: Reply, id: number | undefined): string[] {
  if (status >= 200 && status < 300) {
    switch (body) {
      case "transaction":
      case "transaction over another amount":
      case "transaction without externalId":
        return [`result ${id}`];
      case "transaction, truncated":
        return [`unexpected_response, created, ${id}`, "unexpected_response, unknown, undefined"];
      case "success: false with the transaction":
        return [`api_error, created, ${id}`];
      case "success: false":
        return ["api_error, unknown, undefined"];
      default:
        return ["unexpected_response, unknown, undefined"];
    }
  }
  const isRedirect = status < 400;
  const code = CODES[status] ?? (isRedirect ? "redirected" : status >= 500 ? "server_error" : "api_error");
  const hasTransaction = body === "transaction" || body.startsWith("transaction without");
  if (hasTransaction) return [`${code}, created, ${id}`, `unexpected_response, created, ${id}`];
  // The response belongs to another request, so its status means nothing for this one.
  if (body.startsWith("another order's")) return ["unexpected_response, unknown, undefined"];
  return [`${code}, ${REFUSING.includes(status) ? "rejected" : "unknown"}, undefined`];
}

function hasForeignCause(cause: unknown): boolean {
  return isPaymentsError(cause) || (cause instanceof Error && hasForeignCause(cause.cause));
}

function fieldsOf(error: unknown): ErrorFields | undefined {
  return isPaymentsError(error) ? (error as ErrorFields) : undefined;
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
