import type {
  HandledPostback,
  OpenPostback,
  PostbackClaim,
  PostbackKey,
  PostbackStore,
} from "../../contracts/postback-store.ts";
import { withOwn } from "../../data/own-properties.ts";
import { changeDocument, type Documents, leaseLeft, type StoredDocument } from "../documents.ts";
import {
  addEarlier,
  type HeldPostback,
  listOpen,
  type OrderInbox,
  readInbox,
  toUnreadable,
} from "./order-inbox.ts";
import {
  claimPostback,
  closePostbacks,
  confirmPostback,
  type InboxChange,
  releasePostback,
  renewPostback,
} from "./postback-claims.ts";
import { limitHandled } from "./postback-history.ts";

/** Where a postback store keeps its records. */
export interface PostbackDocuments {
  /** The signed postbacks of each order. */
  readonly orders: Documents;
  /** The unsigned postbacks of each transaction, and the signed ones that an older version of this package handled. */
  readonly transactions: Documents;
  /** Whether several processes share the records, and processes with an older version of this package may. */
  readonly isShared: boolean;
}

/**
 * Milliseconds after the end of a lease in which its owner can still renew it. The database may have been unreachable
 * for that long, or its clock was set forward.
 */
const RENEWAL_GRACE_MS = 5_000;

/** The record of a claim that has not ended. */
interface ClaimedRecord {
  readonly stored: StoredDocument;
  /** By the monotonic clock. */
  readonly readAt: number;
  /** The record of an older version of this package. */
  readonly earlier: StoredDocument | undefined;
}

/** Keeps postbacks in documents. Its operations are plain functions, which can be passed on. */
export function createPostbackStore({
  orders,
  transactions,
  isShared,
}: PostbackDocuments): Required<PostbackStore> {
  const graceMs = isShared ? RENEWAL_GRACE_MS : 0;
  /** The records of claims that have not ended, by owner: the next operation then takes one statement. */
  const claimed = new Map<string, ClaimedRecord>();

  async function change<Result>(
    key: PostbackKey,
    expected: StoredDocument | undefined,
    decide: (inbox: OrderInbox) => InboxChange<Result>,
  ) {
    const isSigned = isOfOrder(key);
    const name = isSigned ? toOrderName(key.externalRef) : toTransactionName(key);
    return changeDocument(isSigned ? orders : transactions, name, expected, undefined, (stored) => {
      const before = isSigned ? readInbox(stored) : toInbox(key.id, readTransaction(stored));
      const { inbox, result } = decide(before);
      if (inbox === before) return { result };
      const text = JSON.stringify(isSigned ? inbox : toTransaction(inbox));
      return { write: { text, isOpen: inbox.open.length > 0 }, result };
    });
  }

  /** Changes the record of a claim. */
  async function changeClaimed<Result>(
    key: PostbackKey,
    owner: string,
    decide: (inbox: OrderInbox) => InboxChange<Result>,
  ) {
    const isSigned = isOfOrder(key);
    const name = isSigned ? toOrderName(key.externalRef) : toTransactionName(key);
    const { stored, readAt = 0 } = claimed.get(owner) ?? {};
    const expected = stored && { ...stored, ageMs: performance.now() - readAt };
    return change(key, expected ?? (await (isSigned ? orders : transactions).read(name)), decide);
  }

  /** Records a handled postback where older versions of this package look it up: they must not handle it again. */
  async function recordForOlder(key: PostbackKey, stored: StoredDocument | undefined): Promise<void> {
    await changeDocument(transactions, toTransactionName(key), stored, undefined, (document) => {
      const { held, handled } = readTransaction(document);
      const { rawStatus, amount } = key;
      if (handled.some((past) => isSame(past, key))) return { result: undefined };
      const all = limitHandled([...handled, { rawStatus, amount }], MAX_EARLIER);
      const text = JSON.stringify({ ...(held && { held: toEarlierClaim(held) }), handled: all });
      return { write: { text, isOpen: false }, result: undefined };
    });
  }

  return {
    async claimPostback(key, owner, leaseMs, details) {
      const claimer = { key, owner };
      const earlier =
        isOfOrder(key) && isShared ? await transactions.read(toTransactionName(key)) : undefined;
      const { held, handled } = readTransaction(earlier);
      const { result, stored } = await change<PostbackClaim>(key, undefined, (inbox) => {
        const options = { leaseMs, graceMs, details };
        const all = addEarlier(inbox, key.id, handled, details?.signedAmount);
        const { inbox: next, result: claim } = claimPostback(all, claimer, options);
        if (claim.state !== "yours" || held === undefined) return { inbox: next, result: claim };
        const leaseLeftMs = leaseLeft(held.leaseMs + graceMs, held.ageMs);
        if (leaseLeftMs === 0) return { inbox: next, result: claim };
        // A process with an older version handles it: the claim is given back, and leaves the record of the arrival.
        const { inbox: released } = releasePostback(next, claimer, undefined);
        return { inbox: released, result: { state: "busy", isSame: isSame(held, key), leaseLeftMs } };
      });
      if (result.state === "yours" && stored !== undefined) {
        claimed.set(owner, { stored, readAt: performance.now(), earlier });
      }
      return result;
    },

    async renewPostback(key, owner, leaseMs) {
      const renew = (inbox: OrderInbox) => renewPostback(inbox, { key, owner }, leaseMs);
      const { result, stored } = await changeClaimed(key, owner, renew);
      const claim = claimed.get(owner);
      if (claim !== undefined && stored !== undefined) {
        claimed.set(owner, { ...claim, stored, readAt: performance.now() });
      }
      return result;
    },

    async confirmPostback(key, owner) {
      const confirm = (inbox: OrderInbox) => confirmPostback(inbox, { key, owner });
      const { earlier } = claimed.get(owner) ?? {};
      const { result } = await changeClaimed(key, owner, confirm);
      claimed.delete(owner);
      // Not part of the result: the postback is recorded as handled.
      if (result && isOfOrder(key) && isShared) await recordForOlder(key, earlier).catch(() => undefined);
      return result;
    },

    async releasePostback(key, owner, failure) {
      const release = (inbox: OrderInbox) => releasePostback(inbox, { key, owner }, failure);
      await changeClaimed(key, owner, release);
      claimed.delete(owner);
    },

    async *openPostbacks() {
      const open: OpenPostback[] = [];
      for await (const { key, ...document } of orders.list(true)) {
        const externalRef = toReference(key);
        if (externalRef !== undefined) open.push(...readOpen(externalRef, document));
      }
      yield* open.toSorted((one, other) => Date.parse(one.since) - Date.parse(other.since));
    },

    async closePostbacks(externalRef) {
      const name = toOrderName(externalRef);
      const { result } = await changeDocument(orders, name, await orders.read(name), undefined, (stored) => {
        if (stored === undefined) return { result: [] };
        const listed = readOpen(externalRef, stored);
        if (listed.some(isUnreadable)) {
          const text = JSON.stringify(readInbox(undefined));
          return { write: { text, isOpen: false }, result: listed };
        }
        const { inbox, result: keys } = closePostbacks(readInbox(stored));
        if (keys.length === 0) return { result: [] };
        const closed = listed.filter((postback) =>
          keys.some((key) => key.id === postback.id && isSame(key, postback)),
        );
        return { write: { text: JSON.stringify(inbox), isOpen: inbox.open.length > 0 }, result: closed };
      });
      return result;
    },
  };
}

