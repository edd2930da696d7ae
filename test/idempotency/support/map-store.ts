import {
  type ClaimedOrder,
  type IdempotencyStore,
  InvalidRequestError,
  type OrderFilter,
  type OrderRecord,
  OutcomePendingError,
  type PaymentTerms,
  type RivalTransaction,
  type StoredTransaction,
} from "payments-sdk/idempotency";

/** A store that a merchant could write: only for orders, on Maps, and without any code of the stores of this package. */

type Id = number | string;

/** A transaction that a response, a postback or a person reported. */
interface Reported {
  readonly status: StoredTransaction["status"];
  readonly transaction?: StoredTransaction | undefined;
}

interface Row extends PaymentTerms {
  readonly owner: string;
  readonly attempt: number;
  readonly earlierIds: readonly Id[];
  readonly reported: Map<Id, Reported>;
  /** Replaced attempts whose transaction may still be reported. */
  lost: number;
  state: OrderRecord["state"];
  leaseEndsAt: number;
  changedAt: number;
  currentId?: Id;
}

/** What processes share: the rows of each namespace, by reference. */
export interface MapDatabase {
  readonly namespaces: Map<string, Map<string, Row>>;
  now: number;
}

const UNCHARGED: readonly string[] = ["refused", "cancelled", "expired"];
const BY_AGE = ["unrecognized", "pending", "processing", "approved", "refunded", "chargedback"];

const isCharged = ({ status }: Reported) => !UNCHARGED.includes(status);
const isValid = (externalRef: string) => !/\p{Cc}/u.test(externalRef) && externalRef.isWellFormed();
const refuse = (field: string) =>
  new InvalidRequestError([{ field, message: "is not possible" }], { outcome: "not_applicable" });

/** The later status of two reports, and the fields of both. */
function merge(known: Reported | undefined, update: Reported): Reported {
  const rank = (report: Reported) => (isCharged(report) ? BY_AGE.indexOf(report.status) : 2);
  const { status } = known !== undefined && rank(known) >= rank(update) ? known : update;
  if (!known?.transaction && !update.transaction) return { status };
  const transaction = { ...known?.transaction, ...update.transaction, status } as StoredTransaction;
  return { status, transaction };
}

function othersThanCurrent(row: Row, id: Id | undefined): RivalTransaction[] {
  const others = [...row.reported].filter(([other, report]) => other !== id && isCharged(report));
  return others.map(([other, { status }]) => ({ id: other, status }));
}

/** A report of a person, who knows only the status. */
function toReported({ amount, paymentMethod }: Row, id: Id, status: Reported["status"]): Reported {
  return { status, transaction: typeof id === "number" ? { id, status, amount, paymentMethod } : undefined };
}

/** The transaction of an order that is created. */
function currentOf({ state, currentId, reported }: Row) {
  if (state !== "created" || currentId === undefined) return undefined;
  const transaction = reported.get(currentId)?.transaction;
  return { transactionId: currentId, ...(transaction && { transaction }) };
}

const isPending = (row: Row) => currentOf(row)?.transaction?.status === "pending";

function isLostPix(row: Row): boolean {
  const { status, pix } = currentOf(row)?.transaction ?? {};
  return row.paymentMethod === "pix" && (row.state === "unresolved" || (status === "pending" && !pix));
}

