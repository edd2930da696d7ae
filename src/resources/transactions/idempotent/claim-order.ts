import type {
  Claim,
  ClaimedOrder,
  IdempotencyStore,
  StoredTransaction,
} from "../../../contracts/idempotency-store.ts";
import { bare, isRecord } from "../../../data/own.ts";
import {
  IdempotencyConflictError,
  type IdempotencyStoreError,
  OutcomePendingError,
} from "../../../errors/idempotency-errors.ts";
import { sanitizeError } from "../../../errors/sanitize-error.ts";
import type { Call } from "../../../http/call.ts";
import { createDeadline, type Deadline, pause, withTimeout } from "../../../http/timers.ts";
import { CREATE_LEASE_MARGIN_MS } from "../../../spec/limits.ts";
import { TRANSACTION_STATUSES } from "../../../spec/transaction-status.ts";
import { isOtherOrder } from "../parse-response.ts";
import { NOT_SENT_BY_THIS_CALL, releaseClaim, storeError } from "./record-outcome.ts";
import type { CreatedClaim } from "./stored-transaction.ts";

/** A reference that this call has claimed. */
interface OwnClaim {
  readonly state: "yours";
  /** Until when the request may be sent. */
  readonly lease: Deadline;
}

/** How often the outcome of an earlier call is checked, in milliseconds. */
const CHECK_AGAIN_AFTER_MS = { first: 50, max: 1_000 } as const;

const NOT_SENT = { consequence: NOT_SENT_BY_THIS_CALL };

/**
 * Claims the reference of an order, durably.
 *
 * @returns the claim of this call, or the transaction that an earlier call created.
 * @throws {IdempotencyConflictError} if the reference belongs to a payment on other terms.
 * @throws {OutcomePendingError} if the outcome of an earlier call is not known yet.
 * @throws {IdempotencyStoreError} if the store fails: nothing is sent.
 */
export async function claimOrder(
  call: Call,
  store: IdempotencyStore,
  order: ClaimedOrder,
): Promise<OwnClaim | CreatedClaim> {
  const { wait = 0, signal } = call.options;
  const startedAt = performance.now();
  let pauseMs: number = CHECK_AGAIN_AFTER_MS.first;
  for (;;) {
    // From before the claim, because the lease begins before the store responds.
    const lease = createDeadline(CREATE_LEASE_MARGIN_MS);
    const claim = await requestClaim(call, store, order);
    switch (claim.state) {
      case "yours":
        return { state: "yours", lease };
      case "created":
        return claim;
      case "conflict":
        throw new IdempotencyConflictError(call.context("not_sent"), claim.earlier);
      case "unresolved":
        throw new OutcomePendingError(call.context("unknown"), "unresolved"); // waiting cannot help
      default: {
        const leftMs = wait - (performance.now() - startedAt);
        if (leftMs <= 0) throw new OutcomePendingError(call.context("unknown"), "claimed");
        // The next claim notices an abort.
        await pause(Math.min(pauseMs, leftMs), signal).catch(() => undefined);
        pauseMs = Math.min(2 * pauseMs, CHECK_AGAIN_AFTER_MS.max);
      }
    }
  }
}

/** The error of a call whose lease could end before the call does: others would then assume that it crashed. */
export function leaseTooShort(call: Call): IdempotencyStoreError {
  return storeError(call, "granted a lease that may end before this call does");
}

async function requestClaim(call: Call, store: IdempotencyStore, order: ClaimedOrder): Promise<Claim> {
  const { timeout: ms, signal } = call.options;
  const replaceLost = call.options.replaceLost && order.paymentMethod === "pix";
  const leaseMs = Math.ceil(ms) + CREATE_LEASE_MARGIN_MS;
  call.throwIfAborted(NOT_SENT);
  let claiming: Promise<unknown> | undefined;
  let claim: Claim | undefined;
  try {
    const received = await withTimeout({ ms, createError: () => noResponse(ms), signal }, (claimSignal) => {
      claimSignal.throwIfAborted();
      // Also a store that throws synchronously may have claimed.
      claiming = (async () => store.claim(order, leaseMs, { signal: claimSignal, replaceLost }))();
      return claiming;
    });
    claim = parseClaim(received, order.externalRef);
  } catch (error) {
    // The claim may have been made, or may still be made. Nothing was sent, so it can be released.
    claiming?.then(
      () => releaseClaim(store, order),
      () => releaseClaim(store, order, createDeadline(leaseMs)),
    );
    call.throwIfAborted(NOT_SENT);
    throw storeError(call, "could not claim the externalRef", await withStoreReason(call, error, claiming));
  }
  if (claim === undefined) throw storeError(call, "returned a claim that cannot be used");
  return claim;
}

