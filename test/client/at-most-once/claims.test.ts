import { type Claim, memoryStore, type PaymentsStore } from "payments-sdk/idempotency";
import { describe, expect, test, vi } from "vitest";
import { aGate } from "../../postbacks/handler/support/receiver.ts";
import { aPix, eventsOf, failureOf, merchantAt } from "../../support/merchant.ts";
import { created } from "../../support/service-responses.ts";
import { alteredStore, byPix, type Create, guarded, METHODS } from "./support/guarded.ts";

/** A store whose claims a test can look at. */
function watchedStore() {
  const store = memoryStore();
  const claim = vi.fn(store.claim);
  return { claim, store: alteredStore({ claim }, store) };
}

describe.each(METHODS)("a create by %s", (method, create, answer) => {
  test("opens no connection before its claim is durable", async () => {
    const gate = aGate();
    const store = memoryStore();
    const claim = vi.fn(async (...args: Parameters<PaymentsStore["claim"]>) => {
      const result = await store.claim(...args);
      await gate.passed;
      return result;
    });
    const opened = await guarded([answer], { store: alteredStore({ claim }, store) });

    const creating = create(opened.payments);
    await vi.waitFor(() => expect(claim).toHaveBeenCalled());
    const before = [opened.connections(), eventsOf(opened.events, "request").length];
    gate.open();
    await creating;

    expect(before).toEqual([0, 0]);
    expect(opened.arrivals).toHaveLength(1);
  });

  test("is claimed while it is in flight", async () => {
    const { claim, store } = watchedStore();
    const seen: Claim[] = [];
    const { payments } = await guarded(
      [
        async (exchange) => {
          const order = claim.mock.calls[0]?.[0] as Parameters<PaymentsStore["claim"]>[0];
          seen.push(await store.claim({ ...order, owner: "b" }, 1_000));
          return answer(exchange);
        },
      ],
      { store },
    );

    await create(payments);

    expect(seen).toMatchObject([{ state: "claimed" }]);
  });

  test("claims by its terms and an owner, and by nothing else", async () => {
    const { claim, store } = watchedStore();
    const { payments } = await guarded([answer], { store });

    await create(payments);

    const terms =
      method === "pix" ? { paymentMethod: "pix" } : { paymentMethod: "credit_card", installments: "1" };
    const order = { externalRef: "order-1", owner: expect.any(String), amount: 1990, ...terms };
    expect(claim.mock.calls[0]?.[0]).toEqual(order);
  });
});

describe("a claim", () => {
  test("has an owner that no other claim has", async () => {
    const { claim, store } = watchedStore();
    const { payments } = await guarded([created()], { store });

    for (let nth = 0; nth < 5; nth += 1) await byPix(payments);

    expect(new Set(claim.mock.calls.map(([{ owner }]) => owner)).size).toBe(5);
  });

  test.each([
    [{ timeout: 1_500 }, undefined, 31_500],
    [{}, { timeout: 700 }, 30_700],
    [{}, { timeout: 700.5 }, 30_701],
  ])("outlives the call: client %j, call %j, lease %d", async (options, callOptions, leaseMs) => {
    const { claim, store } = watchedStore();
    const { payments } = await guarded([created()], { store, ...options });

    await byPix(payments, callOptions);

    expect(claim.mock.calls[0]?.[1]).toBe(leaseMs);
  });
});

const MISSING = "is required, because the idempotency store finds the payment by it";

test.each<[string, Create, object]>([
  [
    "a pix without externalRef",
    (payments) => payments.transactions.createPix(aPix({ externalRef: undefined })),
    { code: "invalid_request", issues: [{ field: "externalRef", message: MISSING }] },
  ],
  [
    "an empty externalRef",
    (payments) => payments.transactions.createPix(aPix({ externalRef: "" })),
    { code: "invalid_request" },
  ],
  [
    "an externalRef that no store could tell from others",
    (payments) => payments.transactions.createPix(aPix({ externalRef: "order-\ud800" })),
    { code: "invalid_request" },
  ],
  [
    "wrong parameters",
    (payments) => payments.transactions.createPix(aPix({ amount: -1 })),
    { code: "invalid_request" },
  ],
  ["an aborted call", (payments) => byPix(payments, { signal: AbortSignal.abort() }), { code: "aborted" }],
])("what is not sent is not claimed either: %s", async (_what, create, expected) => {
  const { claim, store } = watchedStore();
  const { payments, arrivals } = await guarded([created()], { store });

  const error = await failureOf(create(payments));

  expect(error).toMatchObject({ outcome: "not_sent", ...expected });
  expect(claim).not.toHaveBeenCalled();
  expect(arrivals).toHaveLength(0);
});

test("what is not sent is not claimed either: a client without a secret key", async () => {
  vi.stubEnv("PAYMENTS_SECRET_KEY", "");
  const { claim, store } = watchedStore();
  const { payments } = merchantAt("http://127.0.0.1:1", { secretKey: undefined, idempotency: store });

  expect(await failureOf(byPix(payments))).toMatchObject({ code: "configuration", outcome: "not_sent" });
  expect(claim).not.toHaveBeenCalled();
});
