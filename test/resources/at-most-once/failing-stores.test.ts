import { IdempotencyStoreError } from "payments-sdk";
import { memoryStore, type PaymentsStore } from "payments-sdk/idempotency";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { aGate } from "../../support/http-server.ts";
import { aPix, eventsOf, failureOf, merchantAt } from "../../support/merchant.ts";
import { created } from "../../support/service-responses.ts";
import { alteredStore, byPix, merchantWithStore } from "../support/merchant-with-store.ts";

/** The same payment, claimed by another process. */
const ORDER = { externalRef: "order-1", amount: 1990, paymentMethod: "pix", owner: "b" } as const;

const storeError = Object.assign(new Error("connect ECONNREFUSED 10.0.0.5:6379"), { code: "ECONNREFUSED" });

type ClaimArguments = Parameters<PaymentsStore["claim"]>;

describe("a call is not sent if the store's claim()", () => {
  test.each<[string, () => unknown]>([
    ["rejects", () => Promise.reject(storeError)],
    ["throws synchronously", () => JSON.parse("{")],
    ["rejects with nothing", () => Promise.reject()],
    ["never settles", () => new Promise(() => undefined)],
    ["resolves with undefined", () => undefined],
    ["resolves with an unknown state", async () => ({ state: "free" })],
    ["resolves with a string", async () => "yours"],
    ["resolves with a transaction without an id", async () => ({ state: "created", transactionId: "" })],
  ])("%s", async (_what, claim) => {
    const store = alteredStore({ claim });
    const { payments, connections, events } = await merchantWithStore([], { store, timeout: 50 });

    const error = await failureOf(byPix(payments));

    expect(error).toBeInstanceOf(IdempotencyStoreError);
    expect(error).toMatchObject({
      code: "idempotency_store_failed",
      outcome: "not_sent",
      actor: "merchant",
      externalRef: "order-1",
    });
    expect(connections()).toBe(0);
    expect(eventsOf(events, "error").map((event) => event.error)).toEqual([error]);
  });
});

test("the error of a failed claim contains the store's message, and a copy of its error as the cause", async () => {
  const store = alteredStore({ claim: () => Promise.reject(storeError) });
  const { payments } = await merchantWithStore([], { store });

  const { message, cause } = await failureOf(byPix(payments));

  expect(message).toContain(`could not claim the externalRef: ${storeError.message}. Nothing was sent`);
  expect(cause).toMatchObject({ message: storeError.message, code: "ECONNREFUSED" });
  expect(cause).not.toBe(storeError);
});

describe("a failed claim", () => {
  /** Time is fake. The client has given each claim up when the store makes it, so many milliseconds later. */
  function failingClaims(lateMs?: number) {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance", "Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const store = memoryStore();
    const claim = async (...args: ClaimArguments) => {
      if (lateMs === undefined) await store.claim(...args);
      else setTimeout(() => store.claim(...args), lateMs);
      throw storeError;
    };
    const end = vi.fn(store.recordOutcome);
    const altered = alteredStore({ claim, recordOutcome: end }, store);
    return { store, end, ...merchantAt("https://pay.example", { idempotency: altered }) };
  }

  test("is released at once, and again soon while that fails, for a process that ends right after", async () => {
    const { payments, store, end } = failingClaims();
    for (let tries = 0; tries < 3; tries += 1) end.mockRejectedValueOnce(storeError);

    await failureOf(byPix(payments));
    expect(end).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(150);
    expect(end.mock.calls.length).toBeGreaterThanOrEqual(3);
    await vi.advanceTimersByTimeAsync(1_000);

    expect(await store.claim(ORDER, 1_000)).toEqual({ state: "yours" });
  });

  test("is released after an outage, also if a thousand claims failed in an earlier one", async () => {
    const { payments, store, end } = failingClaims();
    const failIn = async (outage: readonly string[]) => {
      end.mockImplementation(() => Promise.reject(storeError));
      await Promise.all(
        outage.map((externalRef) => failureOf(payments.transactions.createPix(aPix({ externalRef })))),
      );
      await vi.advanceTimersByTimeAsync(1_000);
      end.mockImplementation(store.recordOutcome);
      await vi.advanceTimersByTimeAsync(90_000);
    };

    await failIn(Array.from({ length: 1_001 }, (_, nth) => `earlier-${nth}`));
    await failIn(["order-1"]);

    expect(await store.get("order-1")).toMatchObject({ state: "free" });
  });

  test.each([1, 34_000])("that the store makes %d ms later is released", async (ms) => {
    const { payments, store } = failingClaims(ms);
    await failureOf(byPix(payments));

    await vi.advanceTimersByTimeAsync(45_000);

    expect(await store.get("order-1")).toMatchObject({ state: "free" });
  });

  test("is looked for until its lease would have ended, and no other claim is released", async () => {
    const { payments, store, end } = failingClaims(1);
    await failureOf(byPix(payments));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await store.claim(ORDER, 3_600_000)).toEqual({ state: "yours" });

    await vi.advanceTimersByTimeAsync(40_000);
    const calls = end.mock.calls.length;
    await vi.advanceTimersByTimeAsync(600_000);

    expect(await store.get("order-1")).toMatchObject({ state: "claimed" });
    expect(end).toHaveBeenCalledTimes(calls);
  });

  test.each([
    ["times out", 50, "idempotency_store_failed"],
    ["is aborted", 60_000, "aborted"],
  ])(
    "of a call that %s aborts the store's signal, and is released once recorded",
    async (_how, timeout, code) => {
      const store = memoryStore();
      const gate = aGate();
      const claim = vi.fn(async (...args: ClaimArguments) => {
        await gate.passed;
        return store.claim(...args);
      });
      const { payments } = await merchantWithStore([created()], { store: alteredStore({ claim }, store) });
      const controller = new AbortController();
      const creating = failureOf(byPix(payments, { signal: controller.signal, timeout }));
      await expect.poll(() => claim.mock.calls.length).toBe(1);
      if (code === "aborted") controller.abort();

      expect(await creating).toMatchObject({ code, outcome: "not_sent" });
      expect(claim.mock.calls[0]?.[2]?.signal?.aborted).toBe(true);
      gate.open();

      await expect.poll(() => store.get("order-1")).toMatchObject({ state: "free" });
      expect(await byPix(payments)).toMatchObject({ id: 4021 });
    },
  );
});
