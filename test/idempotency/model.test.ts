import fc from "fast-check";
import {
  type ClaimedOrder,
  memoryStore,
  type PaymentsStore,
  type PostbackUpdate,
  type StoredTransaction,
  type UnresolvedOrder,
} from "payments-sdk/idempotency";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  aPostback,
  by,
  createdAs,
  idsIn,
  listed,
  NOT_CREATED,
  ORDER,
  REF,
  UNKNOWN,
} from "./support/orders.ts";

type Status = Exclude<PostbackUpdate["status"], "unrecognized">;

/** The margin that the client adds to the timeout of a call. */
const LEASE_MARGIN_MS = 30_000;

interface Transaction {
  readonly id: number;
  status: Status;
  /** Every status that it has had. */
  readonly history: Status[];
  /** The statuses that were reported to the store. */
  readonly reported: Set<Status>;
}

/** A caller's attempt to create the payment. */
interface Attempt {
  readonly order: ClaimedOrder;
  /** By the caller's own clock, read before the store is called. */
  leaseSince: number;
  phase: "claimed" | "sent" | "over";
  /** As it was recorded; missing if its process has crashed. */
  outcome?: string;
  request: "none" | "inFlight" | "lost" | "accepted";
  transaction?: Transaction;
  /** It was replaced: the code of its pix was assumed to be lost. */
  isReplaced: boolean;
  /** The code of its pix was recorded. */
  hasCode?: boolean;
}

/** The possible next statuses of each status. */
const NEXT: Readonly<Record<Status, readonly Status[]>> = {
  pending: ["processing", "approved", "expired", "cancelled"],
  processing: ["approved", "refused", "cancelled"],
  approved: ["refunded", "chargedback"],
  refused: [],
  cancelled: [],
  expired: ["approved"], // it was paid late
  refunded: [],
  chargedback: [],
};

/** The possible next statuses; a transaction that was paid late stays as it is, to keep the runs short. */
function listNext(transaction: Transaction): readonly Status[] {
  return isPaidLate(transaction) ? [] : NEXT[transaction.status];
}

/** Moves a transaction to its next status; `nth` chooses one. */
function move(transaction: Transaction, nth: number): void {
  const next = listNext(transaction);
  const status = next[nth % next.length];
  if (status === undefined) return;
  transaction.status = status;
  transaction.history.push(status);
}

/** Whether it expired before it was paid: no one can know that until it is reported. */
function isPaidLate({ history }: Transaction): boolean {
  return history.includes("expired") && history.includes("approved");
}

/** Whether it has charged the customer, or may do so. */
function mayCharge({ request, transaction }: Pick<Attempt, "request" | "transaction">): boolean {
  if (request === "inFlight") return true;
  const { status } = transaction ?? {};
  return status !== undefined && status !== "refused" && status !== "expired" && status !== "cancelled";
}

/** An id that a person records instead of the right one. */
const MISTYPED = 99;

const TIMEOUT_MS = 5_000;
const HEARTBEAT_MS = 10_000;
const LEASE_MS = TIMEOUT_MS + LEASE_MARGIN_MS;

/**
 * One reference, all its callers, the service, and a person: a model that knows which attempts may charge. Each
 * step can happen in reality, and fails if a promise is broken.
 */
class OrderModel {
  readonly #store: PaymentsStore;
  readonly hasReplacements: boolean;
  readonly attempts: Attempt[] = [];
  readonly transactions: Transaction[] = [];
  /** Whose code a call returned as its result. */
  readonly #shown = new Set<number | string>();
  #owners = 0;

  /** @param hasReplacements - Callers may replace a lost pix. */
  constructor(store: PaymentsStore, hasReplacements: boolean) {
    this.hasReplacements = hasReplacements;
    this.#store = store;
  }

