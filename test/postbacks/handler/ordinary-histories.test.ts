import fc from "fast-check";
import { memoryStore, type PaymentsStore } from "payments-sdk/idempotency";
import { expect, test } from "vitest";
import { collect } from "../../../src/testing/stores/fixtures.ts";
import { A, a, aShop, B, type Body, b, callOf, card, pix, type Step, WRONG } from "../support/shop.ts";
import { ORDER } from "../support/signing.ts";

/** What happens in every shop. Whatever the store and the callbacks do, it must end as if nothing had failed. */

interface Shop {
  readonly store: PaymentsStore;
  /** Delivers a postback to one of two processes. */
  post(body: Body): Promise<unknown>;
}

const LOST = callOf("lost");
const SECOND = callOf("second");

/** The transaction that has paid in the end stands last. */
const HISTORIES: readonly [
  rule: string,
  steps: readonly Step<Shop>[],
  calls: readonly string[],
  paid: Body,
][] = [
  ["a pix is paid", [pix(A), A], ["onPaid A"], A],
  [
    "a pix expires, and its successor is paid",
    [pix(A), a("expired"), pix(B), B],
    ["onNotPaid A", "onPaid B"],
    B,
  ],
  [
    "a pix whose code was lost is replaced, and paid all the same",
    [
      ({ store }) => store.claim(LOST, 1),
      ({ store }) => store.recordOutcome(LOST, { outcome: "unknown" }),
      ({ store }) => store.claim(SECOND, 1, { replaceLost: true }),
      A,
      ({ store }) => store.recordOutcome(SECOND, { outcome: "created", transactionId: B.id }),
    ],
    ["onPaid A"],
    A,
  ],
  [
    "a card is refused, and another one is approved",
    [card(A, "refused"), (shop) => Promise.all([shop.post(a("refused")), card(B, "approved")(shop)]), B],
    ["onPaid B"],
    B,
  ],
  ["a pix is paid after it expired", [pix(A), a("expired"), A], ["onNotPaid A", "unclear_transition A"], A],
  [
    "a late expiry arrives with a payment",
    [pix(A), A, ({ post }) => Promise.all([post(a("expired")), post(A)])],
    ["onPaid A"],
    A,
  ],
  [
    "a wrong amount is paid, and then the right one",
    [pix(A), a("approved", WRONG), A],
    ["amount_differs A", "onPaid A"],
    A,
  ],
  [
    "both codes of an order are paid, and the second payment is refunded",
    [pix(A), A, B, b("refunded")],
    ["onPaid A", "paid_twice B"],
    A,
  ],
];

const FAILING = ["claimPostback", "recordPostback", "get", "releasePostback"] as const;

/** A store whose operations fail, before or after they have had their effect. */
function failing(store: PaymentsStore, failures: readonly ("before" | "after" | "no")[]): PaymentsStore {
  const left = [...failures];
  const operations = FAILING.map((name) => [
    name,
    async (...args: never[]) => {
      const failure = left.shift();
      if (failure === "before") throw new Error(`${name} failed`);
      const result = await (store[name] as (...all: never[]) => Promise<unknown>)(...args);
      if (failure === "after") throw new Error(`the response of ${name} was lost`);
      return result;
    },
  ]);
  return { ...store, ...Object.fromEntries(operations) };
}

async function isOpen(store: PaymentsStore, { id, status, amount }: Body): Promise<boolean> {
  const open = await collect(store.openPostbacks());
  return open.some((other) => other.id === id && other.rawStatus === status && other.amount === amount);
}

const failures = fc.array(fc.constantFrom("before", "after", "no", "no", "no"), { maxLength: 12 });
const faults = fc.record({ failures, callbacks: fc.array(fc.boolean(), { maxLength: 5 }) });

test.each(HISTORIES)(
  "%s, although the store and the callbacks fail",
  async (_rule, steps, expected, paid) => {
    await fc.assert(
      fc.asyncProperty(faults, async ({ failures: storeFailures, callbacks }) => {
        const store = memoryStore();
        const failingStore = failing(store, storeFailures);
        const [one, other] = [aShop(failingStore), aShop(failingStore)];
        const retryUntil = async (isDone: () => Promise<boolean>) => {
          for (let round = 0; round < 100; round += 1) {
            await (round % 2 ? one : other).handler.retryFailed();
            if (await isDone()) break;
            await new Promise((resolve) => setTimeout(resolve, 20)); // a release that failed is tried again
          }
        };
        let deliveries = 0;
        const post = async (body: Body): Promise<void> => {
          const shop = deliveries % 2 === 0 ? one : other;
          if (callbacks[deliveries] === true) shop.failNext();
          deliveries += 1;
          const status = await shop.post(body);
          if (status !== 503) return;
          // What was recorded is left to the handler. The service repeats only what was not.
          if (!(await isOpen(store, body))) return post(body);
          await retryUntil(async () => !(await isOpen(store, body)));
        };

        for (const step of steps) await (typeof step === "function" ? step({ store, post }) : post(step));
        await retryUntil(async () => (await collect(store.openPostbacks())).length === 0);
        for (const { handler } of [one, other]) await handler.close();

        const calls = [...one.calls, ...other.calls].toSorted();
        // An expiry whose callback failed is no news once the order is paid.
        const isKept = (call: string) => calls.includes(call) || !call.startsWith("onNotPaid");
        expect(calls).toEqual(expected.filter(isKept).toSorted());
        expect(await store.get(ORDER.externalRef)).toMatchObject({
          ...{ state: "created", transactionId: paid.id, transaction: { status: "approved" } },
        });
        expect(await collect(store.openPostbacks())).toEqual([]);
      }),
      { numRuns: Number(process.env["HISTORIES"] ?? 40) },
    );
  },
);
