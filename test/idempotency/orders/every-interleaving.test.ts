import fc from "fast-check";
import type { IdempotencyStore } from "payments-sdk/idempotency";
import { expect, test } from "vitest";
import type { Documents } from "../../../src/idempotency/documents.ts";
import { createOrderStore } from "../../../src/idempotency/order-store.ts";
import { createMemoryDocuments } from "../../../src/idempotency/stores/memory-store.ts";
import { type Attempt, mayCharge, type Status, type Transaction } from "../support/attempts.ts";
import { by, createdAs, LEASE, listed, NOT_CREATED, news, ORDER, UNKNOWN } from "../support/orders.ts";

/** Each operation of a store takes several of its database: here any of them may come before any other. */
function inAnyOrder(documents: Documents, scheduler: fc.Scheduler): Documents {
  const turn = (what: string) => scheduler.schedule(Promise.resolve(), what);
  return {
    add: async (key, draft) => {
      await turn("add");
      return documents.add(key, draft);
    },
    read: async (key) => {
      await turn("read");
      return documents.read(key);
    },
    replace: async (key, version, draft) => {
      await turn("replace");
      return documents.replace(key, version, draft);
    },
    open: () => documents.open(),
  };
}

/** What becomes of a caller's request, and what the caller hears of it. */
interface Plan {
  readonly becomes: Status | "lost";
  readonly hears: "answer" | "nothing" | "crash";
  /** Whether its postback is sent, and how often. */
  readonly postbacks: number;
}

const anyPlan: fc.Arbitrary<Plan> = fc.record({
  becomes: fc.constantFrom<Plan["becomes"]>("pending", "approved", "refused", "expired", "lost"),
  hears: fc.constantFrom<Plan["hears"]>("answer", "answer", "nothing", "crash"),
  postbacks: fc.nat(2),
});

class Race {
  readonly attempts: Attempt[] = [];
  readonly #store: IdempotencyStore;
  readonly #posted: Promise<unknown>[] = [];

  constructor(store: IdempotencyStore) {
    this.#store = store;
  }

  async create(owner: string, id: number, plan: Plan): Promise<void> {
    const order = by(owner);
    if ((await this.#store.claim(order, LEASE)).state !== "yours") return;
    expect(this.attempts.filter(mayCharge)).toEqual([]);
    const attempt: Attempt = { order, leaseSince: 0, phase: "sent", request: "flying", isWrittenOff: false };
    this.attempts.push(attempt);

    if (plan.becomes === "lost") attempt.request = "lost";
    else this.#take(attempt, { id, status: plan.becomes, said: [plan.becomes], told: new Set() }, plan);
    if (plan.hears === "crash") return;
    if (plan.hears === "nothing") await this.#store.end(order, UNKNOWN);
    else await this.#store.end(order, plan.becomes === "lost" ? NOT_CREATED : createdAs(plan.becomes, id));
  }

  /** Until no postback is on its way. */
  async settled(): Promise<void> {
    await Promise.all(this.#posted);
  }

  #take(attempt: Attempt, transaction: Transaction, { postbacks }: Plan): void {
    attempt.request = "taken";
    attempt.transaction = transaction;
    const { id, status } = transaction;
    for (let nth = 0; nth < postbacks; nth += 1) {
      this.#posted.push(this.#store.settle(ORDER.externalRef, news(status, { id })));
    }
  }
}

test.each([2, 3])(
  "of %d callers at once, and their postbacks, no two may charge",
  async (callers) => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(anyPlan, { minLength: callers, maxLength: callers }),
        async (scheduler, plans) => {
          const documents = createMemoryDocuments(10);
          const race = new Race(createOrderStore(inAnyOrder(documents, scheduler)));

          const all = plans.map(async (plan, nth) => {
            await race.create(`first-${nth}`, 100 + nth, plan);
            await race.create(`second-${nth}`, 200 + nth, plan);
          });
          await scheduler.waitFor(Promise.all(all).then(() => race.settled()));

          const store = createOrderStore(documents);
          const live = race.attempts.filter(mayCharge).map(({ transaction }) => transaction?.id);
          const { state, ...claim } = await store.claim(by("the last"), LEASE);
          expect(live.length).toBeLessThanOrEqual(1);
          if (live.length === 1) expect(["created", "claimed", "unresolved"]).toContain(state);
          if (state === "created")
            expect([claim]).toMatchObject(live.map((transactionId) => ({ transactionId })));
          if (state === "unresolved") expect(await listed(store)).toHaveLength(1);
        },
      ),
      { numRuns: 300 },
    );
  },
  60_000,
);