export function mapStore(database: MapDatabase, namespace = "default"): IdempotencyStore {
  const rows = database.namespaces.get(namespace) ?? new Map<string, Row>();
  database.namespaces.set(namespace, rows);

  /** The row as it is now: without its lease, if that has ended. */
  function find(externalRef: string): Row | undefined {
    const row = rows.get(externalRef);
    if (row?.state === "claimed" && row.leaseEndsAt <= database.now) row.state = "unresolved";
    return row;
  }

  function insert(order: ClaimedOrder, before: Row | undefined, lost = 0): Row {
    const { owner, externalRef, ...terms } = order;
    const { attempt = 0, reported = new Map<Id, Reported>() } = before ?? {};
    const earlierIds = lost > 0 ? (before?.earlierIds ?? []) : [...reported.keys()];
    const fields = { ...terms, owner, attempt: attempt + 1, earlierIds, reported, lost };
    const row: Row = { ...fields, state: "claimed", leaseEndsAt: 0, changedAt: database.now };
    rows.set(externalRef, row);
    return row;
  }

  const change = (row: Row, state: Row["state"]) =>
    Object.assign(row, { state, changedAt: database.now, leaseEndsAt: 0 });

  /** The attempt charged no one. Another transaction, or one that was lost, may have. */
  function release(row: Row): void {
    const [other] = othersThanCurrent(row, undefined);
    if (other !== undefined) change(row, "created").currentId = other.id;
    else if (row.lost > 0) change(row, "unresolved").lost -= 1;
    else change(row, "free");
  }

  /** Records a transaction. It becomes that of the order if the order has none and it may be its own. */
  function report(row: Row, id: Id, update: Reported, isOwn: boolean): readonly RivalTransaction[] {
    const merged = merge(row.reported.get(id), update);
    row.reported.set(id, merged);
    const isPaidInstead = row.lost > 0 && merged.status === "approved" && isPending(row);
    const isCurrent = row.state === "created" ? row.currentId === id || isPaidInstead : isOwn;
    const uncharged = [...row.reported].filter(
      ([other, it]) => !row.earlierIds.includes(other) && !isCharged(it),
    );
    if (isCurrent && isCharged(merged)) change(row, "created").currentId = id;
    else if (isCurrent && uncharged.length > row.lost) {
      row.lost = 0;
      release(row);
    }
    return isCharged(merged) ? othersThanCurrent(row, id) : [];
  }

  function toRecord(externalRef: string, row: Row): OrderRecord {
    const { amount, paymentMethod, installments, state, attempt, earlierIds, leaseEndsAt, currentId } = row;
    return {
      ...{ externalRef, amount, paymentMethod, installments, state, attempt, earlierIds },
      ...(state === "unresolved" && { reason: leaseEndsAt > 0 ? "no_end" : "no_answer" }),
      ...currentOf(row),
      since: new Date(row.changedAt).toISOString(),
      possibleDuplicates: othersThanCurrent(row, currentId),
    };
  }

  async function* list({ state, status, olderThanMs = 0 }: OrderFilter = {}) {
    for (const externalRef of [...rows.keys()]) {
      const row = find(externalRef);
      if (row === undefined || database.now - row.changedAt < olderThanMs) continue;
      const order = toRecord(externalRef, row);
      const isSelected = state === undefined || order.state === state;
      if (isSelected && (status === undefined || order.transaction?.status === status)) yield order;
    }
  }

  return {
    async claim(order, leaseMs, { replaceLost = false } = {}) {
      if (!isValid(order.externalRef)) throw refuse("externalRef");
      const row = find(order.externalRef);
      const claim = (lost: number) => {
        insert(order, row, lost).leaseEndsAt = database.now + leaseMs;
        return { state: "yours" } as const;
      };
      if (row === undefined || row.state === "free") return claim(0);
      const terms = ["amount", "paymentMethod", "installments"] as const;
      if (terms.some((term) => row[term] !== order[term])) return { state: "conflict", earlier: row.state };
      if (row.state === "claimed") return { state: "claimed", leaseLeftMs: row.leaseEndsAt - database.now };
      if (replaceLost && isLostPix(row)) return claim(row.lost + 1);
      const current = currentOf(row);
      return current ? { state: "created", ...current } : { state: "unresolved" };
    },

    async renew({ externalRef, owner }, leaseMs) {
      const row = find(externalRef);
      if (row?.state !== "claimed" || row.owner !== owner) return false;
      row.leaseEndsAt = database.now + leaseMs;
      return true;
    },

    async end(order, end) {
      if (!isValid(order.externalRef)) throw refuse("externalRef");
      const row = find(order.externalRef) ?? insert(order, undefined);
      const isOwn = row.owner === order.owner;
      if (end.outcome === "created") {
        const { transactionId, transaction } = end;
        const update = { status: transaction?.status ?? "unrecognized", transaction };
        return report(row, transactionId, update, isOwn || row.state === "free").map(({ id }) => id);
      }
      if (!isOwn || row.state === "created" || row.state === "free") return [];
      if (end.outcome === "unknown") change(row, "unresolved");
      else release(row);
      return [];
    },

    async settle(externalRef, { id, status, rawStatus, amount }) {
      const row = find(externalRef);
      if (row === undefined) return [];
      const { paymentMethod } = row;
      return report(row, id, { status, transaction: { id, status, rawStatus, amount, paymentMethod } }, true);
    },

    async get(externalRef) {
      const row = find(externalRef);
      return row && toRecord(externalRef, row);
    },

    list,

    async *unresolved(options) {
      for await (const { state: _, possibleDuplicates: _others, ...order } of list({
        ...options,
        state: "unresolved",
      })) {
        yield { reason: "no_end", ...order };
      }
    },

    async namespaces() {
      const used = [...database.namespaces].filter(([, { size }]) => size > 0);
      return used.map(([name]) => name).toSorted();
    },

    async resolve(externalRef, finding) {
      const row = find(externalRef);
      if (row === undefined) throw refuse("externalRef");
      if (row.state === "claimed") throw new OutcomePendingError({ outcome: "not_applicable" }, "claimed");
      const found = "status" in finding ? finding : undefined;
      if (row.state === "created" && row.currentId !== found?.transactionId) throw refuse("finding");
      if (found === undefined) release(row);
      else report(row, found.transactionId, toReported(row, found.transactionId, found.status), true);
      const current = currentOf(row);
      return current ? { state: "created", ...current } : { state: "free" };
    },
  };
}
