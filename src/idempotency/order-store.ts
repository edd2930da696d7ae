import type {
  IdempotencyStore,
  OrderFilter,
  OrderRecord,
  PossibleDuplicate,
  PostbackUpdate,
} from "../contracts/idempotency-store.ts";
import { isRecord, withOwn } from "../data/own-properties.ts";
import { createUniqueId } from "../data/unique-id.ts";
import { referenceProblem } from "../data/validate.ts";
import { assertConfig, knownOptions } from "../errors/check-options.ts";
import { OutcomePendingError } from "../errors/idempotency-errors.ts";
import { InvalidRequestError } from "../errors/usage-errors.ts";
import { isTransactionStatus, TRANSACTION_STATUSES } from "../spec/transaction-status.ts";
import { UNCHARGED_STATUSES } from "../spec/transitions.ts";
import {
  changeDocument,
  type DocumentChange,
  type Documents,
  type ExpectedWrite,
  listDocuments,
  MAX_LEASE_MS,
  READ_AT_ONCE,
  remember,
  type StoredDocument,
} from "./documents.ts";
import {
  type CurrentRecord,
  isOpen,
  readRecord,
  STATES,
  type StoredRecord,
  toCreatedResult,
  toText,
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

const FINDING_FIELDS = ["charged", "transactionId", "status", "attempt", "replaces"];

/**
 * What a postback changes in the order's record, and the result of `recordPostback` then; `undefined` if it changes nothing,
 * or if `get` of the same store did not return the record.
 */
export type PlanPostback = (
  externalRef: string,
  update: PostbackUpdate,
  record: OrderRecord | undefined,
) => { readonly write: ExpectedWrite; readonly result: readonly PossibleDuplicate[] } | undefined;

/**
 * Keeps the records of payments in documents. The operations are plain functions, which can be passed on.
 *
 * @param readNamespaces - Reads the namespaces that have orders, in any order.
 */
export function createOrderStore(
  documents: Documents,
  readNamespaces: () => Promise<readonly string[]>,
): Pick<PaymentsStore, keyof IdempotencyStore | "getMany"> & { readonly planPostback: PlanPostback } {
  /** The documents of claims that have not ended, by owner: recording the end then takes one operation. */
  const claimed = new Map<string, StoredDocument>();
  /** The documents of the records that `get` returned: recording a postback then takes one operation. */
  const read = new WeakMap<
    OrderRecord,
    { readonly externalRef: string; readonly recall: () => StoredDocument }
  >();

  function recall(externalRef: string, record: OrderRecord | undefined): StoredDocument | undefined {
    const known = record && read.get(record);
    return known?.externalRef === externalRef ? known.recall() : undefined;
  }

  /** @param expected - The document that the order probably has. */
  function change<Result>(
    externalRef: string,
    expected: StoredDocument | undefined,
    decide: (stored: CurrentRecord | undefined) => OrderChange<Result>,
    signal?: AbortSignal | undefined,
  ) {
    return changeDocument<Result>(documents, externalRef, expected, signal, (document) =>
      toChange(decide(document && readRecord(externalRef, document))),
    );
  }

  async function changeStored<Result>(
    externalRef: string,
    decide: (stored: CurrentRecord | undefined) => OrderChange<Result>,
  ) {
    return change(externalRef, await documents.read(externalRef), decide);
  }

  return {
    async claim(order, leaseMs, options = {}) {
      assertReference(order.externalRef);
      const own = withOwn(options, ["signal", "replaceLost", "heartbeatMs"]);
      const terms = withOwn(order, ["installments"]);
      const decide = (stored: CurrentRecord | undefined) => decideClaim(stored, terms, leaseMs, own);
      // Without an expected document: most references are new.
      const { result, stored } = await change(order.externalRef, undefined, decide, own.signal);
      if (result.state === "yours" && stored !== undefined) claimed.set(order.owner, stored);
      return result;
    },

    async renew({ externalRef, owner }, leaseMs) {
      if (referenceProblem(externalRef) !== undefined) return false;
      const { result, stored } = await changeStored<boolean>(externalRef, (before) => {
        if (before?.record.state !== "claimed") return { result: false };
        const isHeld = before.record.owner === owner && before.leaseLeftMs > 0;
        return { ...(isHeld && { record: { ...before.record, leaseMs } }), result: isHeld };
      });
      // A heartbeat may end after the outcome was recorded.
      if (result && stored !== undefined && claimed.has(owner)) claimed.set(owner, stored);
      return result;
    },

    async recordOutcome(order, end) {
      const { externalRef, owner } = order;
      assertReference(externalRef);
      const document = claimed.get(owner);
      claimed.delete(owner);
      const expected = document ?? (await documents.read(externalRef));
      return (await change(externalRef, expected, (stored) => recordOutcome(stored, order, end))).result;
    },

    async recordPostback(externalRef, update, record) {
      if (referenceProblem(externalRef) !== undefined) return [];
      const expected = recall(externalRef, record) ?? (await documents.read(externalRef));
      return (await change(externalRef, expected, (stored) => recordPostback(stored, update))).result;
    },

    planPostback(externalRef, update, record) {
      const document = recall(externalRef, record);
      if (document === undefined) return undefined;
      const { write, result } = toChange(recordPostback(readRecord(externalRef, document), update));
      if (write === undefined) return undefined;
      const { version: expected } = document;
      return {
        write: { key: externalRef, expected, write: { ...write, version: createUniqueId() } },
        result,
      };
    },

    async resolve(externalRef, finding) {
      const given = isRecord(finding) ? withOwn(finding, FINDING_FIELDS) : finding;
      const problem = findProblem(given);
      if (problem !== undefined) throw toRefusal("finding", problem, externalRef);
      assertReference(externalRef);
      const { result } = await changeStored(externalRef, (stored) => {
        if (stored === undefined) throw toRefusal("externalRef", "has no record in this store", externalRef);
        if (stored.leaseLeftMs > 0) {
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
      if (document === undefined) return undefined;
      const record = readOrder(externalRef, document);
      read.set(record, { externalRef, recall: remember(document) });
      return record;
    },

    async getMany(externalRefs) {
      assertConfig(Array.isArray(externalRefs), "getMany() takes an array of references.");
      const references = [...new Set(externalRefs)].filter((each) => referenceProblem(each) === undefined);
      const records: OrderRecord[] = [];
      for (let start = 0; start < references.length; start += READ_AT_ONCE) {
        const page = references.slice(start, start + READ_AT_ONCE);
        const found = await (documents.readMany?.(page) ??
          Promise.all(page.map((each) => documents.read(each))));
        for (const [index, externalRef] of page.entries()) {
          const document = found[index];
          if (document !== undefined) records.push(readOrder(externalRef, document));
        }
      }
      return records;
    },

    list: (filter = {}) => listOrders(documents, readFilter(filter)),

    async *unresolved(options = {}) {
      const filter = knownOptions(options, ["olderThanMs", "namespace"]);
      for await (const order of listOrders(documents, readFilter({ ...filter, state: "unresolved" }))) {
        const { state: _state, possibleDuplicates: _duplicates, ...unresolved } = order;
        yield { reason: "no_response", ...unresolved };
      }
    },

    namespaces: async () => (await readNamespaces()).toSorted(),
  };
}

function toChange<Result>(change: OrderChange<Result>): DocumentChange<Result> {
  const { record, mustBeCommitted, result } = withOwn(change, ["record", "mustBeCommitted"]);
  if (record === undefined) return { result };
  const isEnd = record.state !== "claimed";
  return { write: { text: toText(record), isOpen: isOpen(record), isEnd, mustBeCommitted }, result };
}

/** @throws {ConfigurationError} */
function readFilter(filter: OrderFilter): OrderFilter {
  const known = knownOptions(filter, ["state", "status", "olderThanMs", "namespace"]);
  const { state, status, olderThanMs = 0, namespace } = known;
  const isAge = typeof olderThanMs === "number" && olderThanMs >= 0;
  assertConfig(isAge, "olderThanMs must be a number, zero or more.");
  assertConfig(state === undefined || STATES.includes(state), `state must be one of ${STATES.join(", ")}.`);
  const statuses = [...TRANSACTION_STATUSES, "unrecognized"].join(", ");
  assertConfig(status === undefined || isTransactionStatus(status), `status must be one of ${statuses}.`);
  return { state, status, olderThanMs, namespace };
}

async function* listOrders(documents: Documents, filter: OrderFilter): AsyncIterableIterator<OrderRecord> {
  const unreadable: unknown[] = [];
  const isOpenOnly = filter.state === "unresolved" || filter.state === "claimed";
  for await (const document of listDocuments(documents, isOpenOnly, filter.namespace)) {
    const { namespace } = document;
    let order: OrderRecord;
    try {
      order = readOrder(document.key, document);
    } catch (error) {
      if (filter.namespace !== undefined && error instanceof Error)
        error.message += ` Namespace: ${namespace}.`;
      unreadable.push(error); // thrown at the end, so that it does not hide the others
      continue;
    }
    if (!isSelected(order, document.ageMs, filter)) continue;
    yield filter.namespace !== undefined && namespace !== undefined ? { ...order, namespace } : order;
  }
  if (unreadable.length > 0) throw unreadable[0];
}

function isSelected(order: OrderRecord, ageMs: number, { state, status, olderThanMs = 0 }: OrderFilter) {
  // A clock that was set back by days must not hide an order.
  if (ageMs >= -MAX_LEASE_MS && Math.max(0, ageMs) < olderThanMs) return false;
  const own = order.state === "created" ? (order.transaction?.status ?? "unrecognized") : undefined;
  const hasStatus = status === undefined || own === status;
  return hasStatus && (state === undefined || order.state === state);
}

/** @throws {TypeError} on a text that no store wrote. */
export function readOrder(externalRef: string, document: StoredDocument): OrderRecord {
  const stored = readRecord(externalRef, document);
  const { amount, paymentMethod, installments, attempt, others } = stored.record;
  const unchargedIds = others.filter(({ status }) => UNCHARGED_STATUSES.has(status)).map(({ id }) => id);
  return {
    externalRef,
    ...{ amount, paymentMethod, ...(installments !== undefined && { installments }) },
    ...toOrderState(stored, document.ageMs),
    attempt,
    since: new Date(Date.now() - Math.max(0, document.ageMs)).toISOString(),
    earlierIds: others.filter(({ isStray }) => !isStray).map(({ id }) => id),
    ...(unchargedIds.length > 0 && { unchargedIds }),
    possibleDuplicates: findPossibleDuplicates(stored.record),
  };
}

/** The state, and the fields that only this state has. */
function toOrderState({ record, leaseLeftMs }: CurrentRecord, ageMs: number) {
  if (record.state === "created") {
    return { ...toCreatedResult(record), ...(record.isByHand && { isByHand: true }) };
  }
  if (record.state === "free") {
    const lastStatus = record.others.at(-1)?.status;
    return { state: "free", ...(lastStatus && { lastStatus }) } as const;
  }
  if (leaseLeftMs > 0 && !isSilent(record, ageMs)) return { state: "claimed" } as const;
  const reason = record.state === "claimed" ? "not_reported" : "no_response";
  return { state: "unresolved", reason } as const;
}

/** Heartbeats after which one that is missing is not just late. */
const SILENT_HEARTBEATS = 2.5;

/** Whether the process of a claim has most likely ended. If a postback has reported a transaction, that counts at the end of its lease. */
function isSilent(record: StoredRecord, ageMs: number): boolean {
  if (record.state !== "claimed" || record.others.some(({ isStray }) => isStray)) return false;
  return ageMs > SILENT_HEARTBEATS * (record.heartbeatMs ?? Number.POSITIVE_INFINITY);
}

/** No record has an invalid reference. A database that truncates one would find the record of another order. */
function assertReference(externalRef: string): void {
  const problem = referenceProblem(externalRef);
  if (problem !== undefined) throw toRefusal("externalRef", problem, externalRef);
}

function toRefusal(field: string, message: string, externalRef: string): InvalidRequestError {
  return new InvalidRequestError([{ field, message }], { outcome: "not_applicable", externalRef });
}
