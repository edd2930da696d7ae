import { Redactor } from "../../data/redactor.ts";
import { IdempotencyConflictError } from "../../errors/idempotency-conflict-error.ts";
import { IdempotencyStoreError } from "../../errors/idempotency-store-error.ts";
import type { Outcome } from "../../errors/outcome.ts";
import { OutcomePendingError } from "../../errors/outcome-pending-error.ts";
import { sanitizeError } from "../../errors/sanitize-error.ts";
import { abortedError } from "../../http/aborted.ts";
import type { CallScope } from "../../http/call-scope.ts";
import { type EventListener, emitTo } from "../../http/events.ts";
import type { WithResponse } from "../../http/result.ts";
import { withTimeout } from "../../http/timers.ts";
import type { AttemptEnd, Claim, ClaimedOrder, IdempotencyStore } from "../../idempotency/contract.ts";
import { endpoints } from "../../spec/endpoints.ts";
import { CREATE_LEASE_MARGIN_MS } from "../../spec/limits.ts";
import { readClaim } from "./read-claim.ts";
import { giveBack, recordEnd, recordEndLater } from "./record-end.ts";
import { Stopwatch } from "./stopwatch.ts";
import { replayOf } from "./stored-transaction.ts";
import type { Transaction } from "./transaction.ts";

/** A create that is to be sent at most once. */
export interface GuardedCreate {
  readonly scope: CallScope;
  readonly order: ClaimedOrder;
  /** What must not come out of it. */
  readonly secrets: readonly (string | undefined)[];
  /** Milliseconds that the call may take. */
  readonly timeout: number;
  /** Milliseconds to wait for the end of an earlier call. */
  readonly wait: number;
  readonly signal: AbortSignal | undefined;
}

/** How often the end of an earlier call is looked for, in milliseconds: at first, and at last. */
const LOOK_AGAIN_AFTER_MS = { first: 50, most: 1_000 } as const;

/** How long the result of a create waits for the record of it, in milliseconds. */
const RECORD_WITHIN_MS = 5_000;

/** What an earlier call for the same reference did, nobody has asked yet. */
const NOT_BY_THIS_CALL = "Nothing was sent by this call.";

const LEASE_TOO_SHORT = "gave a lease that may end before this call does";

const endpoint = endpoints.createTransaction.name;

/** Keeps one create from being sent twice, whoever else tries, and whatever crashes. */
export class AtMostOnce {
  readonly #store: IdempotencyStore;
  readonly #onEvent: EventListener | undefined;
  /** From the moment at which the lease was asked for, which is before it began. */
  readonly #sinceClaim = new Stopwatch();
  #claimed: GuardedCreate | undefined;

  constructor(store: IdempotencyStore, onEvent: EventListener | undefined) {
    this.#store = store;
    this.#onEvent = onEvent;
  }

  /**
   * Claims the reference, durably. Where it was sent before, it gives the result of that.
   *
   * @throws {IdempotencyConflictError} where the reference belongs to a payment on other terms.
   * @throws {OutcomePendingError} where nobody knows yet what became of it.
   * @throws {IdempotencyStoreError} where the store fails: nothing is sent.
   */
  async claim(create: GuardedCreate): Promise<WithResponse<Transaction> | undefined> {
    const start = performance.now();
    let pauseMs: number = LOOK_AGAIN_AFTER_MS.first;
    while (true) {
      const claim = await this.#ask(create);
      switch (claim?.state) {
        case "yours":
          this.#claimed = create;
          await this.#renewIfSlow(create);
          return undefined;
        case "created":
          return replayOf(claim, create.scope, performance.now() - start);
        case "conflict":
          throw new IdempotencyConflictError(create.scope.context("not_sent"), claim.earlier);
        case "claimed":
        case "unresolved":
          await pause(create, claim.state, pauseMs, create.wait - (performance.now() - start));
          pauseMs = Math.min(2 * pauseMs, LOOK_AGAIN_AFTER_MS.most);
          break;
        default:
          throw failure(create, "gave a claim that cannot be used");
      }
    }
  }

