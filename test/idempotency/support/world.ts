import type { PaymentsStore, UnresolvedOrder } from "payments-sdk/idempotency";
import { expect, vi } from "vitest";
import {
  type Attempt,
  isPaidLate,
  LEASE_MARGIN_MS,
  mayCharge,
  type Status,
  type Transaction,
} from "./attempts.ts";
import { aPostback, by, idsIn, listed, ORDER } from "./orders.ts";

const REF = ORDER.externalRef;
export const TIMEOUT_MS = 5_000;
export const LEASE_MS = TIMEOUT_MS + LEASE_MARGIN_MS;

/** Counts the events of a run, so that a run without the important ones fails. */
export interface Tally {
  [what: string]: number;
}

/**
 * One reference, all its callers, the service, and a person: a world in which it is known which attempts may charge. Each
 * step can happen in reality, and fails if a promise is broken.
 */
export class World {
  readonly #store: PaymentsStore;
  readonly #tally: Tally;
  readonly hasReplacements: boolean;
  readonly attempts: Attempt[] = [];
  readonly transactions: Transaction[] = [];
  /** Whose code a call returned as its result. */
  readonly #shown = new Set<number | string>();
  #owners = 0;

  /** @param hasReplacements - Callers may replace a lost pix. */
  constructor(store: PaymentsStore, tally: Tally, hasReplacements = false) {
    this.hasReplacements = hasReplacements;
    this.#store = store;
    this.#tally = tally;
  }

  async claim(replaceLost = false): Promise<void> {
    this.#owners += 1;
    const order = by(`owner-${this.#owners}`);
    const before = performance.now();
    const claim = await this.#store.claim(order, LEASE_MS, { replaceLost });
    this.#count(`claim: ${claim.state}`);
    if (claim.state === "created") {
      expect(this.transactions.map(({ id }) => id)).toContain(claim.transactionId);
      if (claim.transaction?.pix !== undefined) this.#show(claim.transactionId);
    }
    if (claim.state !== "yours") return;
    if (replaceLost) this.#replaceLost();
    expect(this.#possibleDuplicates()).toEqual([]);
    this.attempts.push({
      order,
      leaseSince: before,
      phase: "claimed",
      request: "none",
      isWrittenOff: false,
      isReplaced: false,
    });
  }

  /**
   * Only attempts whose lease has ended are replaced, and none that is known to be paid. One that cannot charge any more is
   * replaced, too, if this was not reported.
   */
  #replaceLost(): void {
    const isOpen = ({ transaction }: Attempt) => transaction && !transaction.reported.has(transaction.status);
    const replaced = this.attempts.filter((one) => (mayCharge(one) || isOpen(one)) && !isExcused(one));
    if (replaced.some(mayCharge)) this.#count("replaced");
    for (const one of replaced) {
      if (one.phase !== "over") expect(performance.now() - one.leaseSince).toBeGreaterThanOrEqual(LEASE_MS);
      one.isReplaced = true;
    }
  }

  /**
   * Once a pix of the order was replaced, the store may settle on one whose code is known: the others, whose code no one
   * has seen, are lost.
   */
  async observe(): Promise<void> {
    if (!this.attempts.some(({ isReplaced }) => isReplaced)) return;
    const order = await this.#store.get(REF);
    if (order?.state !== "created") return;
    for (const one of this.attempts) {
      const isOver = one.phase === "over" || performance.now() - one.leaseSince >= LEASE_MS;
      if (isOver && !one.hasCode && one.transaction?.id !== order.transactionId) one.isReplaced = true;
    }
  }

  /** As the client does: if the lease might end during the call, only after renewing it. */
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
    expect(this.#possibleDuplicates().filter((attempt) => !isExcused(attempt))).toEqual([]);
    this.#count("sent");
    attempt.phase = "sent";
    attempt.request = "inFlight";
  }

  /** The service accepts a request, perhaps long after its caller gave up. */
  accept(attempt: Attempt, status: Status): void {
    attempt.request = "accepted";
    const id = 1_000 + this.transactions.length;
    attempt.transaction = { id, status, history: [status], reported: new Set<Status>() };
    this.transactions.push(attempt.transaction);
    if (attempt.phase === "over") this.#count("accepted after its end");
  }

  async end(attempt: Attempt, end: Parameters<PaymentsStore["end"]>[1]): Promise<void> {
    attempt.phase = "over";
    if (performance.now() - attempt.leaseSince > LEASE_MS) this.#count("ended late");
    if (end.outcome === "created" && end.transaction) {
      attempt.transaction?.reported.add(end.transaction.status as Status);
      attempt.hasCode = true;
    }
    const ended = await this.#store.end(attempt.order, end);
    for (const id of idsIn(ended)) expect(this.transactions.map((one) => one.id)).toContain(id);
    if (end.outcome !== "created") return;
    if (ended.isReplaced) this.#count("replaced while in flight");
    else this.#show(end.transactionId);
  }

