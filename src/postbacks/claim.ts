import type {
  HandledPostback,
  PostbackClaim,
  PostbackKey,
  PostbackStore,
} from "../contracts/postback-store.ts";
import { isRecord } from "../data/own.ts";
import { backgroundPause, withTimeout } from "../http/timers.ts";
import type { HandlerSettings } from "./options.ts";
import { type QueuePlace, settlesWithin } from "./queue.ts";

/** The result of {@link claimInTurn}. */
export type Claim =
  | { readonly state: "claimed"; readonly lease: PostbackLease; readonly handled: readonly HandledPostback[] }
  | Exclude<PostbackClaim, { state: "claimed" }>;

/** Pauses between the claims of a postback while another process handles its transaction, in milliseconds. */
const CLAIM_AGAIN_MS = { first: 50, max: 1_000 } as const;

/** A lease is renewed this often before it ends, so that one late timer does not end it. */
const RENEWALS_PER_LEASE = 3;

/** Pauses before the retries of a failed store call, in milliseconds; the last one repeats. */
const RETRY_PAUSES_MS = [50, 200, 800, 2_000] as const;

/** The longest interval between renewals of a lease, in milliseconds. It is at most a third of the lease. */
const MAX_RENEWAL_MS = 2_000;

/** Timeout of a store operation, in milliseconds, if the lease is not shorter. */
const STORE_TIMEOUT_MS = 10_000;

/** Calls the store with a timeout. */
export function callStore<Result>(leaseMs: number, call: () => Promise<Result>): Promise<Result> {
  const ms = Math.min(leaseMs, STORE_TIMEOUT_MS);
  return withTimeout(
    { ms, createError: () => new Error(`The store did not respond within ${ms} ms.`) },
    call,
  );
}

/**
 * Claims a postback in the store. It first waits until no other status of the same transaction is being handled: of two
 * postbacks that arrive together, the older one must not undo the newer one.
 *
 * @throws the error of the store. No claim is left behind.
 */
export async function claimInTurn(
  key: PostbackKey,
  place: QueuePlace,
  { store, leaseMs, timeout }: HandlerSettings,
): Promise<Claim> {
  const start = performance.now();
  if (!(await place.waitForTurn(timeout))) return { state: "busy", isSame: false, leaseLeftMs: leaseMs };
  const lease = new PostbackLease(store, key, leaseMs);
  let pauseMs: number = CLAIM_AGAIN_MS.first;
  while (true) {
    const claim = await lease.claim();
    if (claim.state === "claimed") return { ...claim, lease };
    const mayEndSoon = claim.state === "busy" && (!claim.isSame || claim.isOverdue === true);
    const leftMs = timeout - (performance.now() - start);
    if (!mayEndSoon || leftMs <= 0) return claim;
    const waitMs = Math.min(pauseMs * (0.5 + Math.random() / 2), leftMs);
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    pauseMs = Math.min(2 * pauseMs, CLAIM_AGAIN_MS.max);
  }
}

/** Whether a handled postback is recorded; if the store did not respond in time, `later` resolves when it does. */
export type Recording =
  | { readonly isRecorded: boolean }
  | { readonly later: Promise<boolean>; readonly lastError: unknown };

/** The lease of this process on a postback. It renews itself from the claim until it is recorded or released. */
export class PostbackLease {
  readonly #store: PostbackStore;
  readonly #key: PostbackKey;
  readonly #owner = crypto.randomUUID();
  readonly #leaseMs: number;
  /**
   * The interval of renewals, and the time limit of each: a store that was unreachable, without even refusing the
   * connection, is called again before another process may take over the postback.
   */
  readonly #renewalMs: number;
  #renewal: ReturnType<typeof setTimeout> | undefined;
  #isHeld = false;
  #lastError: unknown = new Error("The store has not responded yet.");

  constructor(store: PostbackStore, key: PostbackKey, leaseMs: number) {
    this.#store = store;
    this.#key = key;
    this.#leaseMs = leaseMs;
    this.#renewalMs = Math.min(leaseMs / RENEWALS_PER_LEASE, MAX_RENEWAL_MS);
  }

