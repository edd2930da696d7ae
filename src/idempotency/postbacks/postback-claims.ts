import type {
  OpenPostback,
  PostbackClaim,
  PostbackDetails,
  PostbackFailure,
  PostbackKey,
} from "../../contracts/postback-store.ts";
import { leaseLeft } from "../documents.ts";
import {
  type HeldPostback,
  listOpen,
  type OrderInbox,
  pauseLeft,
  recordArrival,
  recordFailure,
  recordHandled,
  recordStart,
  toOrderPostbacks,
} from "./order-inbox.ts";
import { isSamePostback, type PostbackOfOrder } from "./postback-history.ts";

export interface InboxChange<Result> {
  /** The same object if nothing changes. */
  readonly inbox: OrderInbox;
  readonly result: Result;
}

export interface PostbackClaimer {
  readonly key: PostbackKey;
  readonly owner: string;
}

interface ClaimOptions {
  readonly leaseMs: number;
  /**
   * Milliseconds in which the owner of an ended lease may still renew it: a database that was unreachable could not record
   * a renewal.
   */
  readonly graceMs: number;
  readonly details: PostbackDetails | undefined;
}

/** Records a postback, and claims it if it is free. */
export function claimPostback(
  inbox: OrderInbox,
  { key, owner }: PostbackClaimer,
  { leaseMs, graceMs, details }: ClaimOptions,
): InboxChange<PostbackClaim> {
  if (inbox.handled.some((past) => isSamePostback(past, key))) return { inbox, result: { state: "done" } };
  const recorded = details === undefined ? inbox : recordArrival(inbox, key, details);
  const held = recorded.held.find(({ id }) => id === key.id);
  const leaseLeftMs = leaseLeftOf(held);
  if (held !== undefined && leaseLeftMs > 0) {
    return { inbox: recorded, result: toBusy(held, key, leaseLeftMs) };
  }
  const known = recorded.open.find((postback) => isSamePostback(postback, key));
  const pauseMs = pauseLeft(known);
  if (details?.attempts !== undefined && known && known.attempts > details.attempts && pauseMs > 0) {
    return { inbox: recorded, result: { state: "busy", isSame: true, leaseLeftMs: pauseMs } };
  }
  if (held !== undefined && held.isOverdue !== true && graceMs > 0) {
    const overdue = { ...held, leaseMs: Math.min(held.leaseMs, graceMs), ageMs: 0, isOverdue: true };
    return { inbox: withHeld(recorded, key.id, overdue), result: toBusy(overdue, key, overdue.leaseMs) };
  }
  const { id, rawStatus, amount } = key;
  const claimed = withHeld(recorded, id, { id, rawStatus, amount, owner, leaseMs, ageMs: 0 });
  const started = recordStart(claimed, key);
  return { inbox: started, result: toClaim(started, key, details) };
}

function toClaim(inbox: OrderInbox, key: PostbackKey, details: PostbackDetails | undefined): PostbackClaim {
  const handled = inbox.handled
    .filter(({ id }) => id === key.id)
    .map(({ rawStatus, amount }) => ({ rawStatus, amount }));
  // An inbox that is full has no place for this postback, but knows what was paid.
  const order = details && toOrderPostbacks(inbox);
  const open = inbox.open.find((postback) => isSamePostback(postback, key));
  if (open === undefined) return { state: "yours", handled, order };
  const { attempts, since, beforeStart, lastError } = open;
  const lastStartedAt = beforeStart && (beforeStart.startedAt ?? since);
  const hasFailed = lastError !== undefined;
  return { state: "yours", handled, order, attempts, since, lastStartedAt, hasFailed };
}

export function renewPostback(
  inbox: OrderInbox,
  claimer: PostbackClaimer,
  leaseMs: number,
): InboxChange<boolean> {
  const held = findHeldBy(inbox, claimer);
  if (held === undefined) return { inbox, result: false };
  const renewed = { ...held, leaseMs, ageMs: 0, isOverdue: undefined };
  return { inbox: withHeld(inbox, held.id, renewed), result: true };
}

export function confirmPostback(inbox: OrderInbox, claimer: PostbackClaimer): InboxChange<boolean> {
  const { key, owner } = claimer;
  const held = inbox.held.find((claim) => isSamePostback(claim, key));
  if (held !== undefined && held.owner !== owner && leaseLeftOf(held) > 0) return { inbox, result: false };
  const released = findHeldBy(inbox, claimer) ? withHeld(inbox, key.id, undefined) : inbox;
  if (inbox.handled.some((past) => isSamePostback(past, key))) return { inbox: released, result: false };
  return { inbox: recordHandled(released, [key]), result: true };
}

export function releasePostback(
  inbox: OrderInbox,
  claimer: PostbackClaimer,
  failure: PostbackFailure | undefined,
): InboxChange<void> {
  if (findHeldBy(inbox, claimer) === undefined) return { inbox, result: undefined };
  const released = withHeld(inbox, claimer.key.id, undefined);
  return { inbox: recordFailure(released, claimer.key, failure), result: undefined };
}

/** Ends the open postbacks whose callback is not running, and returns them as they were. */
export function closePostbacks(inbox: OrderInbox, externalRef: string): InboxChange<readonly OpenPostback[]> {
  const isHeld = (postback: PostbackOfOrder) =>
    inbox.held.some((claim) => isSamePostback(claim, postback) && leaseLeftOf(claim) > 0);
  const closed = listOpen(externalRef, inbox).filter((postback) => !isHeld(postback));
  return { inbox: closed.length === 0 ? inbox : recordHandled(inbox, closed), result: closed };
}

function toBusy(held: HeldPostback, key: PostbackKey, leaseLeftMs: number): PostbackClaim {
  const isOverdue = held.isOverdue === true && { isOverdue: true };
  return { state: "busy", isSame: isSamePostback(held, key), ...isOverdue, leaseLeftMs };
}

function leaseLeftOf(held: HeldPostback | undefined): number {
  return held === undefined ? 0 : leaseLeft(held.leaseMs, held.ageMs);
}

function findHeldBy(inbox: OrderInbox, { key, owner }: PostbackClaimer): HeldPostback | undefined {
  return inbox.held.find((claim) => claim.owner === owner && isSamePostback(claim, key));
}

function withHeld(inbox: OrderInbox, id: number, claim: HeldPostback | undefined): OrderInbox {
  const others = inbox.held.filter((held) => held.id !== id);
  return { ...inbox, held: claim === undefined ? others : [...others, claim] };
}
