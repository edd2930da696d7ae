import { InvalidRequestError, PaymentsClient } from "payments-sdk";
import { memoryStore, type PaymentsStore } from "payments-sdk/idempotency";
import { describe, expect, test, vi } from "vitest";
import { aGate } from "../../postbacks/handler/support/receiver.ts";
import { aPix, eventsOf, failureOf, merchantAt } from "../../support/merchant.ts";
import { created } from "../../support/service-answers.ts";
import { alteredStore, byPix, guarded, METHODS } from "./support/guarded.ts";

describe.each(METHODS)("a create by %s", (_method, create, answer) => {
  test("opens no connection before its claim is durable", async () => {
    const { store, gate, claim } = aSlowStore();
    const { payments, connections, arrivals, events } = await guarded([answer], { store });

    const creating = create(payments);
    await vi.waitFor(() => expect(claim).toHaveBeenCalled());
    const before = { connections: connections(), requests: eventsOf(events, "request").length };
    gate.open();
    await creating;

    expect(before).toEqual({ connections: 0, requests: 0 });
    expect(arrivals).toHaveLength(1);
  });

  test("is claimed while it is on its way", async () => {
    const store = memoryStore();
    const seen: unknown[] = [];
    const watching = async (exchange: Parameters<typeof answer>[0]) => {
      const order = { externalRef: "order-1", amount: 1990, paymentMethod: "pix", owner: "b" } as const;
      const installments = _method === "card" ? { paymentMethod: "credit_card", installments: "1" } : {};
      seen.push(await store.claim({ ...order, ...installments } as typeof order, 1_000));
      return answer(exchange);
    };

    await create((await guarded([watching], { store })).payments);

    expect(seen).toMatchObject([{ state: "claimed" }]);
  });
});

function aSlowStore() {
  const gate = aGate();
  const store = memoryStore();
  const claim = vi.fn(async (...args: Parameters<PaymentsStore["claim"]>) => {
    const result = await store.claim(...args);
    await gate.passed;
    return result;
  });
  return { gate, claim, store: alteredStore({ claim }, store) };
}

describe("a claim", () => {
  test.each([
    ["pix", { amount: 1990, paymentMethod: "pix" }],
    ["card", { amount: 1990, paymentMethod: "credit_card", installments: "1" }],
  ])("of a %s names its terms, and nothing else", async (method, terms) => {
    const [, create, answer] = METHODS.find(([name]) => name === method) ?? [];
    if (create === undefined || answer === undefined) throw new Error("no such method");
    const store = memoryStore();
    const claim = vi.fn(store.claim);
    const { payments } = await guarded([answer], { store: alteredStore({ claim }, store) });

    await create(payments);

    expect(claim.mock.calls[0]?.[0]).toEqual({ externalRef: "order-1", owner: expect.any(String), ...terms });
  });

  test("has an owner that no other claim has", async () => {
    const store = memoryStore();
    const claim = vi.fn(store.claim);
    const { payments } = await guarded([created()], { store: alteredStore({ claim }, store) });

    for (let nth = 0; nth < 5; nth += 1) await byPix(payments);

    expect(new Set(claim.mock.calls.map(([{ owner }]) => owner)).size).toBe(5);
  });

  test.each([
    [{}, undefined, 35_000],
    [{ timeout: 1_500 }, undefined, 31_500],
    [{}, { timeout: 700 }, 30_700],
    [{}, { timeout: 700.5 }, 30_701],
  ])("outlives the call: client %j, call %j, lease %d", async (options, callOptions, leaseMs) => {
    const store = memoryStore();
    const claim = vi.fn(store.claim);
    const { payments } = await guarded([created()], { store: alteredStore({ claim }, store), ...options });

    await byPix(payments, callOptions);

    expect(claim.mock.calls[0]?.[1]).toBe(leaseMs);
  });
});

describe("what is not sent is not claimed either", () => {
  test.each<[string, (payments: PaymentsClient) => Promise<unknown>, string]>([
    [
      "a pix without externalRef",
      (payments) => payments.transactions.createPix(aPix({ externalRef: undefined })),
      "invalid_request",
    ],
    [
      "an empty externalRef",
      (payments) => payments.transactions.createPix(aPix({ externalRef: "" })),
      "invalid_request",
    ],
    [
      "an externalRef that no store could tell from others",
      (payments) => payments.transactions.createPix(aPix({ externalRef: "order-\ud800" })),
      "invalid_request",
    ],
    [
      "wrong parameters",
      (payments) => payments.transactions.createPix(aPix({ amount: -1 })),
      "invalid_request",
    ],
    ["an aborted call", (payments) => byPix(payments, { signal: AbortSignal.abort() }), "aborted"],
    ["a wait that is none", (payments) => byPix(payments, { wait: -1 }), "invalid_request"],
  ])("%s", async (_what, create, code) => {
    const store = memoryStore();
    const claim = vi.fn(store.claim);
    const { payments, arrivals } = await guarded([created()], { store: alteredStore({ claim }, store) });

    const error = await failureOf(create(payments));

    expect(error).toMatchObject({ code, outcome: "not_sent" });
    expect(claim).not.toHaveBeenCalled();
    expect(arrivals).toHaveLength(0);
  });

  test("a client without keys", async () => {
    const store = memoryStore();
    const claim = vi.fn(store.claim);
    vi.stubEnv("PAYMENTS_SECRET_KEY", "");
    const payments = new PaymentsClient({
      baseUrl: "http://127.0.0.1:1",
      idempotency: alteredStore({ claim, warning: undefined }, store),
    });

    expect(await failureOf(byPix(payments))).toMatchObject({ code: "configuration", outcome: "not_sent" });
    expect(claim).not.toHaveBeenCalled();
  });

  test("a pix without externalRef says which field is missing", async () => {
    const { payments } = await guarded();

    const error = await failureOf(payments.transactions.createPix(aPix({ externalRef: undefined })));

    expect(error).toBeInstanceOf(InvalidRequestError);
    expect((error as InvalidRequestError).issues.map(({ field }) => field)).toEqual(["externalRef"]);
  });

  test("a wait needs a store", async () => {
    const { payments } = merchantAt("http://127.0.0.1:1");

    const error = await failureOf(byPix(payments, { wait: 1_000 }));

    expect((error as InvalidRequestError).issues.map(({ field }) => field)).toEqual(["options.wait"]);
  });
});
