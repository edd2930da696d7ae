import fc from "fast-check";
import { memoryStore } from "payments-sdk/idempotency";
import { createPostbackHandler, type Postback, type PostbackHandler } from "payments-sdk/postbacks";
import { expect, test } from "vitest";
import { collect } from "../../../src/testing/stores/fixtures.ts";
import { ORDER, URL_OF_SHOP } from "../support/signing.ts";

/**
 * Two transactions pay for the same order. Their postbacks arrive in any order, some at the same time at two processes,
 * and callbacks fail at random. In the end, everything has run.
 */

const APPROVED = ["approved", "PAID"];
const GIVEN_BACK = ["refunded", "chargedback"];
const NEVER_PAID = ["refused", "cancelled", "expired"];
const WRONG_AMOUNT = ORDER.amount - 1;

const delivery = fc.record({
  id: fc.constantFrom(1, 2),
  status: fc.constantFrom(...APPROVED, ...GIVEN_BACK, ...NEVER_PAID, "pending", "settled"),
  amount: fc.oneof(
    { weight: 3, arbitrary: fc.constant(ORDER.amount) },
    { weight: 1, arbitrary: fc.constant(WRONG_AMOUNT) },
  ),
  process: fc.constantFrom(0, 1),
});
type Delivery = typeof delivery extends fc.Arbitrary<infer Value> ? Value : never;

const history = fc.record({
  hasRecord: fc.boolean(),
  /** The deliveries of a list arrive at the same time. After an empty one, the first process retries. */
  steps: fc.array(fc.array(delivery, { maxLength: 3 }), { minLength: 1, maxLength: 7 }),
  failures: fc.array(fc.boolean(), { maxLength: 12 }),
});

interface Call {
  readonly name: "onPaid" | "onNotPaid" | "onReturned" | "onReview";
  readonly postback: Postback;
}

/** Runs a history to its end; returns the calls that succeeded. */
async function run({ hasRecord, steps, failures }: History) {
  const store = memoryStore();
  if (hasRecord) {
    const order = { ...ORDER, paymentMethod: "pix", owner: "a" } as const;
    await store.claim(order, 60_000);
    await store.recordOutcome(order, { outcome: "created", transactionId: 1 });
  }
  const calls: Call[] = [];
  const left = [...failures];
  const as = (name: Call["name"]) => async (postback: Postback) => {
    await Promise.resolve();
    if (left.shift() === true) throw new Error("the shop's database is down");
    calls.push({ name, postback });
  };
  const signer = {
    verify: async (_url: string, { amount }: { readonly amount: number }) => ({
      amountMatches: amount === ORDER.amount,
      signedAmount: ORDER.amount,
    }),
  };
  const createProcess = () =>
    createPostbackHandler({
      ...{ signer, store, onPaid: as("onPaid"), onNotPaid: as("onNotPaid") },
      ...{ onReturned: as("onReturned"), onReview: as("onReview") },
      onEvent: () => undefined,
    });
  const processes: readonly [PostbackHandler, PostbackHandler] = [createProcess(), createProcess()];
  for (const step of steps) {
    if (step.length === 0) await processes[0].retryFailed();
    const arrivals = step.map(({ process, ...postback }) => {
      const body = JSON.stringify({ ...postback, externalRef: ORDER.externalRef });
      return (processes[process] as PostbackHandler).fetch(
        new Request(URL_OF_SHOP, { method: "POST", body }),
      );
    });
    await Promise.all(arrivals);
  }
  for (let round = 0; round < 20; round += 1) await processes[(round % 2) as 0 | 1].retryFailed();
  for (const process of processes) await process.close();
  return { calls, open: await collect(store.openPostbacks()), arrived: steps.flat() };
}

type History = typeof history extends fc.Arbitrary<infer Value> ? Value : never;

const PAYMENT = { status: "approved", amount: ORDER.amount };
const BOTH_AT_ONCE: History = {
  hasRecord: true,
  steps: [
    [
      { ...PAYMENT, id: 1, process: 1 },
      { ...PAYMENT, id: 2, process: 0 },
    ],
  ],
  failures: [],
};

const isPayment = ({ status, amount }: Delivery) => APPROVED.includes(status) && amount === ORDER.amount;

test("whatever arrives in which order, an order ships at most once, and each payment reaches the shop", async () => {
  await fc.assert(
    fc.asyncProperty(history, async (given) => {
      const { calls, open, arrived } = await run(given);
      const wasCalled = (names: readonly string[], { id, amount }: Delivery, status: string) =>
        calls.some(
          ({ name, postback }) =>
            names.includes(name) &&
            postback.id === id &&
            postback.amount === amount &&
            postback.status === status,
        );

      expect(open).toEqual([]);
      const shipped = calls.filter(({ name }) => name === "onPaid").map(({ postback }) => postback);
      expect(shipped.length).toBeLessThanOrEqual(1);
      for (const { status, amount } of shipped) {
        expect({ status, amount }).toEqual({ status: "approved", amount: ORDER.amount });
      }
      for (const payment of arrived.filter(({ status }) => APPROVED.includes(status))) {
        expect(wasCalled(["onPaid", "onReview"], payment, "approved")).toBe(true);
      }
      for (const other of arrived.filter(
        ({ id, status }) => id === shipped[0]?.id && GIVEN_BACK.includes(status),
      )) {
        expect(wasCalled(["onReturned"], other, other.status)).toBe(true);
      }

      const paid = new Set(arrived.filter(isPayment).map(({ id }) => id));
      const isContradicted = arrived.some(
        ({ id, status }) => GIVEN_BACK.includes(status) || (NEVER_PAID.includes(status) && paid.has(id)),
      );
      if (paid.size > 0 && !isContradicted) expect(shipped).toHaveLength(1);
    }),
    { numRuns: Number(process.env["HISTORIES"] ?? 300), examples: [[BOTH_AT_ONCE]] },
  );
}, 600_000);
