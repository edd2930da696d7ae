import { backgroundPause, withTimeout } from "../http/timers.ts";
import type { PostbackClaim, PostbackKey, PostbackStore } from "../idempotency/postback-contract.ts";
import { POSTBACK_RENEWAL_MS, POSTBACK_STORE_TIMEOUT_MS } from "../spec/limits.ts";

/** A lease is renewed so often within its time, so that one late timer does not end it. */
const RENEWALS_A_LEASE = 3;

/** How long to wait before the store is asked again that failed, in milliseconds; the last one from then on. */
const AGAIN_AFTER_MS = [50, 200, 800, 2_000] as const;

/** The store's answer, for which it has as long as a lease, and not longer than {@link POSTBACK_STORE_TIMEOUT_MS}. */
export function askStore<Result>(leaseMs: number, work: () => Promise<Result>): Promise<Result> {
  const ms = Math.min(leaseMs, POSTBACK_STORE_TIMEOUT_MS);
  return withTimeout({ ms, late: () => new Error(`The store did not answer within ${ms} ms.`) }, work);
}

/** A postback that this process has claimed in the store. */
export class ClaimedPostback {
  readonly #store: PostbackStore;
  readonly #key: PostbackKey;
  readonly #owner: string;
  readonly #leaseMs: number;
  /**
   * How often it is renewed, and how long a try may take that keeps it: a store that was away and did not even refuse is
   * asked again before another process may take the postback over.
   */
  readonly #renewalMs: number;
  #renewal: ReturnType<typeof setTimeout> | undefined;
  #isHeld = true;
  /** What the store failed with when it was last asked to record the postback. */
  lastError: unknown = new Error("The store did not answer yet.");

  constructor(store: PostbackStore, key: PostbackKey, owner: string, leaseMs: number) {
    this.#store = store;
    this.#key = key;
    this.#owner = owner;
    this.#leaseMs = leaseMs;
    this.#renewalMs = Math.min(leaseMs / RENEWALS_A_LEASE, POSTBACK_RENEWAL_MS);
    this.#renewSoon();
  }

  /**
   * Asks the store for a claim.
   *
   * @throws what the store throws. The claim may have been made all the same, and is then given back.
   */
  static async claim(
    store: PostbackStore,
    key: PostbackKey,
    owner: string,
    leaseMs: number,
  ): Promise<PostbackClaim | undefined> {
    let claiming: Promise<PostbackClaim> | undefined;
    try {
      return await askStore(leaseMs, () => {
        claiming = (async () => store.claimPostback(key, owner, leaseMs))();
        return claiming;
      });
    } catch (error) {
      const release = () => giveBack(store, key, owner, leaseMs);
      void release();
      // It may also be made later than the first try to give it back.
      claiming?.then(release, () => undefined);
      throw error;
    }
  }

  /** Makes the postback free. If the store fails, it is tried again until the lease has ended by itself. */
  async release(): Promise<void> {
    this.#stopRenewing();
    await giveBack(this.#store, this.#key, this.#owner, this.#leaseMs);
  }

  /**
   * Records that the postback was handled. It tries until the store answers, however long that takes: this process alone
   * knows that it was handled.
   *
   * @returns `false` if another process claimed the postback, or recorded it.
   */
  async record(): Promise<boolean> {
    this.#stopRenewing();
    let answer: boolean | undefined;
    const confirm = async () => {
      const isOwn = await this.#store.confirmPostback(this.#key, this.#owner);
      // What an earlier try has recorded is not recorded again.
      answer = isOwn || answer === true;
      return answer;
    };
    for (let tries = 0; ; tries += 1) {
      try {
        return await askStore(this.#renewalMs, confirm);
      } catch (error) {
        this.lastError = error;
        await backgroundPause(Math.min(againAfterMs(tries), this.#renewalMs));
        if (answer !== undefined) return answer;
      }
    }
  }

  #renewSoon(): void {
    this.#renewal = setTimeout(async () => {
      await askStore(this.#renewalMs, () => this.#renew()).catch(() => undefined); // the next one may succeed
      if (this.#isHeld) this.#renewSoon();
    }, this.#renewalMs);
  }

  async #renew(): Promise<void> {
    const isOwn = await this.#store.renewPostback(this.#key, this.#owner, this.#leaseMs);
    if (isOwn !== false || !this.#isHeld) return;
    // The store may have lost the claim: if nobody else has it, it is made again.
    await this.#store.claimPostback(this.#key, this.#owner, this.#leaseMs);
    if (!this.#isHeld) await this.#store.releasePostback(this.#key, this.#owner);
  }

  #stopRenewing(): void {
    this.#isHeld = false;
    clearTimeout(this.#renewal);
  }
}

/** Claims that are given back in the background at the same time. During an outage there is one for each delivery. */
const GIVEN_BACK_AT_ONCE = 100;
let givenBackNow = 0;

/** Asks once that a claim is made free, and goes on in the background if the store fails; never rejects. */
async function giveBack(
  store: PostbackStore,
  key: PostbackKey,
  owner: string,
  leaseMs: number,
): Promise<void> {
  const start = performance.now();
  const release = () => askStore(leaseMs, async () => store.releasePostback(key, owner));
  const releaseLater = async () => {
    let isReleased = false;
    for (let tries = 0; !isReleased && performance.now() - start < leaseMs; tries += 1) {
      await backgroundPause(againAfterMs(tries));
      isReleased = await release().then(
        () => true,
        () => false,
      );
    }
    givenBackNow -= 1;
  };
  await release().catch(() => {
    if (givenBackNow === GIVEN_BACK_AT_ONCE) return; // the others end with their leases
    givenBackNow += 1;
    void releaseLater();
  });
}

function againAfterMs(tries: number): number {
  return AGAIN_AFTER_MS[tries] ?? AGAIN_AFTER_MS[3];
}
