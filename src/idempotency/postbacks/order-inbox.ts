import type {
  HandledPostback,
  OpenPostback,
  OrderPostbacks,
  PostbackDetails,
  PostbackFailure,
  PostbackKey,
} from "../../contracts/postback-store.ts";
import { parseIfJson } from "../../data/json.ts";
import { isRecord, withOwn } from "../../data/own-properties.ts";
import { toTransactionStatus } from "../../spec/transaction-status.ts";
import { GIVEN_BACK_STATUSES } from "../../spec/transitions.ts";
import { leaseLeft, type StoredDocument } from "../documents.ts";
import { isReported, isSamePostback, limitHandled, type PostbackOfOrder } from "./postback-history.ts";

/** A postback of an order that was handled, or closed. */
interface HandledOfOrder extends PostbackOfOrder {
  /** 1 for the first postback of the order that arrived, then increasing. */
  readonly arrival: number;
  readonly amountMatches: boolean;
}

/** The runs of a callback. Times are those of the process that wrote them, in ISO 8601 UTC. */
interface Runs {
  readonly attempts: number;
  /** Missing if it is the first run: that starts when the postback arrives, or soon after. */
  readonly startedAt?: string | undefined;
  /** Runs since the last one that ended: their processes died. */
  readonly unfinished?: number | undefined;
  readonly isFailed?: boolean | undefined;
  readonly retryAt?: string | undefined;
}

/** A postback whose callback has not succeeded. */
interface OpenOfOrder extends PostbackOfOrder, Runs {
  readonly arrival: number;
  readonly signedAmount?: number | undefined;
  readonly transactionDate?: string | undefined;
  readonly since: string;
  /** What the start of a second or later run replaced, while the callback runs. */
  readonly beforeStart?: Runs | undefined;
  readonly contradictsRecord?: boolean | undefined;
  readonly lastError?: { readonly name: string; readonly code?: string } | undefined;
}

export interface HeldPostback extends PostbackOfOrder {
  readonly owner: string;
  readonly leaseMs: number;
  /** Milliseconds since the lease began. */
  readonly ageMs: number;
  /** Its lease has ended once, and its owner has not renewed it since. */
  readonly isOverdue?: boolean | undefined;
}

/** The signed postbacks of an order, or those of a transaction, of which none is open. It contains no personal data. */
export interface OrderInbox {
  /** See `OrderPostbacks`. */
  readonly winner?: number | undefined;
  /** At most one of each transaction. */
  readonly held: readonly HeldPostback[];
  /** Latest last, in the order in which they were handled. */
  readonly handled: readonly HandledOfOrder[];
  /** In the order in which they arrived. */
  readonly open: readonly OpenOfOrder[];
}

/** Postbacks of one order that are kept until their callback succeeds. A real order has only a few. */
const MAX_OPEN = 100;

export const EMPTY: OrderInbox = { winner: undefined, held: [], handled: [], open: [] };

/** The longest pause between two runs of a callback, in milliseconds. A longer one was written with a wrong clock. */
const MAX_PAUSE_MS = 60 * 60_000;

const OPTIONAL_FIELDS = [
  ...["isOverdue", "signedAmount", "transactionDate", "startedAt", "unfinished", "isFailed", "retryAt"],
  ...["beforeStart", "contradictsRecord", "lastError"],
];

/**
 * Reads an inbox, with the current age of each lease.
 *
 * @throws {TypeError} on a text that no store wrote: an empty inbox instead could ship an order twice.
 */
export function readInbox(document: StoredDocument | undefined): OrderInbox {
  if (document === undefined) return EMPTY;
  const parsed = parseIfJson(document.text);
  const { winner, held, handled, open } = isRecord(parsed)
    ? (withOwn(parsed, ["winner", "held", "handled", "open"]) as Readonly<Record<string, unknown>>)
    : {};
  if (!isList(held) || !isList(handled) || !isList(open)) {
    throw new TypeError(
      "The text that the store has for the postbacks of an order or a transaction is not a record of them.",
    );
  }
  const { ageMs } = document;
  return {
    winner: winner as number | undefined,
    held: (held as HeldPostback[]).map((claim) => ({
      ...withOwn(claim, OPTIONAL_FIELDS),
      ageMs: claim.ageMs + ageMs,
    })),
    handled: handled as HandledOfOrder[],
    open: (open as OpenOfOrder[]).map((postback) => withOwn(postback, OPTIONAL_FIELDS)),
  };
}

