import { inspect } from "node:util";
import { IdempotencyStoreError } from "payments-sdk";
import { memoryStore, type PaymentsStore } from "payments-sdk/idempotency";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { type Reply, resetAfterReading, text } from "../../support/http-server.ts";
import { aCardPayment, aPix, eventsOf, failureOf } from "../../support/merchant.ts";
import { run } from "../../support/running.ts";
import { aCardData, aPixData, created, PIX_CODE } from "../../support/service-responses.ts";
import { alteredStore, byCard, byPix, merchantWithStore, REFUSED } from "../support/merchant-with-store.ts";

const storeError = Object.assign(new Error("connect ECONNREFUSED 10.0.0.5:6379"), { code: "ECONNREFUSED" });

const throwing = () => {
  throw storeError;
};
const rejecting = () => Promise.reject(storeError);

test.each<[string, Reply, () => unknown, object]>([
  ["a card payment", created(aCardData()), throwing, { id: 4021, status: "approved" }],
  ["a pix that is paid", created(aPixData({ status: "approved" })), throwing, { status: "approved" }],
  ["a declined card", REFUSED, rejecting, { id: 4021, status: "refused" }],
  ["a rejected request", text(400, "no"), rejecting, { code: "validation_failed", outcome: "rejected" }],
  ["a 500", text(500, "no"), throwing, { code: "server_error", outcome: "unknown" }],
  ["a reset", resetAfterReading, rejecting, { code: "connection_failed", outcome: "unknown" }],
])(
  "a store that fails to record %s does not change the result, and an event reports it",
  async (what, reply, end, expected) => {
    const { payments, events, arrivals } = await merchantWithStore([reply], {
      store: alteredStore({ recordOutcome: end }),
    });

    const create = what.includes("card") ? byCard : byPix;
    const result = await create(payments).catch((error: unknown) => error);

    expect(result).toMatchObject(expected);
    expect(arrivals).toHaveLength(1);
    const reported = eventsOf(events, "error").filter(({ error }) => error instanceof IdempotencyStoreError);
    const outcome = "outcome" in expected ? expected.outcome : "created";
    expect(reported).toMatchObject([{ externalRef: "order-1", error: { outcome, externalRef: "order-1" } }]);
  },
);

test("a pix that the store does not record is not returned, because a later call could replace it, until the store works", async () => {
  const store = memoryStore();
  const end = vi.fn<PaymentsStore["recordOutcome"]>(rejecting);
  const altered = alteredStore({ recordOutcome: end }, store);
  const { payments, events, arrivals } = await merchantWithStore([created()], { store: altered });

  const error = await failureOf(byPix(payments));

  expect(error).toBeInstanceOf(IdempotencyStoreError);
  expect(error.toJSON()).toMatchObject({ outcome: "created", transactionId: 4021, externalRef: "order-1" });
  expect(inspect([error, events], { depth: 9 })).not.toContain(PIX_CODE);
  expect(eventsOf(events, "error").map((event) => event.error)).toEqual([error]);

  end.mockImplementation(store.recordOutcome);
  const returned = async () => expect(await byPix(payments)).toMatchObject({ id: 4021 });
  await vi.waitFor(returned, { timeout: 10_000 });
  expect(arrivals).toHaveLength(1);
});

