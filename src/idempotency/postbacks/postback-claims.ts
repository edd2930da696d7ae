import type {
  HandledPostback,
  PostbackClaim,
  PostbackKey,
  PostbackStore,
} from "../../contracts/postback-store.ts";
import { withOwn } from "../../data/own-properties.ts";
import { changeDocument, type Documents, leaseLeft } from "../documents.ts";
import { limitHandled } from "./postback-history.ts";

/** A claim of a postback. */
export interface HeldPostback extends HandledPostback {
  readonly owner: string;
  /** Milliseconds from when it was written. */
  readonly leaseMs: number;
  /** Its lease has ended once, and its owner has not renewed it since. */
  readonly isOverdue?: boolean;
}

/** The postbacks of one transaction: one is handled at a time. */
export interface TransactionPostbacks {
  readonly held?: HeldPostback | undefined;
  /** Latest last. */
  readonly handled: readonly HandledPostback[];
}

/** @param ageMs - Milliseconds since the postbacks were written. */
export type DecidePostback<Result> = (
  postbacks: TransactionPostbacks,
  ageMs: number,
) => {
  /** The new postbacks; missing if they do not change. */
  readonly next?: TransactionPostbacks | undefined;
  readonly result: Result;
};

/** The storage of a postback store. */
interface PostbackRecords {
  /** Atomically changes the postbacks of the transaction of `key`. `isClaim`: the transaction probably has none yet. */
  change<Result>(key: PostbackKey, isClaim: boolean, decide: DecidePostback<Result>): Promise<Result>;
  /**
   * Milliseconds in which the owner of an ended lease may still renew it: a database that was unreachable could not record
   * a renewal. Zero if that cannot happen.
   */
  readonly renewalGraceMs: number;
}

/** The rules that all postback stores share. */
export function createPostbackStore({ change, renewalGraceMs }: PostbackRecords): PostbackStore {
  return {
    claimPostback: (key, owner, leaseMs) =>
      change<PostbackClaim>(key, true, ({ held, handled }, ageMs) => {
        if (hasHandled(handled, key)) return { result: { state: "done" } };
        const leaseLeftMs = held === undefined ? 0 : leaseLeft(held.leaseMs, ageMs);
        if (held !== undefined && leaseLeftMs > 0) return { result: toBusy(held, key, leaseLeftMs) };
        if (held !== undefined && held.isOverdue !== true && renewalGraceMs > 0) {
          const overdue = { ...held, leaseMs: Math.min(held.leaseMs, renewalGraceMs), isOverdue: true };
          return { next: { held: overdue, handled }, result: toBusy(overdue, key, overdue.leaseMs) };
        }
        const { rawStatus, amount } = key;
        return {
          next: { held: { rawStatus, amount, owner, leaseMs }, handled },
          result: { state: "yours", handled },
        };
      }),
    renewPostback: (key, owner, leaseMs) =>
      change<boolean>(key, false, ({ held, handled }) => {
        if (!isHeldBy(held, key, owner)) return { result: false };
        return { next: { held: { ...held, leaseMs, isOverdue: false }, handled }, result: true };
      }),
    confirmPostback: (key, owner) =>
      change<boolean>(key, false, ({ held, handled }, ageMs) => {
        const leaseMs = held === undefined ? 0 : leaseLeft(held.leaseMs, ageMs);
        const isHeldByOther = held !== undefined && isSame(held, key) && held.owner !== owner && leaseMs > 0;
        if (isHeldByOther) return { result: false };
        if (hasHandled(handled, key)) {
          return { ...(isHeldBy(held, key, owner) && { next: { handled } }), result: false };
        }
        const { rawStatus, amount } = key;
        const remaining = held === undefined || held.owner === owner ? undefined : { ...held, leaseMs };
        return { next: { held: remaining, handled: [...handled, { rawStatus, amount }] }, result: true };
      }),
    releasePostback: (key, owner) =>
      change<void>(key, false, ({ held, handled }) => {
        return { ...(isHeldBy(held, key, owner) && { next: { handled } }), result: undefined };
      }),
  };
}

function toBusy(held: HeldPostback, key: PostbackKey, leaseLeftMs: number): PostbackClaim {
  const isOverdue = held.isOverdue === true && { isOverdue: true };
  return { state: "busy", isSame: isSame(held, key), ...isOverdue, leaseLeftMs };
}

function isHeldBy(held: HeldPostback | undefined, key: PostbackKey, owner: string): held is HeldPostback {
  return held?.owner === owner && isSame(held, key);
}

function hasHandled(handled: readonly HandledPostback[], key: PostbackKey): boolean {
  return handled.some((past) => isSame(past, key));
}

function isSame(past: HandledPostback, { rawStatus, amount }: HandledPostback): boolean {
  return past.rawStatus === rawStatus && past.amount === amount;
}

/**
 * Milliseconds after the end of a lease in which its owner can still renew it. The database may have been unreachable
 * for that long, or its clock was set forward.
 */
const RENEWAL_GRACE_MS = 5_000;

/**
 * Handled postbacks of one transaction that a database keeps. Postbacks that decide what a later postback means are never
 * removed.
 */
const MAX_HANDLED = 1_000;

/** Keeps postbacks in documents: one for each transaction. */
export function createDocumentPostbacks(documents: Documents): PostbackStore {
  return createPostbackStore({
    renewalGraceMs: RENEWAL_GRACE_MS,
    async change(key, isClaim, decide) {
      const { trust, externalRef, id } = key;
      const documentKey = JSON.stringify([trust, id, externalRef]);
      const expected = isClaim ? undefined : await documents.read(documentKey);
      const { result } = await changeDocument(documents, documentKey, expected, undefined, (stored) => {
        // `held` becomes an own property, so that it is never inherited.
        const before: TransactionPostbacks = withOwn(JSON.parse(stored?.text ?? '{"handled":[]}'), ["held"]);
        const { next, result } = decide(before, stored?.ageMs ?? 0);
        if (next === undefined) return { result };
        const handled = limitHandled(next.handled, MAX_HANDLED);
        return { write: { text: JSON.stringify({ ...next, handled }), isOpen: false }, result };
      });
      return result;
    },
  });
}
