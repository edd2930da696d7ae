import type { OrderRecord } from "../contracts/idempotency-store.ts";
import type {
  HandledPostback,
  OrderPostbacks,
  PostbackClaim,
  PostbackDetails,
  PostbackFailure,
  PostbackKey,
  PostbackStore,
} from "../contracts/postback-store.ts";
import { createUniqueId } from "../data/unique-id.ts";
import { Backoff, pause, unref, withTimeout } from "../http/timers.ts";
import type { HandlerSettings } from "./handler-options.ts";
import { settlesWithin } from "./postback-queue.ts";

/** A lease is renewed this often before it ends, so that one late timer does not end it. */
const RENEWALS_PER_LEASE = 3;

/** The longest interval between renewals of a lease, in milliseconds. */
const MAX_RENEWAL_MS = 2_000;

/** Timeout of a store operation, in milliseconds, if the lease is not shorter. */
const STORE_TIMEOUT_MS = 10_000;

/** Pauses before the retries of a failed store call in the background. They do not keep a process alive. */
const RETRIES = { firstMs: 50, longestMs: 2_000, keepsAlive: false } as const;

/** Maximum number of releases that are retried at the same time in a store. During an outage each delivery would add one. */
const MAX_RELEASE_RETRIES = 100;
const releaseRetries = new WeakMap<object, number>();

export function callStore<Result>(leaseMs: number, call: () => Promise<Result>): Promise<Result> {
  const ms = Math.min(leaseMs, STORE_TIMEOUT_MS);
  const createError = () => new Error(`The store did not respond within ${ms} ms.`);
  return withTimeout({ ms, createError }, call);
}

/** A custom store may omit fields. @throws {TypeError} if it did not return a claim. */
function toClaim(claim: PostbackClaim | undefined): PostbackClaim {
  switch (claim?.state) {
    case "yours":
      return {
        ...claim,
        handled: Array.isArray(claim.handled) ? claim.handled.filter(isHandled) : [],
        order: toOrder(claim.order),
      };
    case "busy":
      return { ...claim, isSame: claim.isSame !== false, leaseLeftMs: Number(claim.leaseLeftMs) || 0 };
    case "done":
      return claim;
    default:
      throw new TypeError("The store did not return a claim.");
  }
}

function toOrder(order: OrderPostbacks | undefined): OrderPostbacks | undefined {
  if (!Array.isArray(order?.recorded)) return undefined;
  return { ...order, winner: order.winner ?? undefined }; // null in a database
}

function isHandled(past: HandledPostback | undefined): boolean {
  return typeof past?.rawStatus === "string" && typeof past.amount === "number";
}

/** Whether a handled postback is recorded; if the store did not respond in time, `later` resolves when it does. */
export type Recording =
  | { readonly isRecorded: boolean }
  | { readonly later: Promise<boolean>; readonly lastError: unknown };

type Track = (work: Promise<unknown>) => unknown;

/** The lease of this process on a postback. It renews itself from the claim until it is recorded or released. */
export class PostbackLease {
  readonly #store: PostbackStore;
  readonly #key: PostbackKey;
  readonly #owner = createUniqueId();
  readonly #leaseMs: number;
  /**
   * The interval of renewals, and the time limit of each: a store that was unreachable, without even refusing the
   * connection, is called again before another process may take over the postback.
   */
  readonly #renewalMs: number;
  readonly #controller = new AbortController();
  readonly #details: PostbackDetails | undefined;
  readonly #track: Track;
  #renewal: ReturnType<typeof setTimeout> | undefined;
  #lastError: unknown = new Error("The store has not responded yet.");

  /**
   * @param details - Recorded by each claim; none for an unsigned postback.
   * @param track - Receives the releases that the store has not made yet, until the lease has ended.
   */
  constructor(
    { inbox, leaseMs }: Pick<HandlerSettings, "inbox" | "leaseMs">,
    key: PostbackKey,
    details: PostbackDetails | undefined,
    track: Track,
  ) {
    this.#store = inbox;
    this.#key = key;
    this.#details = details;
    this.#track = track;
    this.#leaseMs = leaseMs;
    this.#renewalMs = Math.min(leaseMs / RENEWALS_PER_LEASE, MAX_RENEWAL_MS);
  }

  get isHeld(): boolean {
    return this.#renewal !== undefined;
  }

