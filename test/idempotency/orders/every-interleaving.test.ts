import fc from "fast-check";
import type { IdempotencyStore } from "payments-sdk/idempotency";
import { expect, test } from "vitest";
import type { Documents } from "../../../src/idempotency/documents.ts";
import { createOrderStore } from "../../../src/idempotency/order-store.ts";
import { createMemoryDocuments } from "../../../src/idempotency/stores/memory-store.ts";
import { type Attempt, mayCharge, type Status, type Transaction } from "../support/attempts.ts";
import { aPostback, by, createdAs, LEASE, listed, NOT_CREATED, ORDER, UNKNOWN } from "../support/orders.ts";

/** Each operation of a store needs several of its database: here they run in any order. */
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
    list: (isOpenOnly) => documents.list(isOpenOnly),
  };
}

/** What happens to a caller's request, and what the caller receives. */
interface Plan {
  readonly result: Status | "lost";
  readonly receives: "response" | "nothing" | "crash";
  /** Whether its postback is sent, and how often. */
  readonly postbacks: number;
}

const anyPlan: fc.Arbitrary<Plan> = fc.record({
  result: fc.constantFrom<Plan["result"]>("pending", "approved", "refused", "expired", "lost"),
  receives: fc.constantFrom<Plan["receives"]>("response", "response", "nothing", "crash"),
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
    const attempt: Attempt = {
      order,
      leaseSince: 0,
      phase: "sent",
      request: "inFlight",
      isWrittenOff: false,
      isReplaced: false,
    };
    this.attempts.push(attempt);

    if (plan.result === "lost") attempt.request = "lost";
    else this.#take(attempt, { id, status: plan.result, history: [plan.result], reported: new Set() }, plan);
    if (plan.receives === "crash") return;
    if (plan.receives === "nothing") await this.#store.end(order, UNKNOWN);
    else await this.#store.end(order, plan.result === "lost" ? NOT_CREATED : createdAs(plan.result, id));
  }

  /** Resolves when no postback is in flight. */
  async settled(): Promise<void> {
    await Promise.all(this.#posted);
  }

  #take(attempt: Attempt, transaction: Transaction, { postbacks }: Plan): void {
    attempt.request = "accepted";
    attempt.transaction = transaction;
    const { id, status } = transaction;
    for (let nth = 0; nth < postbacks; nth += 1) {
      this.#posted.push(this.#store.settle(ORDER.externalRef, aPostback(status, { id })));
    }
  }
}

test.each([2, 3])(
  "two of %d concurrent callers never charge, in any order of their postbacks",
  async (callers) => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(anyPlan, { minLength: callers, maxLength: callers }),
        async (scheduler, plans) => {
          const documents = createMemoryDocuments(10);
          const race = new Race(createOrderStore(inAnyOrder(documents, scheduler), async () => []));

          const all = plans.map(async (plan, nth) => {
            await race.create(`first-${nth}`, 100 + nth, plan);
            await race.create(`second-${nth}`, 200 + nth, plan);
          });
          await scheduler.waitFor(Promise.all(all).then(() => race.settled()));

          const store = createOrderStore(documents, async () => []);
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