/** A custom signer may accept postbacks without a reference: they have no order in common. */
const isOfOrder = ({ trust, externalRef }: PostbackKey) => trust === "signed" && externalRef !== "";

const toOrderName = (externalRef: string) => JSON.stringify(["order", externalRef]);
const toTransactionName = ({ trust, id, externalRef }: PostbackKey) =>
  JSON.stringify([trust, id, externalRef]);

/** The reference in the name of an order's record. */
function toReference(name: string): string | undefined {
  const [kind, externalRef]: unknown[] = JSON.parse(name);
  return kind === "order" && typeof externalRef === "string" ? externalRef : undefined;
}

function readOpen(externalRef: string, document: StoredDocument): OpenPostback[] {
  try {
    return listOpen(externalRef, readInbox(document));
  } catch {
    return [toUnreadable(externalRef, document.ageMs)];
  }
}

const isUnreadable = ({ lastError }: OpenPostback) => lastError?.name === "UnreadableRecord";

function isSame(past: HandledPostback, { rawStatus, amount }: HandledPostback): boolean {
  return past.rawStatus === rawStatus && past.amount === amount;
}

/** Handled postbacks of one transaction that are kept for older versions of this package. */
const MAX_EARLIER = 1_000;

/** The record of a transaction: one postback is handled at a time. */
interface TransactionPostbacks {
  readonly held: Omit<HeldPostback, "id"> | undefined;
  /** Latest last. */
  readonly handled: readonly HandledPostback[];
}

function readTransaction(document: StoredDocument | undefined): TransactionPostbacks {
  // `held` becomes an own property, so that it is never inherited.
  const { held, handled } = withOwn(JSON.parse(document?.text ?? '{"handled":[]}'), ["held"]);
  return { held: held && { ...withOwn(held, ["isOverdue"]), ageMs: document?.ageMs ?? 0 }, handled };
}

function toInbox(id: number, { held, handled }: TransactionPostbacks): OrderInbox {
  return {
    held: held === undefined ? [] : [{ ...held, id }],
    handled: handled.map((postback) => ({ ...postback, id, place: 0, amountMatches: false })),
    open: [],
  };
}

/** In the format of older versions of this package. */
function toTransaction({ held: [held], handled }: OrderInbox) {
  return { ...(held && { held: toEarlierClaim(held) }), handled: handled.map(toKey) };
}

/** A claim whose age is that of its record. */
function toEarlierClaim({ rawStatus, amount, owner, leaseMs, ageMs, isOverdue }: Omit<HeldPostback, "id">) {
  return { rawStatus, amount, owner, leaseMs: leaseLeft(leaseMs, ageMs), isOverdue };
}

const toKey = ({ rawStatus, amount }: HandledPostback): HandledPostback => ({ rawStatus, amount });
