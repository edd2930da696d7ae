import type {
  IdempotencyStore,
  OrderFilter,
  OrderRecord,
  OrderState,
  UnresolvedOrder,
} from "../contracts/idempotency-store.ts";
import { isRecord, own, ownCopy } from "../data/own.ts";
import { referenceProblem } from "../data/texts.ts";
import { assertConfig, knownOptions, NO_CALL } from "../errors/check-options.ts";
import { OutcomePendingError } from "../errors/idempotency-errors.ts";
import { InvalidRequestError } from "../errors/usage-errors.ts";
import { MAX_LEASE_MS } from "../spec/limits.ts";
import { TRANSACTION_STATUSES } from "../spec/transaction-status.ts";
import { changeDocument, type Documents, type Found } from "./documents.ts";
import { isOpen, leaseLeftMs, parseRecord, type Stored, toCurrentState, toTerms } from "./order-states.ts";
import {
  applyPostback,
  type Change,
  decideClaim,
  endAttempt,
  findOthersThatMayCharge,
  findProblem,
  resolveOrder,
} from "./order-transitions.ts";
import type { PaymentsStore } from "./store.ts";

const STATES: ReadonlySet<unknown> = new Set<OrderState>(["free", "claimed", "unresolved", "created"]);
const STATUSES: ReadonlySet<unknown> = new Set([...TRANSACTION_STATUSES, "unrecognized"]);

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
  const claimed = new Map<string, Found>();

  function change<Result>(
    externalRef: string,
    expected: Found | undefined,
    decide: (stored: Stored | undefined) => Change<Result>,
    { mustBeCommitted = false, signal }: { mustBeCommitted?: boolean; signal?: AbortSignal | undefined } = {},
  ) {
    const decideOn = (found: Found | undefined) => {
      const stored = found && { record: parseRecord(externalRef, found.text), ageMs: found.ageMs };
      const { record, result } = decide(stored && toCurrentState(stored));
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

  return {
    async claim(order, leaseMs, options = {}) {
      assertReference(order.externalRef);
      const { signal } = options;
      const replaceLost = own(options, "replaceLost") === true;
      const { result, found } = await change(
        order.externalRef,
        undefined,
        (stored) => decideClaim(stored, order, leaseMs, replaceLost),
        { mustBeCommitted: true, signal },
      );
      if (result.state === "yours" && found !== undefined) claimed.set(order.owner, found);
      return result;
    },

    async renew({ externalRef, owner }, leaseMs) {
      if (referenceProblem(externalRef) !== undefined) return false;
      const expected = await documents.read(externalRef);
      const { result, found } = await change<boolean>(externalRef, expected, (stored) => {
        if (stored?.record.state !== "claimed") return { result: false };
        const isHeld = stored.record.owner === owner && leaseLeftMs(stored) > 0;
        return { ...(isHeld && { record: { ...stored.record, leaseMs } }), result: isHeld };
      });
      if (result && found !== undefined) claimed.set(owner, found);
      return result;
    },

    async end(order, end) {
      const { externalRef, owner } = order;
      assertReference(externalRef);
      const document = claimed.get(owner);
      claimed.delete(owner);
      const expected = document ?? (await documents.read(externalRef));
      const { result } = await change(externalRef, expected, (stored) => endAttempt(stored, order, end), {
        mustBeCommitted: end.outcome === "created",
      });
      return result;
    },

    async settle(externalRef, update) {
      if (referenceProblem(externalRef) !== undefined) return [];
      const expected = await documents.read(externalRef);
      return (await change(externalRef, expected, (stored) => applyPostback(stored, update))).result;
    },

    async resolve(externalRef, finding) {
      const given = isRecord(finding) ? ownCopy(finding, FINDING_FIELDS) : finding;
      const problem = findProblem(given);
      if (problem !== undefined) throw toRefusal("finding", problem, externalRef);
      assertReference(externalRef);
      const expected = await documents.read(externalRef);
      const { result } = await change(externalRef, expected, (stored) => {
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
      const found = await documents.read(externalRef);
      return found && readOrder(externalRef, found);
    },

    list: (filter = {}) => listOrders(documents, readFilter(filter)),

    async *unresolved(options = {}) {
      const { olderThanMs } = readFilter(knownOptions(options, ["olderThanMs"], NO_CALL));
      for await (const order of listOrders(documents, { state: "unresolved", olderThanMs })) {
        yield toUnresolvedOrder(order);
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
    status === undefined || STATUSES.has(status),
    `status must be one of ${[...STATUSES].join(", ")}.`,
  );
  return { state, status, olderThanMs } as OrderFilter;
}

async function* listOrders(
  documents: Documents,
  { state, status, olderThanMs = 0 }: OrderFilter,
): AsyncIterableIterator<OrderRecord> {
  const unreadable: unknown[] = [];
  const listed = new Set<string>(); // a database may repeat documents that are written meanwhile
  for await (const { key, ...found } of documents.list(state === "unresolved" || state === "claimed")) {
    let order: OrderRecord | undefined;
    try {
      order = readOrder(key, found);
    } catch (error) {
      unreadable.push(error); // thrown at the end, so that it does not hide the others
    }
    if (order === undefined || listed.has(key) || isNewerThan(found.ageMs, olderThanMs)) continue;
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
function readOrder(externalRef: string, { text, ageMs }: Found): OrderRecord {
  const stored = toCurrentState({ record: parseRecord(externalRef, text), ageMs });
  const { record } = stored;
  return {
    externalRef,
    ...toTerms(record),
    ...toOrderState(stored),
    attempt: record.attempt,
    since: new Date(Date.now() - Math.max(0, ageMs)).toISOString(),
    earlierIds: record.others.filter(({ isStray }) => !isStray).map(({ id }) => id),
    possibleDuplicates: findOthersThatMayCharge(record),
  };
}

/** The state, and the fields that only this state has. */
function toOrderState(
  stored: Stored,
): Pick<OrderRecord, "state" | "reason" | "transactionId" | "transaction"> {
  const { record } = stored;
  if (record.state === "created") {
    const { transactionId, transaction } = record;
    return { state: "created", transactionId, ...(transaction && { transaction }) };
  }
  if (record.state === "free") return { state: "free" };
  if (leaseLeftMs(stored) > 0) return { state: "claimed" };
  return { state: "unresolved", reason: record.state === "claimed" ? "no_end" : "no_answer" };
}

function toUnresolvedOrder({
  state: _,
  possibleDuplicates: _others,
  ...order
}: OrderRecord): UnresolvedOrder {
  return { reason: "no_answer", ...order };
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
