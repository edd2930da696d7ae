import { isRecord, ownCopy } from "../data/own.ts";
import { referenceProblem } from "../data/reference.ts";
import { assertConfig, knownOptions, NO_CALL } from "../errors/check-options.ts";
import { InvalidRequestError } from "../errors/invalid-request-error.ts";
import { OutcomePendingError } from "../errors/outcome-pending-error.ts";
import { LEASE_AT_MOST_MS } from "../spec/limits.ts";
import { endOf, rivalsOf } from "./attempt-ends.ts";
import { claimOf } from "./claims.ts";
import type {
  AttemptEnd,
  Claim,
  ClaimedOrder,
  Finding,
  IdempotencyStore,
  PostbackNews,
  RivalTransaction,
  UnresolvedOrder,
} from "./contract.ts";
import { change, type Decision, type Documents, type Draft, type Found } from "./documents.ts";
import { problemOf, resolutionOf } from "./findings.ts";
import { isOpen, type OrderRecord, readRecord, type Stored, type TransactionId } from "./order-record.ts";
import { leaseLeftMs, standing, termsOf } from "./order-states.ts";
import { settledBy } from "./postback-news.ts";

const FINDING_FIELDS = ["charged", "transactionId", "status", "attempt"];

interface ChangeOptions {
  readonly isClaim?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Keeps the records of payments in whatever keeps documents. */
export class OrderStore implements IdempotencyStore {
  readonly #documents: Documents;
  /** The documents of claims that have no end yet, by owner, so that the end takes a single operation. */
  readonly #claimed = new Map<string, Found>();

  constructor(documents: Documents) {
    this.#documents = documents;
  }

  async claim(
    order: ClaimedOrder,
    leaseMs: number,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<Claim> {
    assertReference(order.externalRef);
    const decide = (stored: Stored | undefined) => {
      const { claim, record } = claimOf(stored, order, leaseMs);
      return { record, result: claim };
    };
    const options = { isClaim: true, signal };
    const { result, found } = await this.#change(order.externalRef, undefined, decide, options);
    if (result.state === "yours" && found !== undefined) this.#claimed.set(order.owner, found);
    return result;
  }

  async renew({ externalRef, owner }: ClaimedOrder, leaseMs: number): Promise<boolean> {
    if (referenceProblem(externalRef) !== undefined) return false;
    const expected = await this.#documents.read(externalRef);
    const { result, found } = await this.#change<boolean>(externalRef, expected, (stored) => {
      const { record } = stored ?? {};
      if (stored === undefined || record?.state !== "claimed") return { result: false };
      const isHeld = record.owner === owner && leaseLeftMs(stored) > 0;
      return { ...(isHeld && { record: { ...record, leaseMs } }), result: isHeld };
    });
    if (result && found !== undefined) this.#claimed.set(owner, found);
    return result;
  }

