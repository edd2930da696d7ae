import type {
  OpenPostback,
  PostbackClaim,
  PostbackKey,
  PostbackStore,
} from "../../contracts/postback-store.ts";
import { parseIfJson } from "../../data/json.ts";
import { withOwn } from "../../data/own-properties.ts";
import { knownOptions } from "../../errors/check-options.ts";
import { toTransactionStatus } from "../../spec/transaction-status.ts";
import {
  changeDocument,
  type Documents,
  type ExpectedWrite,
  listDocuments,
  remember,
  type StoredDocument,
  toId,
} from "../documents.ts";
import type { PlanPostback } from "../order-store.ts";
import { EMPTY, listOpen, type OrderInbox, readInbox, toInboxText, toUnreadable } from "./order-inbox.ts";
import {
  claimPostback,
  closePostbacks,
  confirmPostback,
  type InboxChange,
  releasePostback,
  renewPostback,
} from "./postback-claims.ts";

export interface PostbackDocuments {
  /** The signed postbacks of each order. */
  readonly orders: Documents;
  /** The unsigned postbacks of each transaction, and the signed ones without a reference. */
  readonly transactions: Documents;
  /** Whether several processes share the records. */
  readonly isShared: boolean;
  /** Plans to record a postback in the order's record, in the same step as its claim. */
  readonly planPostback?: PlanPostback;
}

/**
 * Milliseconds after the end of a lease in which its owner can still renew it. The database may have been unreachable
 * for that long, or its clock was set forward.
 */
const RENEWAL_GRACE_MS = 5_000;