  /** @throws the error of the store. A claim that the store may still have made is released. */
  async claim(): Promise<PostbackClaim> {
    let claiming: Promise<PostbackClaim> | undefined;
    try {
      const received = await callStore(this.#leaseMs, () => {
        claiming = (async () => this.#claimInStore())();
        return claiming;
      });
      const claim = parseClaim(received);
      if (claim.state === "claimed") this.#startRenewing();
      return claim;
    } catch (error) {
      const release = () => this.release();
      void release();
      claiming?.then(release, () => undefined); // the claim may be made after the first release
      throw error;
    }
  }

  /** Releases the claim; never rejects. A failure is retried in the background until the lease has ended. */
  async release(): Promise<void> {
    this.#stopRenewing();
    const start = performance.now();
    const releaseInStore = () =>
      callStore(this.#leaseMs, async () => this.#store.releasePostback(this.#key, this.#owner));
    const retry = async () => {
      let isReleased = false;
      for (let tries = 0; !isReleased && performance.now() - start < this.#leaseMs; tries += 1) {
        await backgroundPause(retryPauseMs(tries));
        isReleased = await releaseInStore().then(
          () => true,
          () => false,
        );
      }
      releaseRetries -= 1;
    };
    await releaseInStore().catch(() => {
      if (releaseRetries === MAX_RELEASE_RETRIES) return; // its lease ends by itself
      releaseRetries += 1;
      void retry();
    });
  }

  /**
   * Records that the postback was handled. It is retried until the store responds, however long that takes, because
   * only this process knows it. The result is `false` if another process claimed the postback, or recorded it.
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
    for (let tries = 0; ; tries += 1) {
      try {
        return await callStore(this.#renewalMs, confirm);
      } catch (error) {
        this.#lastError = error;
        await backgroundPause(Math.min(retryPauseMs(tries), this.#renewalMs));
        if (isRecorded !== undefined) return isRecorded; // the store responded late
      }
    }
  }

  #startRenewing(): void {
    this.#isHeld = true;
    this.#renewal = setTimeout(async () => {
      await callStore(this.#renewalMs, () => this.#renew()).catch(() => undefined); // the next one may succeed
      if (this.#isHeld) this.#startRenewing();
    }, this.#renewalMs);
  }

  async #renew(): Promise<void> {
    const isRenewed = await this.#store.renewPostback(this.#key, this.#owner, this.#leaseMs);
    if (isRenewed !== false || !this.#isHeld) return;
    // The store may have lost the claim: it is made again, unless another process has claimed the postback.
    await this.#claimInStore();
    if (!this.#isHeld) await this.#store.releasePostback(this.#key, this.#owner);
  }

  #claimInStore(): Promise<PostbackClaim> {
    return this.#store.claimPostback(this.#key, this.#owner, this.#leaseMs);
  }

  #stopRenewing(): void {
    this.#isHeld = false;
    clearTimeout(this.#renewal);
  }
}

/** Maximum number of releases that are retried at the same time. During an outage each delivery would add one. */
const MAX_RELEASE_RETRIES = 100;
let releaseRetries = 0;

function retryPauseMs(tries: number): number {
  return RETRY_PAUSES_MS[tries] ?? RETRY_PAUSES_MS[3];
}

/** Validates the claim: a custom store may return anything. */
function parseClaim(claim: PostbackClaim | undefined): PostbackClaim {
  switch (claim?.state) {
    case "claimed": {
      const handled = Array.isArray(claim.handled) ? claim.handled.filter(isHandledPostback) : [];
      return { state: "claimed", handled };
    }
    case "done":
      return claim;
    case "busy":
      return { ...claim, isSame: claim.isSame !== false, leaseLeftMs: Number(claim.leaseLeftMs) || 0 };
    default:
      throw new TypeError("The store did not return a claim.");
  }
}

function isHandledPostback(value: unknown): value is HandledPostback {
  return isRecord(value) && typeof value["rawStatus"] === "string" && typeof value["amount"] === "number";
}