  /** A call returns the code of a pix: no other code of the order that was returned can be paid, too. */
  #show(id: number | string): void {
    this.#shown.add(id);
    const payable = this.transactions.filter(
      (one) => this.#shown.has(one.id) && (one.status === "pending" || one.status === "processing"),
    );
    expect(payable.length, "two codes of the order can be paid").toBeLessThanOrEqual(1);
  }

  /** A signed postback of any status that a transaction ever had, in any order, any number of times. */
  async deliver(transaction: Transaction, status: Status, part = 0): Promise<void> {
    if (this.attempts.some((one) => one.transaction === transaction && one.phase === "sent")) {
      this.#count("postback before the end");
    }
    if (part === 0) transaction.reported.add(status);
    if (isPaidLate(transaction)) this.#count("paid after it had expired");
    const amount = ORDER.amount - part;
    await this.#store.settle(REF, aPostback(status, { id: transaction.id, amount }));
  }

  /**
   * A person looks a listed order up in the dashboard, and reports what it shows, once no more requests can arrive.
   * `isHasty`: they report that no one was charged, although a request may be in flight, or not be shown yet.
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
    if (this.attempts.some(({ request, isWrittenOff }) => request === "inFlight" && !isWrittenOff)) return;
    const transaction = this.#findShown(order);
    if (transaction === undefined) {
      this.#count("resolved as not charged");
      await this.#store.resolve(REF, { charged: false, attempt });
      return;
    }
    const { id, status } = transaction;
    transaction.reported.add(status);
    this.#count("resolved by a transaction");
    await this.#store.resolve(REF, { transactionId: id, status, attempt });
  }

  pass(ms: number): void {
    vi.advanceTimersByTime(ms);
  }

  /** All callers die or give up; requests in flight stay in flight. Then the order is created, free, or listed. */
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
    expect(this.#possibleDuplicates()).toEqual([]);
    await this.#store.end(by("a probe"), { outcome: "not_created" });
  }

  /** Each request arrives or is lost, each transaction's last status is reported, and a person resolves the rest. */
  async expectAllKnownInTheEnd(): Promise<void> {
    for (const attempt of this.attempts) {
      attempt.phase = "over";
      if (attempt.request === "inFlight") attempt.request = "lost";
    }
    for (const transaction of this.transactions) {
      if (!transaction.reported.has(transaction.status)) await this.deliver(transaction, transaction.status);
    }
    await this.resolve(false);
    expect(await listed(this.#store)).toEqual([]);

    const live = this.transactions.filter((transaction) => mayCharge({ request: "accepted", transaction }));
    const claim = await this.#store.claim(by("the last"), LEASE_MS);
    if (live.length > 0) {
      expect(claim.state).toBe("created");
      const stranger = { outcome: "created", transactionId: "a stranger" } as const;
      const known = idsIn(await this.#store.end(by("a stranger"), stranger));
      // No one can pay a code that no one has seen.
      const isLost = ({ isReplaced, hasCode }: Attempt) => isReplaced || (this.hasReplacements && !hasCode);
      const unpaid = this.attempts.filter((one) => isLost(one) && !isPaid(one.transaction));
      const mayBeMissing = unpaid.map(({ transaction }) => transaction?.id);
      expect(live.map(({ id }) => id)).toEqual(expect.arrayContaining([...known]));
      expect(known).toEqual(
        expect.arrayContaining(live.map(({ id }) => id).filter((id) => !mayBeMissing.includes(id))),
      );
      return;
    }
    expect(claim.state).toBe("yours");
    await this.#store.end(by("the last"), { outcome: "unknown" });
    const [order] = await listed(this.#store);
    expect(this.transactions.map(({ id }) => id)).toEqual(
      expect.arrayContaining([...(order?.earlierIds ?? [])]),
    );
  }

  /** Attempts that may charge the customer, as far as the store can know. */
  #possibleDuplicates(): Attempt[] {
    return this.attempts.filter(
      (attempt) => mayCharge(attempt) && (!isExcused(attempt) || isReported(attempt)),
    );
  }

  /** The transaction in the dashboard that may belong to the attempt: preferably its own, and one that charges. */
  #findShown({ earlierIds }: UnresolvedOrder): Transaction | undefined {
    const own = this.attempts.at(-1)?.transaction;
    const seen = [...(own ? [own] : []), ...this.transactions].filter(({ id }) => !earlierIds.includes(id));
    return seen.find((transaction) => mayCharge({ request: "accepted", transaction })) ?? seen[0];
  }

  #count(what: string): void {
    this.#tally[what] = (this.#tally[what] ?? 0) + 1;
  }
}

/** Whether it seemed over when the next attempt was sent. */
function isExcused({ isWrittenOff, isReplaced, transaction }: Attempt): boolean {
  return isWrittenOff || isReplaced || (transaction !== undefined && isPaidLate(transaction));
}

const PAID: readonly Status[] = ["processing", "approved", "refunded", "chargedback"];

/** Whether a customer has paid it, or is paying it. */
function isPaid(transaction: Transaction | undefined): boolean {
  return transaction !== undefined && PAID.includes(transaction.status);
}

/** Whether a report since then shows that it may charge. */
function isReported({ isReplaced, transaction }: Attempt): boolean {
  if (transaction === undefined) return false;
  if (isReplaced) return PAID.some((status) => transaction.reported.has(status));
  return isPaidLate(transaction) ? transaction.reported.has("approved") : transaction.reported.size > 0;
}