/** Keeps postbacks in documents. Its operations are plain functions, which can be passed on. */
export function createPostbackStore({
  orders,
  transactions,
  isShared,
  planPostback,
}: PostbackDocuments): Required<PostbackStore> {
  const graceMs = isShared ? RENEWAL_GRACE_MS : 0;
  /** The records of claims that have not ended, by owner: the next operation then takes one statement. */
  const claimed = new Map<string, () => StoredDocument>();

  const locate = (key: PostbackKey) =>
    isOfOrder(key)
      ? { documents: orders, name: toOrderName(key.externalRef) }
      : { documents: transactions, name: toTransactionName(key) };

  async function change<Result>(
    key: PostbackKey,
    expected: StoredDocument | undefined,
    decide: (inbox: OrderInbox) => InboxChange<Result>,
    /** A write of the order's record for the same step, if the postback is claimed. */
    toSecond: (result: Result) => ExpectedWrite | undefined = () => undefined,
  ) {
    const { documents, name } = locate(key);
    return changeDocument(documents, name, expected, undefined, (stored) => {
      const before = readInbox(stored);
      const { inbox, result } = decide(before);
      if (inbox === before) return { result };
      return { write: toWrite(inbox), second: toSecond(result), result };
    });
  }

  async function changeClaimed<Result>(
    key: PostbackKey,
    recall: (() => StoredDocument) | undefined,
    decide: (inbox: OrderInbox) => InboxChange<Result>,
  ) {
    const { documents, name } = locate(key);
    return change(key, recall?.() ?? (await documents.read(name)), decide);
  }

  return {
    async claimPostback(key, owner, leaseMs, details) {
      const known = details && isOfOrder(key) ? withOwn(details, DETAILS) : undefined;
      const options = { leaseMs, graceMs, details: known };
      const { externalRef, id, rawStatus, amount } = key;
      const update = { id, status: toTransactionStatus(rawStatus), rawStatus, amount };
      const plan = planPostback?.(externalRef, update, known?.record);
      const { result, stored, isSecondWritten } = await change<PostbackClaim>(
        key,
        undefined,
        (inbox) => claimPostback(inbox, { key, owner }, options),
        // A run that failed has recorded it, and a person may have corrected that since.
        (claim) => (claim.state === "yours" && claim.hasFailed !== true ? plan?.write : undefined),
      );
      if (result.state !== "yours" || stored === undefined) return result;
      claimed.set(owner, remember(stored));
      return plan && isSecondWritten ? { ...result, possibleDuplicates: plan.result } : result;
    },

    async renewPostback(key, owner, leaseMs) {
      const claim = claimed.get(owner);
      const renew = (inbox: OrderInbox) => renewPostback(inbox, { key, owner }, leaseMs);
      const { result, stored } = await changeClaimed(key, claim, renew);
      if (!result) claimed.delete(owner);
      else if (claimed.has(owner) && stored !== undefined) {
        claimed.set(owner, remember(stored));
      }
      return result;
    },

    async confirmPostback(key, owner) {
      const claim = claimed.get(owner);
      claimed.delete(owner);
      const confirm = (inbox: OrderInbox) => confirmPostback(inbox, { key, owner });
      return (await changeClaimed(key, claim, confirm)).result;
    },

    async releasePostback(key, owner, failure) {
      const claim = claimed.get(owner);
      claimed.delete(owner);
      await changeClaimed(key, claim, (inbox) => releasePostback(inbox, { key, owner }, failure));
    },

    async *openPostbacks(options = {}) {
      const { namespace: filter } = knownOptions(options, ["namespace"]);
      const open = new Map<string, readonly OpenPostback[]>(); // a database may list a document twice
      for await (const listing of listDocuments(orders, true, filter)) {
        const { key, namespace, ...document } = listing;
        const externalRef = toReference(key);
        if (externalRef === undefined) continue;
        const inbox = tryToReadInbox(document);
        const unreadable = toUnreadable(externalRef, document.ageMs);
        const postbacks = inbox === undefined ? [unreadable] : listOpen(externalRef, inbox);
        const named = filter && namespace && postbacks.map((postback) => ({ namespace, ...postback }));
        open.set(toId(namespace, key), named || postbacks);
      }
      const postbacks = [...open.values()].flat();
      yield* postbacks.toSorted((one, other) => Date.parse(one.since) - Date.parse(other.since));
    },

    async closePostbacks(externalRef) {
      const name = toOrderName(externalRef);
      const decide = (stored: StoredDocument | undefined) => {
        const before = stored && tryToReadInbox(stored);
        const { inbox, result } = closePostbacks(before ?? EMPTY, externalRef);
        const unreadable = stored && before === undefined ? [toUnreadable(externalRef, stored.ageMs)] : [];
        const closed = [...result, ...unreadable];
        return { ...(closed.length > 0 && { write: toWrite(inbox) }), result: closed };
      };
      return (await changeDocument(orders, name, await orders.read(name), undefined, decide)).result;
    },
  };
}

const toWrite = (inbox: OrderInbox) => ({ text: toInboxText(inbox), isOpen: inbox.open.length > 0 });

const DETAILS = [
  ...["signedAmount", "transactionDate", "attempts", "record"],
  ...["paid", "isRecordUnknown", "contradictsRecord"],
];

/** A custom signer may accept postbacks without a reference: they have no order in common. */
const isOfOrder = ({ trust, externalRef }: PostbackKey) => trust === "signed" && externalRef !== "";

const toOrderName = (externalRef: string) => JSON.stringify(["order", externalRef]);
const toTransactionName = ({ trust, id, externalRef }: PostbackKey) =>
  JSON.stringify([trust, id, externalRef]);

/** The reference in the name of an order's record; `undefined` for other names. */
export function toReference(name: string): string | undefined {
  const parsed = parseIfJson(name);
  const [kind, externalRef]: unknown[] = Array.isArray(parsed) ? parsed : []; // or a record that no store wrote
  return kind === "order" && typeof externalRef === "string" ? externalRef : undefined;
}

/** `undefined` for a text that no store wrote. */
function tryToReadInbox(document: StoredDocument): OrderInbox | undefined {
  try {
    return readInbox(document);
  } catch {
    return undefined;
  }
}