  async end(order: ClaimedOrder, end: AttemptEnd): Promise<readonly TransactionId[]> {
    const { externalRef, owner } = order;
    assertReference(externalRef);
    const claimed = this.#claimed.get(owner);
    this.#claimed.delete(owner);
    const expected = claimed ?? (await this.#documents.read(externalRef));
    const { result } = await this.#change(externalRef, expected, (stored) => {
      const record = endOf(stored, order, end);
      const left = record ?? stored?.record;
      const isKnown = left !== undefined && end.outcome === "created";
      return { record, result: isKnown ? rivalsOf(left, end.transactionId) : [] };
    });
    return result.map(({ id }) => id);
  }

  async settle(externalRef: string, news: PostbackNews): Promise<readonly RivalTransaction[]> {
    if (referenceProblem(externalRef) !== undefined) return [];
    const expected = await this.#documents.read(externalRef);
    const { result } = await this.#change(externalRef, expected, (stored) => {
      const record = stored && settledBy(stored, news);
      const left = record ?? stored?.record;
      return { record, result: left === undefined ? [] : rivalsOf(left, news.id) };
    });
    return result;
  }

  async resolve(externalRef: string, finding: Finding): Promise<"created" | "free"> {
    const given = isRecord(finding) ? ownCopy(finding, FINDING_FIELDS) : finding;
    const problem = problemOf(given);
    if (problem !== undefined) throw refusal("finding", problem, externalRef);
    assertReference(externalRef);
    const expected = await this.#documents.read(externalRef);
    const { result } = await this.#change(externalRef, expected, (stored) => {
      if (stored === undefined) throw refusal("externalRef", "has no record in this store", externalRef);
      const left = leaseLeftMs(stored);
      if (left > 0) throw new OutcomePendingError({ outcome: "not_applicable", externalRef }, "claimed");
      const resolution = resolutionOf(stored.record, given);
      if ("refusal" in resolution) throw refusal("finding", resolution.refusal, externalRef);
      return { record: resolution.record, result: resolution.state };
    });
    return result;
  }

  async *unresolved(
    options: { olderThanMs?: number | undefined } = {},
  ): AsyncIterableIterator<UnresolvedOrder> {
    const { olderThanMs = 0 } = knownOptions(options, ["olderThanMs"], NO_CALL);
    assertConfig(
      typeof olderThanMs === "number" && olderThanMs >= 0,
      "olderThanMs must be a number, zero or more.",
    );
    const unreadable: unknown[] = [];
    const listed = new Set<string>(); // a database may repeat what is written meanwhile
    for await (const { key, text, ageMs } of this.#documents.open()) {
      let order: UnresolvedOrder | undefined;
      try {
        order = unresolvedOf(key, standing({ record: readRecord(key, text), ageMs }));
      } catch (error) {
        unreadable.push(error); // it must not hide the others
      }
      // Nor must a clock that was set back.
      const heardMs = ageMs < -LEASE_AT_MOST_MS ? Number.POSITIVE_INFINITY : Math.max(0, ageMs);
      if (order === undefined || heardMs < olderThanMs || listed.has(key)) continue;
      listed.add(key);
      yield order;
    }
    if (unreadable.length > 0) throw unreadable[0];
  }

  async #change<Result>(
    externalRef: string,
    expected: Found | undefined,
    decide: (stored: Stored | undefined) => {
      readonly record?: OrderRecord | undefined;
      readonly result: Result;
    },
    { isClaim = false, signal }: ChangeOptions = {},
  ) {
    const decideOn = (found: Found | undefined): Decision<Result> => {
      const stored = found && standing({ record: readRecord(externalRef, found.text), ageMs: found.ageMs });
      const { record, result } = decide(stored);
      return { write: record && { ...draftOf(record), isClaim }, result };
    };
    return change<Result>(this.#documents, externalRef, expected, decideOn, signal);
  }
}

function unresolvedOf(externalRef: string, stored: Stored): UnresolvedOrder | undefined {
  const { record, ageMs } = stored;
  if (!isOpen(record) || leaseLeftMs(stored) > 0) return undefined;
  return {
    externalRef,
    ...termsOf(record),
    attempt: record.attempt,
    reason: record.state === "claimed" ? "no_end" : "no_answer",
    since: new Date(Date.now() - Math.max(0, ageMs)).toISOString(),
    earlierIds: record.others.filter(({ isStray }) => !isStray).map(({ id }) => id),
  };
}

function draftOf(record: OrderRecord): Omit<Draft, "version"> {
  const text = JSON.stringify(record, readableText);
  return { text, isOpen: isOpen(record), isEnd: record.state !== "claimed" };
}

/** PostgreSQL reads no part of JSON that holds a NUL or half of a surrogate pair, and the service may return both. */
function readableText(_name: string, value: unknown): unknown {
  return typeof value === "string" ? value.toWellFormed().replaceAll("\0", "\ufffd") : value;
}

/** No record has such a reference. A database that cuts it off would find the record of another one. */
function assertReference(externalRef: string): void {
  const problem = referenceProblem(externalRef);
  if (problem !== undefined) throw refusal("externalRef", problem, externalRef);
}

function refusal(field: string, message: string, externalRef: string): InvalidRequestError {
  return new InvalidRequestError([{ field, message }], { outcome: "not_applicable", externalRef });
}