/** What the end of a callback does not change stands last: a database then logs one short part. */
export function toInboxText({ winner, held, handled: done, open: waiting }: OrderInbox): string {
  const [handled, open] = [done.map(toKeyLast), waiting.map(toKeyLast)];
  return JSON.stringify(open.length > 0 ? { held, handled, open, winner } : { held, open, handled, winner });
}

const toKeyLast = ({ id, rawStatus, amount, arrival, ...rest }: HandledOfOrder | OpenOfOrder) => {
  return { ...rest, id, rawStatus, amount, arrival };
};

function isList(value: unknown): value is unknown[] {
  const isPostback = (entry: unknown) =>
    isRecord(entry) && typeof entry["id"] === "number" && typeof entry["rawStatus"] === "string";
  return Array.isArray(value) && value.every(isPostback);
}

/** Records a postback that arrived. An inbox that is full keeps it only if it matters more than another one. */
export function recordArrival(before: OrderInbox, key: PostbackKey, details: PostbackDetails): OrderInbox {
  const winner = before.winner ?? findWinner(before, key, details);
  const inbox = winner === before.winner ? before : { ...before, winner };
  const { id, rawStatus, amount } = key;
  const { signedAmount, transactionDate, contradictsRecord } = details;
  const known = inbox.open.find((other) => isSamePostback(other, key));
  if (known !== undefined) {
    if (contradictsRecord !== true || known.contradictsRecord === true) return inbox;
    return updateOpen(inbox, key, (postback) => ({ ...postback, contradictsRecord }));
  }
  let { open } = inbox;
  if (open.length >= MAX_OPEN) {
    const isHeld = (other: PostbackOfOrder) => inbox.held.some((claim) => isSamePostback(claim, other));
    const importance = toImportance({ ...key, signedAmount });
    const forgotten = open.findLast((other) => toImportance(other) < importance && !isHeld(other));
    if (forgotten === undefined) return inbox;
    open = open.filter((other) => other !== forgotten);
  }
  const arrived = { signedAmount, transactionDate, since: new Date().toISOString(), attempts: 0 };
  const postback = { id, rawStatus, amount, arrival: nextArrival(inbox), ...arrived, contradictsRecord };
  return { ...inbox, open: [...open, postback] };
}

/** The transaction that pays for an order that had none before this postback. */
function findWinner(
  inbox: OrderInbox,
  key: PostbackKey,
  { paid, isRecordUnknown, signedAmount }: PostbackDetails,
): number | undefined {
  if (isRecordUnknown === true) return undefined;
  if (paid !== undefined && !isReported(paid, toOrderPostbacks(inbox).recorded)) return paid.id;
  return isPayment({ ...key, signedAmount }) ? key.id : undefined;
}

function nextArrival({ handled, open }: OrderInbox): number {
  return Math.max(0, ...[...handled, ...open].map(({ arrival }) => arrival)) + 1;
}

/** Milliseconds until a postback may run again. */
export function pauseLeft({ retryAt }: Pick<OpenOfOrder, "retryAt"> = {}): number {
  const left = retryAt === undefined ? 0 : Date.parse(retryAt) - Date.now();
  return left > MAX_PAUSE_MS ? 0 : Math.max(0, left);
}

function isPayment({ rawStatus, amount, signedAmount }: HandledPostback & PostbackDetails): boolean {
  return toTransactionStatus(rawStatus) === "approved" && amount === signedAmount;
}

/** Of an inbox that is full, the least important is forgotten. */
function toImportance(postback: HandledPostback & PostbackDetails): number {
  if (isPayment(postback)) return 2;
  return GIVEN_BACK_STATUSES.has(toTransactionStatus(postback.rawStatus)) ? 1 : 0;
}

/** Pauses between the first runs of a callback, in milliseconds. */
const PAUSES_MS = [1_000, 5_000, 30_000, 120_000, 600_000];

/** Milliseconds between a run that did not succeed and the next one. */
export function pauseAfter(attempts: number): number {
  return PAUSES_MS[attempts - 1] ?? MAX_PAUSE_MS;
}

/** Without inherited fields. */
function toRuns(from: Runs): Runs {
  const optional = ["startedAt", "unfinished", "isFailed", "retryAt"];
  const { attempts, startedAt, unfinished, isFailed, retryAt } = withOwn(from, optional);
  return { attempts, startedAt, unfinished, isFailed, retryAt };
}

/**
 * Marks the start of a callback. If its process dies, the pause begins here: the callback may have ended it. The pause
 * after a first run is shorter than its lease, and is not written.
 */