  async claim(replaceLost = false): Promise<void> {
    this.#owners += 1;
    const order = by(`owner-${this.#owners}`);
    const before = performance.now();
    const claim = await this.#store.claim(order, LEASE_MS, { replaceLost, heartbeatMs: HEARTBEAT_MS });
    if (claim.state === "created") {
      expect(this.transactions.map(({ id }) => id)).toContain(claim.transactionId);
      if (claim.transaction?.pix !== undefined) this.#show(claim.transactionId);
    }
    if (claim.state !== "yours") return;
    if (replaceLost) this.#replaceLost();
    expect(this.#possibleDuplicates()).toEqual([]);
    this.attempts.push({ order, leaseSince: before, phase: "claimed", request: "none", isReplaced: false });
  }

  /**
   * Only attempts whose lease has ended are replaced, and none that is known to be paid. One that cannot charge any more is
   * replaced, too, if this was not reported.
   */
  #replaceLost(): void {
    const isOpen = ({ transaction }: Attempt) => transaction && !transaction.reported.has(transaction.status);
    const replaced = this.attempts.filter((one) => (mayCharge(one) || isOpen(one)) && !isExcused(one));
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
        await this.end(attempt, { outcome: "not_created" });
        return;
      }
      attempt.leaseSince = before;
    }
    expect(this.#possibleDuplicates().filter((attempt) => !isExcused(attempt))).toEqual([]);
    attempt.phase = "sent";
    attempt.request = "inFlight";
  }

  /** Renews what is left of the lease. */
  async beat({ order, leaseSince }: Attempt): Promise<void> {
    const leftMs = LEASE_MS - (performance.now() - leaseSince);
    if (leftMs > 0) await this.#store.renew(order, leftMs);
  }

  /** The service accepts a request, perhaps long after its caller gave up. */
  accept(attempt: Attempt, status: Status): void {
    attempt.request = "accepted";
    const id = 1_000 + this.transactions.length;
    attempt.transaction = { id, status, history: [status], reported: new Set<Status>() };
    this.transactions.push(attempt.transaction);
  }

  async end(attempt: Attempt, end: Parameters<PaymentsStore["recordOutcome"]>[1]): Promise<void> {
    attempt.phase = "over";
    attempt.outcome = end.outcome;
    const received = end.outcome === "created" ? end.transaction : undefined;
    if (received !== undefined) attempt.transaction?.reported.add(received.status as Status);
    attempt.hasCode = received?.pix !== undefined;
    const ended = await this.#store.recordOutcome(attempt.order, end);
    for (const id of idsIn(ended)) expect(this.transactions.map((one) => one.id)).toContain(id);
    if (end.outcome === "created" && attempt.hasCode && !ended.isReplaced) this.#show(end.transactionId);
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
    if (part === 0) transaction.reported.add(status);
    const amount = ORDER.amount - part;
    await this.#store.recordPostback(REF, aPostback(status, { id: transaction.id, amount }));
  }

  /**
   * A person looks a listed order up in the dashboard, and reports what it shows, once no more requests can arrive; perhaps
   * after mistyping it. An order whose heartbeats have stopped is listed earlier, but cannot be resolved before its lease ends.
   */
  async resolve(isMistyped = false): Promise<void> {
    const [order] = await listed(this.#store);
    if (order === undefined || this.attempts.some(({ request }) => request === "inFlight")) return;
    const { attempt } = order;
    const last = this.attempts.at(-1);
    if (last !== undefined && performance.now() - last.leaseSince < LEASE_MS && last.outcome === undefined) {
      const denied = this.#store.resolve(REF, { charged: false, attempt });
      await expect(denied).rejects.toMatchObject({ code: "outcome_pending" });
      return;
    }
    const transaction = this.#findShown(order);
    if (isMistyped) await this.#store.resolve(REF, { transactionId: MISTYPED, status: "approved", attempt });
    const found = { attempt, ...(isMistyped && { replaces: MISTYPED }) };
    if (transaction === undefined) {
      await this.#store.resolve(REF, { charged: false, ...found });
      return;
    }
    const { id, status } = transaction;
    transaction.reported.add(status);
    await this.#store.resolve(REF, { transactionId: id, status, ...found });
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
    await this.#store.recordOutcome(by("a probe"), { outcome: "not_created" });
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
    await this.resolve();
    expect(await listed(this.#store)).toEqual([]);

    const live = this.transactions.filter((transaction) => mayCharge({ request: "accepted", transaction }));
    const claim = await this.#store.claim(by("the last"), LEASE_MS);
    if (live.length > 0) {
      expect(claim.state).toBe("created");
      const stranger = { outcome: "created", transactionId: "a stranger" } as const;
      const known = idsIn(await this.#store.recordOutcome(by("a stranger"), stranger));
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
    await this.#store.recordOutcome(by("the last"), { outcome: "unknown" });
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
}

/** Whether it seemed over when the next attempt was sent. */
function isExcused({ isReplaced, transaction }: Attempt): boolean {
  return isReplaced || (transaction !== undefined && isPaidLate(transaction));
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

/** Two numbers that choose what happens next. */
type Step = readonly [choice: number, detail: number];

const aStep: fc.Arbitrary<Step> = fc.tuple(fc.nat(9_999), fc.nat(9_999));
const anySteps = fc.array(aStep, { minLength: 10, maxLength: 50, size: "max" });

/** What may happen next: its name, how likely it is, and what it does. */
type Action = readonly [name: string, weight: number, run: (detail: number) => unknown];

/** Runs the chosen action, and appends it to the trace. */
async function runStep(model: OrderModel, [choice, detail]: Step, trace: string[]): Promise<void> {
  const actions = listActions(model);
  let left = choice % actions.reduce((sum, [, weight]) => sum + weight, 0);
  const action = actions.find(([, weight]) => {
    left -= weight;
    return left < 0;
  });
  const [name, , run] = action ?? ["nothing", 0, () => undefined];
  trace.push(`${name} (${detail})`);
  await run(detail);
  await model.observe();
}

function listActions(model: OrderModel): readonly Action[] {
  const isBusy = model.attempts.some(({ phase }) => phase !== "over");
  const pauses = [1, LEASE_MS - TIMEOUT_MS, LEASE_MS + 1];
  return [
    ["claim", isBusy ? 1 : 4, () => model.claim()],
    ["claim, replacing", model.hasReplacements ? 3 : 0, () => model.claim(true)],
    ["a person looks", 1, (detail) => model.resolve(detail % 2 === 0)],
    ["time passes", isBusy ? 2 : 0, (detail) => model.pass(pauses[detail % 3] ?? 0)],
    ...model.attempts.flatMap((attempt) => [
      ...listCallerActions(model, attempt),
      ...listRequestActions(model, attempt),
    ]),
    ...model.transactions.flatMap((transaction) => listTransactionActions(model, transaction)),
  ];
}

/** How a call may continue. */
function listCallerActions(model: OrderModel, attempt: Attempt): readonly Action[] {
  const { order, phase, request, transaction } = attempt;
  const { owner } = order;
  if (phase === "over") return [];
  const crash: Action = [`${owner} crashes`, 1, () => Object.assign(attempt, { phase: "over" })];
  if (phase === "claimed") {
    const send: Action = [`${owner} sends`, 4, () => model.send(attempt)];
    return [crash, send, [`${owner} gives up`, 1, () => model.end(attempt, NOT_CREATED)]];
  }
  const beat: Action = [`${owner} renews its lease`, 2, () => model.beat(attempt)];
  const ends: Action[] = [crash, beat, [`${owner} times out`, 2, () => model.end(attempt, UNKNOWN)]];
  if (request === "lost") ends.push([`${owner} is rejected`, 2, () => model.end(attempt, NOT_CREATED)]);
  if (transaction !== undefined) {
    const [status = "pending"] = transaction.history;
    const { transaction: received } = createdAs(status, transaction.id);
    const { pix: _, ...withoutCode } = received;
    const receive = (shown: StoredTransaction | undefined) => () =>
      model.end(attempt, { outcome: "created", transactionId: transaction.id, transaction: shown });
    ends.push(
      [`${owner} receives ${status}`, 3, receive(received)],
      [`${owner} receives ${status} without a code`, 1, receive(withoutCode)],
      [`${owner} receives only the id`, 1, receive(undefined)],
    );
  }
  return ends;
}

function listRequestActions(model: OrderModel, attempt: Attempt): readonly Action[] {
  if (attempt.request !== "inFlight") return [];
  const { owner } = attempt.order;
  const statuses: readonly Status[] = ["pending", "refused", "processing", "approved"];
  const accept = (detail: number) => model.accept(attempt, statuses[detail % statuses.length] ?? "pending");
  return [
    [`the request of ${owner} is accepted`, 3, accept],
    [`the request of ${owner} is lost`, 1, () => Object.assign(attempt, { request: "lost" })],
  ];
}

function listTransactionActions(model: OrderModel, transaction: Transaction): readonly Action[] {
  const { id, history, status, reported } = transaction;
  const isGivenBack = status === "refunded" || status === "chargedback";
  const deliverLate = (detail: number) => {
    if (isGivenBack && detail % 2 === 0) return model.deliver(transaction, status, 500);
    return model.deliver(transaction, history[detail % history.length] ?? status);
  };
  const isFinal = listNext(transaction).length === 0;
  return [
    [`${id} moves on from ${status}`, isFinal ? 0 : 2, (detail) => move(transaction, detail)],
    [
      `${id} is reported as ${status}`,
      reported.has(status) ? 0 : 3,
      () => model.deliver(transaction, status),
    ],
    [`${id} is reported late, or in part`, 1, deliverLate],
  ];
}

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance", "Date"] }));
afterEach(() => void vi.useRealTimers());

async function run(model: OrderModel, steps: readonly Step[]) {
  const trace: string[] = [];
  try {
    for (const step of steps) await runStep(model, step, trace);
    trace.push("in the end");
    await model.expectNothingHidden();
    await model.expectAllKnownInTheEnd();
  } catch (error) {
    throw new Error(`A promise was broken after: ${trace.join(", ")}.`, { cause: error });
  }
}

test.each<[promise: string, runs: number, hasReplacements: boolean]>([
  ["two attempts never charge, no transaction is forgotten, and no order stays hidden", 500, false],
  ["replacing a lost pix never hides a paid one, and keeps the same promises", 1_200, true],
])(
  "%s",
  async (_promise, numRuns, hasReplacements) => {
    await fc.assert(
      fc.asyncProperty(anySteps, (steps) => run(new OrderModel(memoryStore(), hasReplacements), steps)),
      { numRuns },
    );
  },
  60_000,
);