describe("recording the result", () => {
  /** A store whose end() fails this many times. */
  function failingTimes(times: number) {
    const store = memoryStore();
    const end = vi.fn(store.recordOutcome);
    for (let tries = 0; tries < times; tries += 1) end.mockRejectedValueOnce(storeError);
    return { end, store: alteredStore({ recordOutcome: end, warning: undefined }, store) };
  }

  test("is retried without an error event if it fails twice", async () => {
    const { store, end } = failingTimes(2);
    const { payments, events, arrivals } = await merchantWithStore([created()], { store });

    await byPix(payments);
    await byPix(payments);

    expect(eventsOf(events, "error")).toEqual([]);
    expect(end).toHaveBeenCalledTimes(3);
    expect(arrivals).toHaveLength(1);
  });

  test("continues in the background if it fails for longer, until the store is available", async () => {
    const { store } = failingTimes(7);
    const { payments, events, arrivals } = await merchantWithStore([created(aCardData())], { store });

    await byCard(payments);

    expect(eventsOf(events, "error")).toHaveLength(1);
    const repeat = async () =>
      (await payments.transactions.createCard(aCardPayment()).withResponse()).response.replayed;
    await vi.waitFor(async () => expect(await repeat()).toBe(true), { timeout: 10_000 });
    expect(arrivals).toHaveLength(1);
  });

  test("in the background does not keep a process alive that has nothing else to do", async () => {
    const program = `
      import { PaymentsClient } from ${JSON.stringify(import.meta.resolve("../../../src/index.ts"))};
      import { memoryStore } from ${JSON.stringify(import.meta.resolve("../../../src/idempotency.ts"))};
      const recordOutcome = () => Promise.reject(new Error("down"));
      const idempotency = { ...memoryStore(), recordOutcome, warning: undefined };
      const fetch = () => Promise.reject(new Error("reset"));
      const options = { baseUrl: "https://pay.example", secretKey: "sk_1", publicKey: "pk_1", fetch, idempotency };
      const { transactions } = new PaymentsClient(options);
      await transactions.createPix(${JSON.stringify(aPix())}).catch(({ outcome }) => console.log(outcome));
    `;
    const child = run("node", ["--input-type=module", "--eval", program]);
    onTestFinished(child.kill);

    expect(await child.ended).toBe(0);
    expect(child.stdout()).toBe("unknown\n");
  });

  test("does not block the result for longer than 5 seconds", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const end = vi.fn(() => new Promise(() => undefined));
    const body = '{"success":true,"data":{"id":4021,"status":"approved"}}';
    const { payments, events } = await merchantWithStore([], {
      store: alteredStore({ recordOutcome: end }),
      fetch: async () => new Response(body, { status: 201 }),
    });

    const creating = byCard(payments);
    await vi.waitFor(() => expect(end).toHaveBeenCalled());
    await vi.advanceTimersByTimeAsync(5_000);
    vi.useRealTimers();

    expect(await creating).toMatchObject({ id: 4021 });
    expect(eventsOf(events, "error")).toMatchObject([
      { error: { code: "idempotency_store_failed" }, amount: 1990 },
    ]);
  });

  test.each([undefined, null, 0, "4021"])("accepts %j from an older custom store", async (recorded) => {
    const store = alteredStore({ recordOutcome: async () => recorded, warning: undefined });
    const { payments, events } = await merchantWithStore([created()], { store });

    await byPix(payments);

    expect([...eventsOf(events, "error"), ...eventsOf(events, "warning")]).toEqual([]);
  });

  test.each([
    { possibleDuplicates: [7, "90071992547409931234"].map((id) => ({ id, status: "pending" })) },
    [7, "90071992547409931234"],
  ])("warns of other transactions that may have charged the customer: %j", async (recorded) => {
    const end = async () => recorded;
    const { payments, events } = await merchantWithStore([created()], {
      store: alteredStore({ recordOutcome: end, warning: undefined }),
    });

    expect(await byPix(payments)).toMatchObject({ id: 4021 });

    const message = expect.stringContaining("7, 90071992547409931234");
    const warning = { externalRef: "order-1", field: "externalRef", message };
    expect(eventsOf(events, "warning")).toMatchObject([warning]);
  });

  test("warns of them even if it is delayed", async () => {
    const end = vi.fn(async () => [7]);
    for (let tries = 0; tries < 3; tries += 1) end.mockRejectedValueOnce(storeError);
    const { payments, events } = await merchantWithStore([created(aCardData())], {
      store: alteredStore({ recordOutcome: end, warning: undefined }),
    });

    await byCard(payments);

    const expected = [{ externalRef: "order-1", message: expect.stringMatching(/transactions too: 7\./) }];
    await vi.waitFor(() => expect(eventsOf(events, "warning")).toMatchObject(expected), { timeout: 10_000 });
  });
});
