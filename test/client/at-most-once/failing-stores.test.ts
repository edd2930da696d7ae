import { IdempotencyStoreError } from "payments-sdk";
import { memoryStore, type PaymentsStore } from "payments-sdk/idempotency";
import { describe, expect, test, vi } from "vitest";
import { aGate } from "../../postbacks/handler/support/receiver.ts";
import { eventsOf, failureOf } from "../../support/merchant.ts";
import { created } from "../../support/service-responses.ts";
import { alteredStore, byPix, guarded, METHODS, unresolvedIn } from "./support/guarded.ts";

/** The same payment, claimed by another process. */
const ORDER = { externalRef: "order-1", amount: 1990, paymentMethod: "pix", owner: "b" } as const;

const away = Object.assign(new Error("connect ECONNREFUSED 10.0.0.5:6379"), { code: "ECONNREFUSED" });

type ClaimArguments = Parameters<PaymentsStore["claim"]>;

describe.each(METHODS)("a %s is not sent if the claim of a store", (_method, create, answer) => {
  test.each<[string, () => unknown]>([
    ["rejects", () => Promise.reject(away)],
    [
      "throws at once",
      () => {
        throw away;
      },
    ],
    ["rejects with nothing", () => Promise.reject()],
    ["never answers", () => new Promise(() => undefined)],
    ["gives nothing", () => undefined],
    ["gives null", async () => null],
    ["gives a state that is none", async () => ({ state: "free" })],
    ["gives a text", async () => "yours"],
    ["gives a transaction without an id", async () => ({ state: "created", transactionId: "" })],
  ])("%s", async (_what, claim) => {
    const store = alteredStore({ claim });
    const { payments, connections, events } = await guarded([answer], { store, timeout: 50 });

    const error = await failureOf(create(payments));

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

test("the error of a failed claim says what the store said, and has a copy of its error as its cause", async () => {
  const { payments } = await guarded([], { store: alteredStore({ claim: () => Promise.reject(away) }) });

  const { message, cause } = await failureOf(byPix(payments));

  expect(message).toBe(
    "The idempotency store could not claim the externalRef: connect ECONNREFUSED 10.0.0.5:6379. Nothing was sent by this call.",
  );
  expect(cause).toMatchObject({ message: away.message, code: "ECONNREFUSED" });
  expect(cause).not.toBe(away);
});

describe("a failed claim", () => {
  test("that was made all the same is given back: nothing was sent", async () => {
    const store = memoryStore();
    const claim = async (...args: ClaimArguments) => {
      await store.claim(...args);
      throw away; // the answer was lost
    };
    const { payments } = await guarded([], { store: alteredStore({ claim }, store) });

    await failureOf(byPix(payments));

    await expect.poll(() => store.claim(ORDER, 1_000)).toEqual({ state: "yours" });
  });

  test("that was made all the same is given back once the store is there again", async () => {
    const store = memoryStore();
    const claim = async (...args: ClaimArguments) => {
      await store.claim(...args);
      throw away;
    };
    const end = vi.fn(store.end);
    for (let tries = 0; tries < 3; tries += 1) end.mockRejectedValueOnce(away);
    const { payments } = await guarded([], { store: alteredStore({ claim, end }, store) });

    await failureOf(byPix(payments));

    await expect.poll(() => store.claim(ORDER, 1_000)).toEqual({ state: "yours" });
    expect(end).toHaveBeenCalledTimes(4);
  });

  test("that is made when nobody waits for it any more is given back, too", async () => {
    const store = memoryStore();
    const gate = aGate();
    const claim = async (...args: ClaimArguments) => {
      await gate.passed;
      return store.claim(...args);
    };
    const end = vi.fn(store.end);
    const { payments, arrivals } = await guarded([created()], { store: alteredStore({ claim, end }, store) });

    await failureOf(byPix(payments, { timeout: 50 }));
    gate.open();

    await expect.poll(() => end.mock.calls.length).toBe(1);
    expect(await unresolvedIn(store)).toEqual([]);
    expect(await byPix(payments)).toMatchObject({ id: 4021 });
    expect(arrivals).toHaveLength(1);
  });

  test("of an aborted call ends at once, tells the store so, and is given back once it is made", async () => {
    const store = memoryStore();
    const gate = aGate();
    const claim = vi.fn(async (...args: ClaimArguments) => {
      const made = await store.claim(...args);
      await gate.passed;
      return made;
    });
    const { payments } = await guarded([], { store: alteredStore({ claim }, store) });
    const controller = new AbortController();
    const creating = failureOf(byPix(payments, { signal: controller.signal, timeout: 60_000 }));
    await expect.poll(() => claim.mock.calls.length).toBe(1);
    controller.abort();

    expect(await creating).toMatchObject({ code: "aborted", outcome: "not_sent" });
    expect(claim.mock.calls[0]?.[2]?.signal?.aborted).toBe(true);
    gate.open();

    await expect.poll(() => store.claim(ORDER, 1_000)).toEqual({ state: "yours" });
  });
});