/**
 * Makes sure that the lease outlasts the call.
 *
 * @returns until when the request may be sent.
 * @throws {IdempotencyStoreError} if the lease is too short and cannot be renewed.
 */
export async function renewIfSlow(
  call: Call,
  store: IdempotencyStore,
  order: ClaimedOrder,
  lease: Deadline,
): Promise<Deadline> {
  if (lease.elapsedMs <= CREATE_LEASE_MARGIN_MS / 2) return lease;
  const { timeout: ms, signal } = call.options;
  const renewed = createDeadline(CREATE_LEASE_MARGIN_MS);
  const renewal = withTimeout({ ms, createError: () => noResponse(ms), signal }, async () =>
    store.renew(order, Math.ceil(ms) + CREATE_LEASE_MARGIN_MS),
  );
  const isOwn = await renewal.catch(() => false);
  call.throwIfAborted(NOT_SENT);
  if (!isOwn) throw leaseTooShort(call);
  return renewed;
}

/** A store that stops at once may await this many promises first. A timer would not end if a test fakes timers. */
const STOPPING_AWAITS = 50;

function noResponse(ms: number): Error {
  return new Error(`It did not respond within ${ms} ms.`);
}

/** Adds the reason of a store that stops at once when it is given up, such as that its file is locked. */
async function withStoreReason(
  call: Call,
  late: unknown,
  claiming: Promise<unknown> | undefined,
): Promise<unknown> {
  let thrown: unknown;
  claiming?.catch((error: unknown) => {
    thrown = error;
  });
  for (let awaits = 0; thrown === undefined && awaits < STOPPING_AWAITS; awaits += 1) await undefined;
  const reason =
    thrown === late || !(thrown instanceof Error) ? undefined : sanitizeError(thrown, call.redactor);
  if (!reason?.message || !(late instanceof Error)) return late;
  return new Error(`${late.message.replace(/\.$/, "")}: ${reason.message}`, { cause: reason });
}

const STATUSES: ReadonlySet<unknown> = new Set([...TRANSACTION_STATUSES, "unrecognized"]);

/** The claim that a store returned; `undefined` if it cannot be used, because a custom store may return anything. */
function parseClaim(received: unknown, externalRef: string): Claim | undefined {
  if (!isRecord(received)) return undefined;
  const claim = bare(received);
  switch (claim["state"]) {
    case "yours":
    case "unresolved":
      return { state: claim["state"] };
    case "claimed":
      return { state: "claimed", leaseLeftMs: Number(claim["leaseLeftMs"]) || 0 };
    case "conflict": {
      const { earlier } = claim;
      return {
        state: "conflict",
        earlier: earlier === "claimed" || earlier === "unresolved" ? earlier : "created",
      };
    }
    case "created":
      return parseCreatedClaim(claim, externalRef);
    default:
      return undefined;
  }
}

function parseCreatedClaim(
  { transactionId: id, transaction }: Record<string, unknown>,
  externalRef: string,
): CreatedClaim | undefined {
  const isId = typeof id === "string" ? id !== "" : Number.isSafeInteger(id);
  if (!isId) return undefined;
  const creation = { state: "created", transactionId: id as number | string } as const;
  if (!isTransaction(transaction)) return creation;
  // Another order's transaction must not be shipped for this one.
  return isOtherOrder(transaction.externalId, externalRef) ? undefined : { ...creation, transaction };
}

/** Whether a stored value is a transaction. If not, the transaction exists, but its details are lost. */
function isTransaction(transaction: unknown): transaction is StoredTransaction {
  if (!isRecord(transaction)) return false;
  const { id, amount, status } = bare(transaction);
  return Number.isSafeInteger(id) && Number.isSafeInteger(amount) && STATUSES.has(status);
}
