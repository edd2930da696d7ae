import type {
  IdempotencyStore,
  OrderFilter,
  OrderRecord,
  OrderState,
} from "../contracts/idempotency-store.ts";
import { copyOwn, isRecord, ownProperty } from "../data/own-properties.ts";
import { referenceProblem } from "../data/validate.ts";
import { assertConfig, knownOptions, NO_CALL } from "../errors/check-options.ts";
import { OutcomePendingError } from "../errors/idempotency-errors.ts";
import { InvalidRequestError } from "../errors/usage-errors.ts";
import { isTransactionStatus, TRANSACTION_STATUSES } from "../spec/transaction-status.ts";
import { changeDocument, type Documents, MAX_LEASE_MS, type StoredDocument } from "./documents.ts";
import {
  type AgedRecord,
  isOpen,
  leaseLeftMs,
  parseRecord,
  toCreatedResult,
  toCurrentState,
  toTerms,
} from "./order-states.ts";
import {
  decideClaim,
  findPossibleDuplicates,
  findProblem,
  type OrderChange,
  recordOutcome,
  recordPostback,
  resolveOrder,
} from "./order-transitions.ts";
import type { PaymentsStore } from "./store.ts";

const STATES: ReadonlySet<unknown> = new Set<OrderState>(["free", "claimed", "unresolved", "created"]);

const FINDING_FIELDS = ["charged", "transactionId", "status", "attempt"];

/**
 * Keeps the records of payments in documents. The operations are plain functions, which can be passed on.
 *
 * @param readNamespaces - Reads the namespaces that have orders, in any order.
 */
export function createOrderStore(
  documents: Documents,
  readNamespaces: () => Promise<readonly string[]>,
): Pick<PaymentsStore, keyof IdempotencyStore> {
  /** The documents of claims that have not ended, by owner: recording the end then takes one operation. */
  const claimed = new Map<string, StoredDocument>();

  /** @param expected - The document that the order probably has. */
  function change<Result>(
    externalRef: string,
    expected: StoredDocument | undefined,
    decide: (stored: AgedRecord | undefined) => OrderChange<Result>,
    { mustBeCommitted = false, signal }: { mustBeCommitted?: boolean; signal?: AbortSignal | undefined } = {},
  ) {
    const decideOn = (document: StoredDocument | undefined) => {
      const { record, result } = decide(document && readRecord(externalRef, document));
      const write = record && {
        text: JSON.stringify(record, toReadableText),
        isOpen: isOpen(record),
        isEnd: record.state !== "claimed",
        mustBeCommitted,
      };
      return { write, result };
    };
    return changeDocument<Result>(documents, externalRef, expected, decideOn, signal);
  }

  async function changeStored<Result>(
    externalRef: string,
    decide: (stored: AgedRecord | undefined) => OrderChange<Result>,
  ) {
    return change(externalRef, await documents.read(externalRef), decide);
  }

  return {
    async claim(order, leaseMs, options = {}) {
      assertReference(order.externalRef);
      const { signal } = options;
      const replaceLost = ownProperty(options, "replaceLost") === true;
      const { result, stored } = await change(
        order.externalRef,
        undefined, // most references are new
        (before) => decideClaim(before, order, leaseMs, replaceLost),
        { mustBeCommitted: true, signal },
      );
      if (result.state === "yours" && stored !== undefined) claimed.set(order.owner, stored);
      return result;
    },

    async renew({ externalRef, owner }, leaseMs) {
      if (referenceProblem(externalRef) !== undefined) return false;
      const { result, stored } = await changeStored<boolean>(externalRef, (before) => {
        if (before?.record.state !== "claimed") return { result: false };
        const isHeld = before.record.owner === owner && leaseLeftMs(before) > 0;
        return { ...(isHeld && { record: { ...before.record, leaseMs } }), result: isHeld };
      });
      if (result && stored !== undefined) claimed.set(owner, stored);
      return result;
    },

    async end(order, end) {
      const { externalRef, owner } = order;
      assertReference(externalRef);
      const document = claimed.get(owner);
      claimed.delete(owner);
      const expected = document ?? (await documents.read(externalRef));
      const { result } = await change(externalRef, expected, (stored) => recordOutcome(stored, order, end), {
        mustBeCommitted: end.outcome === "created",
      });
      return result;
    },

    async settle(externalRef, update) {
      if (referenceProblem(externalRef) !== undefined) return [];
      return (await changeStored(externalRef, (stored) => recordPostback(stored, update))).result;
    },

    async resolve(externalRef, finding) {
      const given = isRecord(finding) ? copyOwn(finding, FINDING_FIELDS) : finding;
      const problem = findProblem(given);
      if (problem !== undefined) throw toRefusal("finding", problem, externalRef);
      assertReference(externalRef);
      const { result } = await changeStored(externalRef, (stored) => {
        if (stored === undefined) throw toRefusal("externalRef", "has no record in this store", externalRef);
        if (leaseLeftMs(stored) > 0) {
          throw new OutcomePendingError({ outcome: "not_applicable", externalRef }, "claimed");
        }
        const resolution = resolveOrder(stored.record, given);
        if ("refusal" in resolution) throw toRefusal("finding", resolution.refusal, externalRef);
        return resolution;
      });
      return result;
    },

    async get(externalRef) {
      if (referenceProblem(externalRef) !== undefined) return undefined;
      const document = await documents.read(externalRef);
      return document && readOrder(externalRef, document);
    },

    list: (filter = {}) => listOrders(documents, readFilter(filter)),

    async *unresolved(options = {}) {
      const { olderThanMs } = readFilter(knownOptions(options, ["olderThanMs"], NO_CALL));
      for await (const order of listOrders(documents, { state: "unresolved", olderThanMs })) {
        const { state: _state, possibleDuplicates: _duplicates, ...unresolved } = order;
        yield { reason: "no_response", ...unresolved };
      }
    },

    namespaces: async () => (await readNamespaces()).toSorted(),
  };
}

