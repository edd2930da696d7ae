import type { IdempotencyStore, UnresolvedOrder } from "payments-sdk/idempotency";
import { expect, vi } from "vitest";
import {
  type Attempt,
  isPaidLate,
  LEASE_MARGIN_MS,
  mayCharge,
  type Status,
  type Transaction,
} from "./attempts.ts";
import { by, listed, news, ORDER } from "./orders.ts";

const REF = ORDER.externalRef;
export const TIMEOUT_MS = 5_000;
export const LEASE_MS = TIMEOUT_MS + LEASE_MARGIN_MS;

/** What a run came across, so that it can be told whether it looked at anything. */
export interface Tally {
  [what: string]: number;
}

/**
 * One reference, everybody who wants to create it, the service, and a person: a world in which it is known who may be
 * charged. Each step is one that may really happen, and says where a promise is broken.
 */
export class World {
  readonly #store: IdempotencyStore;
  readonly #tally: Tally;
  readonly attempts: Attempt[] = [];
  readonly transactions: Transaction[] = [];
  #owners = 0;

  constructor(store: IdempotencyStore, tally: Tally) {
    this.#store = store;
    this.#tally = tally;
  }

  async claim(): Promise<void> {
    this.#owners += 1;
    const order = by(`owner-${this.#owners}`);
    const before = performance.now();
    const claim = await this.#store.claim(order, LEASE_MS);
    this.#count(`claim: ${claim.state}`);
    if (claim.state === "created") {
      expect(this.transactions.map(({ id }) => id)).toContain(claim.transactionId);
    }
    if (claim.state !== "yours") return;
    expect(this.#rivals()).toEqual([]);
    this.attempts.push({ order, leaseSince: before, phase: "claimed", request: "none", isWrittenOff: false });
  }

  /** As the guard does: not where the lease might end during the call, and then only if it can be renewed. */
  async send(attempt: Attempt): Promise<void> {
    if (performance.now() - attempt.leaseSince > LEASE_MARGIN_MS) {
      const before = performance.now();
      if (!(await this.#store.renew(attempt.order, LEASE_MS))) {
        this.#count("not sent: too late");
        await this.end(attempt, { outcome: "not_created" });
        return;
      }
      this.#count("sent after a renewal");
      attempt.leaseSince = before;
    }
    expect(this.#rivals().filter((rival) => !isExcused(rival))).toEqual([]);
    this.#count("sent");
    attempt.phase = "sent";
    attempt.request = "flying";
  }

  /** The service takes a request, perhaps long after its caller gave up. */
  take(attempt: Attempt, status: Status): void {
    attempt.request = "taken";
    const id = 1_000 + this.transactions.length;
    attempt.transaction = { id, status, said: [status], told: new Set<Status>() };
    this.transactions.push(attempt.transaction);
    if (attempt.phase === "over") this.#count("taken after its end");
  }

  async end(attempt: Attempt, end: Parameters<IdempotencyStore["end"]>[1]): Promise<void> {
    attempt.phase = "over";
    if (performance.now() - attempt.leaseSince > LEASE_MS) this.#count("ended late");
    if (end.outcome === "created" && end.transaction) {
      attempt.transaction?.told.add(end.transaction.status as Status);
    }
    const rivals = await this.#store.end(attempt.order, end);
    for (const id of rivals) expect(this.transactions.map((one) => one.id)).toContain(id);
  }

  /** A signed postback of any status that a transaction ever had, in any order, any number of times. */
  async deliver(transaction: Transaction, status: Status, part = 0): Promise<void> {
    if (this.attempts.some((one) => one.transaction === transaction && one.phase === "sent")) {
      this.#count("postback before the end");
    }
    if (part === 0) transaction.told.add(status);
    if (isPaidLate(transaction)) this.#count("paid after it had expired");
    const amount = ORDER.amount - part;
    await this.#store.settle(REF, news(status, { id: transaction.id, amount }));
  }

  /**
   * A person looks at what is listed, and at the dashboard, and says what they see there, once nothing more can come.
   * `isHasty` makes them say that nobody was charged, although a request may be on its way, or not be shown yet.
   */
  async resolve(isHasty: boolean): Promise<void> {
    const [order] = await listed(this.#store);
    if (order === undefined) return;
    const { attempt } = order;
    if (isHasty) {
      for (const one of this.attempts) one.isWrittenOff ||= mayCharge(one);
      this.#count("resolved hastily");
      await this.#store.resolve(REF, { charged: false, attempt });
      return;
    }
    if (this.attempts.some(({ request, isWrittenOff }) => request === "flying" && !isWrittenOff)) return;
    const transaction = this.#seenBy(order);
    if (transaction === undefined) {
      this.#count("resolved as not charged");
      await this.#store.resolve(REF, { charged: false, attempt });
      return;
    }
    const { id, status } = transaction;
    transaction.told.add(status);
    this.#count("resolved by a transaction");
    await this.#store.resolve(REF, { transactionId: id, status, attempt });
  }

  pass(ms: number): void {
    vi.advanceTimersByTime(ms);
  }

  /** Everybody dies or gives up; what is on the wire stays there. Then the order is known, free, or listed. */
  async expectNothingHidden(): Promise<void> {
    this.pass(2 * LEASE_MS);
    const list = await listed(this.#store);
    if (list.length > 0) {
      expect(list).toMatchObject([{ externalRef: REF }]);
      return;
    }
    const claim = await this.#store.claim(by("a probe"), LEASE_MS);
    if (claim.state === "created") return;
    expect(claim.state).toBe("yours");
    expect(this.#rivals()).toEqual([]);
    await this.#store.end(by("a probe"), { outcome: "not_created" });
  }

  /** Each request arrives or is lost, each transaction's last status is told, and a person does the rest. */
  async expectAllKnownInTheEnd(): Promise<void> {
    for (const attempt of this.attempts) {
      attempt.phase = "over";
      if (attempt.request === "flying") attempt.request = "lost";
    }
    for (const transaction of this.transactions) {
      if (!transaction.told.has(transaction.status)) await this.deliver(transaction, transaction.status);
    }
    await this.resolve(false);
    expect(await listed(this.#store)).toEqual([]);

    const live = this.transactions.filter((transaction) => mayCharge({ request: "taken", transaction }));
    const claim = await this.#store.claim(by("the last"), LEASE_MS);
    if (live.length > 0) {
      expect(claim.state).toBe("created");
      const stranger = { outcome: "created", transactionId: "a stranger" } as const;
      const known = await this.#store.end(by("a stranger"), stranger);
      expect([...known].toSorted()).toEqual(live.map(({ id }) => id));
      return;
    }
    expect(claim.state).toBe("yours");
    await this.#store.end(by("the last"), { outcome: "unknown" });
    const [order] = await listed(this.#store);
    expect(this.transactions.map(({ id }) => id)).toEqual(
      expect.arrayContaining([...(order?.earlierIds ?? [])]),
    );
  }

  /** Attempts by which somebody may be charged, as far as anybody can know. */
  #rivals(): Attempt[] {
    return this.attempts.filter((attempt) => mayCharge(attempt) && (!isExcused(attempt) || isTold(attempt)));
  }

  /** The transaction of the dashboard that is not known to be another attempt's: first one that charges, and the own. */
  #seenBy({ earlierIds }: UnresolvedOrder): Transaction | undefined {
    const own = this.attempts.at(-1)?.transaction;
    const seen = [...(own ? [own] : []), ...this.transactions].filter(({ id }) => !earlierIds.includes(id));
    return seen.find((transaction) => mayCharge({ request: "taken", transaction })) ?? seen[0];
  }

  #count(what: string): void {
    this.#tally[what] = (this.#tally[what] ?? 0) + 1;
  }
}

/** It seemed over when the next one was sent. */
function isExcused({ isWrittenOff, transaction }: Attempt): boolean {
  return isWrittenOff || (transaction !== undefined && isPaidLate(transaction));
}

/** Whether the store was told since then that it may charge. */
function isTold({ transaction }: Attempt): boolean {
  if (transaction === undefined) return false;
  return isPaidLate(transaction) ? transaction.told.has("approved") : transaction.told.size > 0;
}