export function recordStart(inbox: OrderInbox, key: PostbackKey): OrderInbox {
  return updateOpen(inbox, key, (postback) => {
    const [attempts, unfinished] = [postback.attempts + 1, (postback.unfinished ?? 0) + 1];
    if (attempts === 1) return { ...postback, attempts, unfinished };
    const now = Date.now();
    const startedAt = new Date(now).toISOString();
    const retryAt = new Date(now + pauseAfter(unfinished)).toISOString();
    const runs = { attempts, unfinished, startedAt, isFailed: undefined, retryAt };
    return { ...postback, ...runs, beforeStart: toRuns(postback) };
  });
}

/** Marks the end of a callback that failed, or that did not run after all. */
export function recordFailure(
  inbox: OrderInbox,
  key: PostbackKey,
  failure: PostbackFailure | undefined,
): OrderInbox {
  return updateOpen(inbox, key, (postback) => {
    if (failure === undefined) {
      return { ...postback, ...toRuns(postback.beforeStart ?? { attempts: 0 }), beforeStart: undefined };
    }
    const { name, code, retryAfterMs } = withOwn(failure, ["code"]);
    return {
      ...postback,
      beforeStart: undefined,
      unfinished: undefined,
      isFailed: true,
      retryAt: new Date(Date.now() + retryAfterMs).toISOString(),
      lastError: { name: toShortText(name), ...(code !== undefined && { code: toShortText(code) }) },
    };
  });
}

/** The name and code of an error come from anywhere: PostgreSQL cannot keep a NUL in JSON. */
function toShortText(text: string): string {
  return text.slice(0, 100).toWellFormed().replaceAll("\0", "\ufffd");
}

function updateOpen(
  inbox: OrderInbox,
  key: PostbackOfOrder,
  update: (postback: OpenOfOrder) => OpenOfOrder,
): OrderInbox {
  const open = inbox.open.map((postback) => (isSamePostback(postback, key) ? update(postback) : postback));
  return { ...inbox, open };
}

export function recordHandled(inbox: OrderInbox, keys: readonly PostbackOfOrder[]): OrderInbox {
  let { handled } = inbox;
  for (const { id, rawStatus, amount } of keys) {
    const key = { id, rawStatus, amount };
    if (handled.some((past) => isSamePostback(past, key))) continue;
    const recorded = inbox.open.find((postback) => isSamePostback(postback, key));
    const arrival = recorded?.arrival ?? nextArrival({ ...inbox, handled });
    const postback = { ...key, arrival, amountMatches: recorded?.signedAmount === amount };
    handled = limitHandled([...handled, postback], inbox.winner);
  }
  const open = inbox.open.filter((postback) => !keys.some((key) => isSamePostback(key, postback)));
  return { ...inbox, handled, open };
}

export function toOrderPostbacks({ winner, handled, open }: OrderInbox): OrderPostbacks {
  const known = [
    ...handled.map((postback) => ({ ...postback, isOpen: false, contradictsRecord: undefined })),
    ...open.map((postback) => {
      return { ...postback, amountMatches: postback.signedAmount === postback.amount, isOpen: true };
    }),
  ].toSorted((one, other) => one.arrival - other.arrival);
  const recorded = known.map(({ id, rawStatus, amount, amountMatches, isOpen, contradictsRecord }) => {
    return { id, rawStatus, amount, amountMatches, isOpen, contradictsRecord };
  });
  return { winner, recorded };
}

export function listOpen(externalRef: string, { held, open }: OrderInbox): OpenPostback[] {
  return open.map((postback) => {
    const { id, rawStatus, amount, signedAmount, transactionDate } = postback;
    const { attempts, since, retryAt, lastError, isFailed } = postback;
    const isRunning = held.some((claim) => claim.id === id && leaseLeft(claim.leaseMs, claim.ageMs) > 0);
    const pausedState = isFailed === true ? "failed" : "abandoned";
    return {
      ...{ externalRef, id, status: toTransactionStatus(rawStatus), rawStatus, amount },
      ...(transactionDate !== undefined && { transactionDate }),
      ...(signedAmount !== undefined && { signedAmount }),
      state: isRunning ? "running" : pausedState,
      ...{ attempts, since },
      ...(retryAt !== undefined && !isRunning && { retryAt }),
      ...(lastError !== undefined && { lastError }),
    } as const;
  });
}

/** What a store lists for an inbox that it cannot read. */
export function toUnreadable(externalRef: string, ageMs: number): OpenPostback {
  return {
    ...{ externalRef, id: 0, status: "unrecognized", rawStatus: "", amount: 0, state: "failed", attempts: 0 },
    since: new Date(Date.now() - Math.max(0, ageMs)).toISOString(),
    lastError: { name: "UnreadableRecord" },
  };
}
