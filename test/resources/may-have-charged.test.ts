import fc from "fast-check";
import { PaymentsClient, type PaymentsClientOptions } from "payments-sdk";
import { memoryStore } from "payments-sdk/idempotency";
import { createGateway, FAULT_KINDS } from "payments-sdk/sandbox";
import { expect, test } from "vitest";
import { aCard, aCardPayment, aPix, failureOf } from "../support/merchant.ts";

const REFERENCE = "order-1";
/** Insufficient limit. */
const DECLINED = "4000000000009995";

const step = fc.oneof(
  fc.record({
    call: fc.constantFrom("card", "declined card", "pix", "replaced pix"),
    fault: fc.option(fc.constantFrom(...FAULT_KINDS)),
  }),
  fc.record({
    call: fc.constantFrom("invalid", "without a key", "aborted", "other amount"),
    fault: fc.constant(null),
  }),
  fc.record({ call: fc.constantFrom("pay", "expire"), fault: fc.constant(null) }),
);

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** One order, its store, and a service that knows what it charged. */
function openShop() {
  const gateway = createGateway();
  const store = memoryStore();
  const { baseUrl, secretKey, publicKey, fetch } = gateway;
  const clientWith = (options: PaymentsClientOptions = {}) =>
    new PaymentsClient({
      ...{ baseUrl, secretKey, publicKey, fetch, idempotency: store, timeout: 20, maxRetries: 0 },
      onEvent: () => undefined,
      ...options,
    });
  const payments = clientWith();
  /** Ids of the transactions that a call returned. No one can pay the code of any other pix. */
  const returned = new Set<unknown>();

  async function card(number?: string) {
    const { value } = await clientWith({ timeout: 5_000 }).cardTokens.create(aCard(number ? { number } : {}));
    return payments.transactions.createCard(aCardPayment({ card: { hash: value } }));
  }

  /** The customer pays the pix, or it expires, and the store gets the postback. */
  async function move(name: "pay" | "expire") {
    const pix = gateway.transactions.find(({ id, status }) => status === "pending" && returned.has(id));
    if (pix === undefined) return pix;
    const { id, amount, status } = gateway[name](pix.id);
    await store.settle(REFERENCE, { id, amount, status, rawStatus: status });
    return undefined;
  }

  function run(call: Step["call"]): Promise<{ id: unknown } | undefined> {
    const { transactions } = payments;
    switch (call) {
      case "card":
        return card();
      case "declined card":
        return card(DECLINED);
      case "pix":
        return transactions.createPix(aPix());
      case "replaced pix":
        return transactions.createPix(aPix(), { replaceLost: true });
      case "invalid":
        return transactions.createPix(aPix({ amount: 19.9 }));
      case "without a key":
        return clientWith({ secretKey: undefined }).transactions.createPix(aPix());
      case "aborted":
        return transactions.createPix(aPix(), { signal: AbortSignal.abort() });
      case "other amount":
        return transactions.createPix(aPix({ amount: 1991 }));
      default:
        return move(call);
    }
  }

  /** Transactions for which the customer has paid, or can pay. */
  const charges = () =>
    gateway.chargesFor(REFERENCE).filter(({ id, paymentMethod, status }) => {
      return paymentMethod === "credit_card" || status !== "pending" || returned.has(id);
    });

  return { gateway, run, returned, charges };
}

test("if mayHaveCharged is false, no call for the order has charged the customer", async () => {
  const denied = { count: 0 };

  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      const { gateway, run, returned, charges } = openShop();
      for (const { call, fault } of steps) {
        if (fault !== null) gateway.faults.add({ on: "transactions.create", kind: fault });
        const ended = run(call).then((result) => {
          if (result !== undefined) returned.add(result.id);
        });
        const failed = await ended.then(
          () => undefined,
          (error: unknown) => failureOf(Promise.reject(error)),
        );
        gateway.faults.clear();
        if (failed === undefined || failed.mayHaveCharged) continue;
        denied.count += 1;
        expect(charges()).toEqual([]);
      }
    }),
    { numRuns: 150 },
  );

  expect(denied.count).toBeGreaterThan(50); // an SDK that never denies a charge is safe but useless
});