  /** Aborts when another process has taken over the postback. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Aborts {@link signal} with another reason. */
  abort(reason: Error): void {
    this.#controller.abort(reason);
  }

  /**
   * @param record - Of the order, in which a store may record the postback together with the claim.
   * @throws the error of the store. A claim that the store may still have made is released.
   */
  async claim(record?: OrderRecord): Promise<PostbackClaim> {
    let claiming: Promise<PostbackClaim> | undefined;
    try {
      const claim = await callStore(this.#leaseMs, () => {
        claiming = (async () => toClaim(await this.#claimInStore(record)))();
        return claiming;
      });
      if (claim.state === "yours") this.#startRenewing();
      return claim;
    } catch (error) {
      const release = () => this.release();
      void release();
      claiming?.then(release, () => undefined); // the claim may be made after the first release
      throw error;
    }
  }

  /**
   * Releases the claim; never rejects. If the store fails, it is called again in the background until the lease has ended.
   *
   * @param failure - Of the callback; none if it did not run.
   */
  async release(failure?: PostbackFailure): Promise<void> {
    this.#stopRenewing();
    const backoff = new Backoff({ ...RETRIES, forMs: this.#leaseMs });
    const tryToRelease = () =>
      callStore(this.#leaseMs, async () => this.#store.releasePostback(this.#key, this.#owner, failure)).then(
        () => true,
        () => false,
      );
    const retry = async () => {
      if (await first) return;
      const running = releaseRetries.get(this.#store) ?? 0;
      if (running >= MAX_RELEASE_RETRIES) return pause(this.#leaseMs, undefined, false); // its lease ends
      releaseRetries.set(this.#store, running + 1);
      let isReleased = false;
      while (!isReleased && (await backoff.pause())) isReleased = await tryToRelease();
      releaseRetries.set(this.#store, (releaseRetries.get(this.#store) ?? 1) - 1);
    };
    const first = tryToRelease();
    this.#track(retry());
    await first;
  }

  /**
   * Records that the postback was handled. It is retried until the store responds, however long that takes, because
   * only this process knows that it was handled. The result is `false` if another process claimed the postback, or recorded it.
   */
  async record(waitMs: number): Promise<Recording> {
    this.#stopRenewing();
    const recording = this.#recordWithRetries();
    return (await settlesWithin(recording, waitMs))
      ? { isRecorded: await recording }
      : { later: recording, lastError: this.#lastError };
  }

  async #recordWithRetries(): Promise<boolean> {
    let isRecorded: boolean | undefined;
    const confirm = async () => {
      const isConfirmed = await this.#store.confirmPostback(this.#key, this.#owner);
      isRecorded = isConfirmed || isRecorded === true; // an earlier try may have recorded it
      return isRecorded;
    };
    const backoff = new Backoff({ ...RETRIES, longestMs: this.#renewalMs });
    do {
      try {
        return await callStore(this.#renewalMs, confirm);
      } catch (error) {
        this.#lastError = error;
      }
      await backoff.pause();
    } while (isRecorded === undefined);
    return isRecorded; // the store responded late
  }

  /** Does not keep the process alive: a callback that does nothing more would never end. */
  #startRenewing(): void {
    const renew = async () => {
      await callStore(this.#renewalMs, () => this.#renew()).catch(() => undefined); // the next one may succeed
      if (this.isHeld) this.#startRenewing();
    };
    this.#renewal = unref(setTimeout(renew, this.#renewalMs));
  }

  async #renew(): Promise<void> {
    const isRenewed = await this.#store.renewPostback(this.#key, this.#owner, this.#leaseMs);
    if (isRenewed !== false || !this.isHeld) return;
    // The store may have lost the claim: it is made again, unless another process has claimed the postback.
    const { state } = await this.#claimInStore();
    if (!this.isHeld) await this.#store.releasePostback(this.#key, this.#owner);
    else if (state !== "yours") this.abort(new Error("Another process has taken over the postback."));
  }

  #claimInStore(record?: OrderRecord): Promise<PostbackClaim> {
    const details = record && this.#details ? { ...this.#details, record } : this.#details;
    return this.#store.claimPostback(this.#key, this.#owner, this.#leaseMs, details);
  }

  #stopRenewing(): void {
    clearTimeout(this.#renewal);
    this.#renewal = undefined;
  }
}