  /**
   * The last check, at the moment of sending: a machine may have slept since the claim.
   *
   * @throws {IdempotencyStoreError} if the lease could end before the call does: others would then take it for over.
   */
  readonly beforeSend = (): void => {
    const isLate = this.#sinceClaim.elapsedMs() > CREATE_LEASE_MARGIN_MS;
    if (this.#claimed !== undefined && isLate) throw failure(this.#claimed, LEASE_TOO_SHORT);
  };

  /** Records how the create ended; never rejects, and never takes long. */
  async end(end: AttemptEnd, outcome: Exclude<Outcome, "not_applicable">): Promise<void> {
    const create = this.#claimed;
    if (create === undefined) return;
    const { order } = create;
    try {
      const patience = { ms: RECORD_WITHIN_MS, late: lateBy(RECORD_WITHIN_MS) };
      this.#warnOfOthers(order, await withTimeout(patience, () => recordEnd(this.#store, order, end)));
    } catch (error) {
      const missing = failure(create, "has no record of how this create ended", error, outcome);
      const { externalRef } = order;
      emitTo(this.#onEvent, { type: "error", endpoint, externalRef, error: missing });
      recordEndLater(this.#store, order, end).then(
        (others) => this.#warnOfOthers(order, others),
        () => undefined, // the order is listed as unresolved when its lease ends
      );
    }
  }

  #warnOfOthers({ externalRef }: ClaimedOrder, others: readonly (number | string)[]): void {
    // A store of the merchant's own may give nothing.
    if (!Array.isArray(others) || others.length === 0) return;
    const message = `has other transactions, too: ${others.join(", ")}. Look whether the customer was charged twice.`;
    emitTo(this.#onEvent, { type: "warning", endpoint, externalRef, field: "externalRef", message });
  }

  async #ask(create: GuardedCreate): Promise<Claim | undefined> {
    const { order, timeout: ms, signal } = create;
    refuseIfAborted(create);
    this.#sinceClaim.restart();
    const waiting = new AbortController();
    let claiming: Promise<Claim> | undefined;
    try {
      const claim = await withTimeout({ ms, late: lateBy(ms), signal }, () => {
        claiming = (async () => this.#store.claim(order, leaseOf(create), { signal: waiting.signal }))();
        return claiming;
      });
      return readClaim(claim, order.externalRef);
    } catch (error) {
      waiting.abort(error);
      // It may have been made, or may still be: nothing was sent, so it can be given back.
      const release = () => giveBack(this.#store, order);
      claiming?.then(release, release);
      refuseIfAborted(create);
      throw failure(create, "could not claim the externalRef", await withReason(error, claiming));
    }
  }

  /** The lease has to outlast the call. */
  async #renewIfSlow(create: GuardedCreate): Promise<void> {
    const { order, timeout: ms, signal } = create;
    if (this.#sinceClaim.elapsedMs() <= CREATE_LEASE_MARGIN_MS / 2) return;
    this.#sinceClaim.restart();
    const renewal = withTimeout({ ms, late: lateBy(ms), signal }, () =>
      this.#store.renew(order, leaseOf(create)),
    );
    const isOwn = await renewal.catch(() => false);
    refuseIfAborted(create);
    if (!isOwn) throw failure(create, LEASE_TOO_SHORT);
  }
}

/** @throws {OutcomePendingError} where there is nothing left to wait for. */
async function pause(
  create: GuardedCreate,
  state: "claimed" | "unresolved",
  ms: number,
  leftMs: number,
): Promise<void> {
  if (leftMs <= 0) throw new OutcomePendingError(create.scope.context("unknown"), state);
  const never = () => new Promise<never>(() => undefined);
  const patience = { ms: Math.min(ms, leftMs), late: () => new Error(), signal: create.signal };
  await withTimeout(patience, never).catch(() => undefined); // who asks next sees whether it was aborted
}

/** Nothing was sent yet. */
function refuseIfAborted(create: GuardedCreate): void {
  const { signal, scope, secrets } = create;
  if (signal?.aborted !== true) return;
  const context = { ...scope.context("not_sent"), consequence: NOT_BY_THIS_CALL };
  throw abortedError(signal, context, new Redactor(secrets));
}

function leaseOf({ timeout }: GuardedCreate): number {
  return Math.ceil(timeout) + CREATE_LEASE_MARGIN_MS;
}

function lateBy(ms: number): () => Error {
  return () => new Error(`It did not answer within ${ms} ms.`);
}

/** Adds what a store says that gives up at once, such as that its file is locked. */
async function withReason(late: unknown, claiming: Promise<unknown> | undefined): Promise<unknown> {
  const silent = new Promise<void>((resolve) => setTimeout(resolve));
  const said = await Promise.race([claiming?.catch((caught: unknown) => caught), silent]);
  const reason =
    said === late || !(said instanceof Error) ? undefined : sanitizeError(said, new Redactor([]));
  if (!reason?.message || !(late instanceof Error)) return late;
  return new Error(`${late.message.replace(/\.$/, "")}: ${reason.message}`, { cause: reason });
}

function failure(
  create: GuardedCreate,
  what: string,
  error?: unknown,
  outcome: Exclude<Outcome, "not_applicable"> = "not_sent",
): IdempotencyStoreError {
  const cause = error === undefined ? undefined : sanitizeError(error, new Redactor(create.secrets));
  const why = cause?.message ? `: ${cause.message.replace(/\.$/, "")}` : "";
  const consequence = outcome === "not_sent" ? NOT_BY_THIS_CALL : undefined;
  const context = { ...create.scope.context(outcome), cause, consequence };
  return new IdempotencyStoreError(`The idempotency store ${what}${why}.`, context);
}