/** @throws {ConfigurationError} */
function readFilter(filter: OrderFilter): OrderFilter {
  const {
    state,
    status,
    olderThanMs = 0,
  } = knownOptions(filter, ["state", "status", "olderThanMs"], NO_CALL);
  assertConfig(
    typeof olderThanMs === "number" && olderThanMs >= 0,
    "olderThanMs must be a number, zero or more.",
  );
  assertConfig(state === undefined || STATES.has(state), `state must be one of ${[...STATES].join(", ")}.`);
  assertConfig(
    status === undefined || isTransactionStatus(status),
    `status must be one of ${[...TRANSACTION_STATUSES, "unrecognized"].join(", ")}.`,
  );
  return { state, status, olderThanMs } as OrderFilter;
}

async function* listOrders(
  documents: Documents,
  { state, status, olderThanMs = 0 }: OrderFilter,
): AsyncIterableIterator<OrderRecord> {
  const unreadable: unknown[] = [];
  const listed = new Set<string>(); // a database may repeat documents that are written meanwhile
  for await (const { key, ...document } of documents.list(state === "unresolved" || state === "claimed")) {
    let order: OrderRecord | undefined;
    try {
      order = readOrder(key, document);
    } catch (error) {
      unreadable.push(error); // thrown at the end, so that it does not hide the others
    }
    if (order === undefined || listed.has(key) || isNewerThan(document.ageMs, olderThanMs)) continue;
    if (state !== undefined && order.state !== state) continue;
    if (status !== undefined && order.transaction?.status !== status) continue;
    listed.add(key);
    yield order;
  }
  if (unreadable.length > 0) throw unreadable[0];
}

/** `false` if the clock was set back by days: that must not hide an order. */
function isNewerThan(ageMs: number, olderThanMs: number): boolean {
  return ageMs >= -MAX_LEASE_MS && Math.max(0, ageMs) < olderThanMs;
}

/** @throws {TypeError} on a text that no store wrote. */
function readRecord(externalRef: string, { text, ageMs }: StoredDocument): AgedRecord {
  return toCurrentState({ record: parseRecord(externalRef, text), ageMs });
}

/** @throws {TypeError} on a text that no store wrote. */
function readOrder(externalRef: string, document: StoredDocument): OrderRecord {
  const stored = readRecord(externalRef, document);
  const { record } = stored;
  return {
    externalRef,
    ...toTerms(record),
    ...toOrderState(stored),
    attempt: record.attempt,
    since: new Date(Date.now() - Math.max(0, document.ageMs)).toISOString(),
    earlierIds: record.others.filter(({ isStray }) => !isStray).map(({ id }) => id),
    possibleDuplicates: findPossibleDuplicates(record),
  };
}

/** The state, and the fields that only this state has. */
function toOrderState(
  stored: AgedRecord,
): Pick<OrderRecord, "state" | "reason" | "transactionId" | "transaction"> {
  const { record } = stored;
  if (record.state === "created") return toCreatedResult(record);
  if (record.state === "free") return { state: "free" };
  if (leaseLeftMs(stored) > 0) return { state: "claimed" };
  return { state: "unresolved", reason: record.state === "claimed" ? "not_reported" : "no_response" };
}

/** PostgreSQL cannot read JSON with a NUL or a lone surrogate, and the service may return both. */
function toReadableText(_name: string, value: unknown): unknown {
  return typeof value === "string" ? value.toWellFormed().replaceAll("\0", "\ufffd") : value;
}

/** No record has an invalid reference. A database that truncates one would find the record of another order. */
function assertReference(externalRef: string): void {
  const problem = referenceProblem(externalRef);
  if (problem !== undefined) throw toRefusal("externalRef", problem, externalRef);
}

function toRefusal(field: string, message: string, externalRef: string): InvalidRequestError {
  return new InvalidRequestError([{ field, message }], { outcome: "not_applicable", externalRef });
}
