import { isPaymentsError } from "payments-sdk";
import type { Ledger, Reply } from "./oracle.ts";
import { type Attempt, REFUSING, type Scenario } from "./scenarios.ts";

/** How a call of the SDK ended, as its caller saw it. */
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
  | "another order's transaction"
  | "charged twice"
  | "another call's error"
  | "sent twice"
  | "not what the answer says";

export interface Violation {
  readonly rule: Rule;
  readonly detail: string;
  readonly scenario: Scenario;
  readonly attempt: Attempt;
}

/** The error's fields that the rules are about. */
interface Fault {
  readonly code: string;
  readonly outcome: string;
  readonly externalRef?: string;
  readonly endpoint?: string;
  readonly transactionId?: unknown;
  readonly cause?: unknown;
}

/** Judges all calls of a scenario by what the oracle knows. */
export class Judge {
  readonly #ledger: Ledger;
  /** Each error that left a call, with the call: none may leave two. */
  readonly #owners = new Map<unknown, string>();

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /** The error of a call outside of the scenarios, which none of theirs may end with. */
  own(error: unknown): void {
    this.#owners.set(error, "another call");
  }

  judge(scenario: Scenario, endings: readonly Ending[]): Violation[] {
    const violations: Violation[] = [];
    for (const ending of endings) {
      const { attempt } = ending;
      const broken: [Rule, string | undefined][] = [
        ["another call's error", this.#ownError(ending)],
        ["not_sent or rejected, but charged", this.#noFalseAllClear(ending)],
        ["another order's transaction", this.#ownTransaction(ending)],
        ["sent twice", this.#sentOnce(scenario, attempt)],
        ["not what the answer says", this.#asAnswered(scenario, ending, endings)],
      ];
      for (const [rule, detail] of broken) {
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

  #ownError({ attempt, error, reported, result }: Ending): string | undefined {
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

  #noFalseAllClear({ attempt, error }: Ending): string | undefined {
    const outcome = faultOf(error)?.outcome;
    if (outcome !== "not_sent" && outcome !== "rejected") return undefined;
    const charge = this.#ledger.charges.find((made) => made.attempt === attempt.name);
    return charge && `${outcome}, but charged as ${charge.id}`;
  }

  #ownTransaction({ attempt, error, result }: Ending): string | undefined {
    const fault = faultOf(error);
    const id = result?.id ?? fault?.transactionId;
    if (id === undefined) return fault?.outcome === "created" ? "created, without an id" : undefined;
    const charge = this.#ledger.charges.find((made) => made.id === id);
    const isSent = result?.isReplayed === false; // then it is the charge of this very call
    const isOwn = charge?.externalRef === attempt.externalRef && (!isSent || charge.attempt === attempt.name);
    return isOwn ? undefined : `${id} is ${JSON.stringify(charge ?? "not a transaction")}`;
  }

  #sentOnce(scenario: Scenario, attempt: Attempt): string | undefined {
    const requests = this.#ledger.requests.get(attempt.name) ?? 0;
    return requests > 1 && !mayRepeat(scenario) ? `${requests} requests` : undefined;
  }

  /** Where nothing came between, the ending is the one that the documentation promises. */
  #asAnswered(scenario: Scenario, ending: Ending, endings: readonly Ending[]): string | undefined {
    const { attempt, error, result } = ending;
    const requests = this.#ledger.requests.get(attempt.name) ?? 0;
    const { code, outcome, transactionId } = faultOf(error) ?? {};
    const seen = result === undefined ? `${code}, ${outcome}, ${transactionId}` : `result ${result.id}`;
    const charge = this.#ledger.charges.find((made) => made.attempt === attempt.name);
    const expected = this.#promised(scenario, ending, endings, requests, charge?.id);
    if (expected === undefined || expected.includes(requests > 0 ? seen : `${seen}, no request`))
      return undefined;
    return `expected ${expected.join(" or ")}, seen ${seen} after ${requests} requests`;
  }

  #promised(
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
    return reply.kind === "answer" && !isAborted ? expectedFor(reply, id) : undefined;
  }
}

/** Whether something of the merchant's own sends the request, or repeats it: how often is then not up to the SDK. */
function mayRepeat({ transport, dispatcher }: Scenario): boolean {
  return (transport !== "fetch" && transport !== "nodeTransport") || dispatcher !== "default";
}

/** The first call for its reference, and no other at the same time: the store has nothing to say. */
function isFirst(scenario: Scenario, attempt: Attempt, endings: readonly Ending[]): boolean {
  if (scenario.storeFault.startsWith("throws")) return false;
  const rivals = endings.filter((ending) => ending.attempt.externalRef === attempt.externalRef);
  return rivals.every(({ attempt: rival }) => rival === attempt || rival.wave > attempt.wave);
}

/** Nothing in the scenario changes an answer, or makes it arrive at another call. */
function isPlain({ transport, dispatcher, target, attempts }: Scenario): boolean {
  const isPlainTransport = ["fetch", "nodeTransport", "custom fetch"].includes(transport);
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

/** How a call ends that gets this answer, whole and in time. */
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
  const isShown = body === "transaction" || body.startsWith("transaction without");
  if (isShown) return [`${code}, created, ${id}`, `unexpected_response, created, ${id}`];
  // It belongs to another request, so that its status says nothing about this one.
  if (body.startsWith("another order's")) return ["unexpected_response, unknown, undefined"];
  return [`${code}, ${REFUSING.includes(status) ? "rejected" : "unknown"}, undefined`];
}

function hasForeignCause(cause: unknown): boolean {
  return isPaymentsError(cause) || (cause instanceof Error && hasForeignCause(cause.cause));
}

function faultOf(error: unknown): Fault | undefined {
  return isPaymentsError(error) ? (error as Fault) : undefined;
}

/** Everything that is needed to understand a violation, and to repeat it. */
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
