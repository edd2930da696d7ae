import { IdempotencyStoreError } from "payments-sdk";
import { memoryStore, type PaymentsStore } from "payments-sdk/idempotency";
import { describe, expect, test, vi } from "vitest";
import { aGate } from "../../postbacks/handler/support/receiver.ts";
import { eventsOf, failureOf } from "../../support/merchant.ts";
import { created } from "../../support/service-answers.ts";
import { alteredStore, byPix, guarded, METHODS, unresolvedIn } from "./support/guarded.ts";

/** The same payment, claimed by somebody else. */
const ORDER = { externalRef: "order-1", amount: 1990, paymentMethod: "pix", owner: "b" } as const;

const away = Object.assign(new Error("connect ECONNREFUSED 10.0.0.5:6379"), { code: "ECONNREFUSED" });

describe.each(METHODS)("a store that fails before a %s is sent", (_method, create, answer) => {
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
  ])("and %s: nothing is sent", async (_what, claim) => {
    const { payments, connections, events } = await guarded([answer], {
      store: alteredStore({ claim }),
      timeout: 200,
    });

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

describe("a failed claim", () => {
  test("says in its message what the store said, and nothing of an earlier call", async () => {
    const { payments } = await guarded([], { store: alteredStore({ claim: () => Promise.reject(away) }) });

    const { message } = await failureOf(byPix(payments));

    expect(message).toBe(
      "The idempotency store could not claim the externalRef: connect ECONNREFUSED 10.0.0.5:6379. Nothing was sent by this call.",
    );
  });

  test("has a copy of the store's own error as its cause", async () => {
    const { payments } = await guarded([], { store: alteredStore({ claim: () => Promise.reject(away) }) });

    const { cause } = await failureOf(byPix(payments));

    expect(cause).toMatchObject({ message: away.message, code: "ECONNREFUSED" });
    expect(cause).not.toBe(away);
  });

  test("that was made all the same is given back: nothing was sent", async () => {
    const store = memoryStore();
    const claim = async (...args: Parameters<PaymentsStore["claim"]>) => {
      await store.claim(...args);
      throw away; // the answer was lost
    };
    const { payments } = await guarded([], { store: alteredStore({ claim }, store) });

    await failureOf(byPix(payments));

    await expect.poll(() => store.claim(ORDER, 1_000)).toEqual({ state: "yours" });
  });

  test("that was made all the same is given back once the store is there again", async () => {
    const store = memoryStore();
    let isAway = false;
    const claim = async (...args: Parameters<PaymentsStore["claim"]>) => {
      await store.claim(...args);
      isAway = true;
      throw away;
    };
    const end = vi.fn(async (...args: Parameters<PaymentsStore["end"]>) => {
      if (isAway) throw away;
      return store.end(...args);
    });
    const { payments } = await guarded([], { store: alteredStore({ claim, end }, store) });

    await failureOf(byPix(payments));
    await expect.poll(() => end.mock.calls.length).toBe(3);
    isAway = false;

    await expect.poll(() => store.claim(ORDER, 1_000), { timeout: 5_000 }).toEqual({ state: "yours" });
  });

  test("that is made later, when nobody waits for it any more, is given back, too", async () => {
    const store = memoryStore();
    const gate = aGate();
    const claim = async (...args: Parameters<PaymentsStore["claim"]>) => {
      await gate.passed;
      return store.claim(...args);
    };
    const end = vi.fn(store.end);
    const { payments, arrivals } = await guarded([created()], {
      store: alteredStore({ claim, end }, store),
      timeout: 100,
    });

    await failureOf(byPix(payments));
    gate.open();

    await expect.poll(() => end.mock.calls.length).toBe(1);
    expect(await unresolvedIn(store)).toEqual([]);
    expect(await byPix(payments)).toMatchObject({ id: 4021 });
    expect(arrivals).toHaveLength(1);
  });

  test("that somebody else has stays theirs", async () => {
    const store = memoryStore();
    await store.claim(ORDER, 60_000);
    const end = vi.fn(store.end);
    const claim = () => Promise.reject(away);
    const { payments } = await guarded([], { store: alteredStore({ claim, end }, store) });

    await failureOf(byPix(payments));

    await expect.poll(() => end.mock.calls.length).toBe(1);
    expect(await store.renew(ORDER, 60_000)).toBe(true);
  });

  test("of a caller who gave up is aborted, and given back once it is made", async () => {
    const store = memoryStore();
    const gate = aGate();
    const claim = vi.fn(async (...args: Parameters<PaymentsStore["claim"]>) => {
      const made = await store.claim(...args);
      await gate.passed;
      return made;
    });
    const { payments } = await guarded([], { store: alteredStore({ claim }, store) });
    const controller = new AbortController();
    const creating = failureOf(byPix(payments, { signal: controller.signal }));
    await expect.poll(() => claim.mock.calls.length).toBe(1);
    controller.abort();

    expect(await creating).toMatchObject({ code: "aborted", outcome: "not_sent" });
    gate.open();

    await expect.poll(() => store.claim(ORDER, 1_000)).toEqual({ state: "yours" });
  });
});
