import { IdempotencyStoreError } from "payments-sdk";
import { memoryStore, type PaymentsStore } from "payments-sdk/idempotency";
import { describe, expect, test, vi } from "vitest";
import { type Reply, resetAfterReading, text } from "../../support/http-server.ts";
import { aPix, eventsOf, failureOf } from "../../support/merchant.ts";
import { created } from "../../support/service-answers.ts";
import { alteredStore, byPix, guarded, METHODS, REFUSED } from "./support/guarded.ts";

const away = Object.assign(new Error("connect ECONNREFUSED 10.0.0.5:6379"), { code: "ECONNREFUSED" });

/** How a call may end, and what its caller gets without a store. */
const ENDS: readonly (readonly [string, Reply, object])[] = [
  ["a transaction", created(), { id: 4021, status: "pending" }],
  ["a refused card", REFUSED, { id: 4021, status: "refused" }],
  ["a refused request", text(400, "no"), { code: "validation_failed", outcome: "rejected" }],
  ["no answer that can be used", text(500, "no"), { code: "server_error", outcome: "unknown" }],
  ["a reset", resetAfterReading, { code: "connection_failed", outcome: "unknown" }],
  ["an answer without an id", text(201, "{}"), { code: "unexpected_response", outcome: "unknown" }],
];

const FAILURES: readonly (readonly [string, () => unknown])[] = [
  ["rejects", () => Promise.reject(away)],
  [
    "throws",
    () => {
      throw away;
    },
  ],
];

describe.each(ENDS)("a store that fails after %s", (_what, reply, expected) => {
  test.each(FAILURES)(
    "and %s: the caller gets the same, and an event says what is missing",
    async (_how, end) => {
      const { payments, events, arrivals } = await guarded([reply], { store: alteredStore({ end }) });
      const create = reply === REFUSED ? METHODS[1]?.[1] : byPix;

      const result = await create?.(payments).catch((error: unknown) => error);

      expect(result).toMatchObject(expected);
      expect(arrivals).toHaveLength(1);
      const told = eventsOf(events, "error").filter(({ error }) => error instanceof IdempotencyStoreError);
      const outcome = "outcome" in expected ? expected.outcome : "created";
      expect(told).toMatchObject([{ externalRef: "order-1", error: { outcome, externalRef: "order-1" } }]);
    },
  );
});

describe("a record of the end", () => {
  test.each([1, 2])("that fails %d times is tried again, and nobody needs to know", async (times) => {
    const store = memoryStore();
    let left = times;
    const end = vi.fn((...args: Parameters<PaymentsStore["end"]>) => {
      left -= 1;
      return left >= 0 ? Promise.reject(away) : store.end(...args);
    });
    const { payments, events, arrivals } = await guarded([created()], {
      store: alteredStore({ end }, store),
    });

    await byPix(payments);

    expect(eventsOf(events, "error")).toEqual([]);
    expect(end).toHaveBeenCalledTimes(times + 1);
    await byPix(payments);
    expect(arrivals).toHaveLength(1);
  });

  test("that fails for longer is recorded once the store is back, without a caller that waits", async () => {
    const store = memoryStore();
    let left = 4;
    const end = (...args: Parameters<PaymentsStore["end"]>) => {
      left -= 1;
      return left >= 0 ? Promise.reject(away) : store.end(...args);
    };
    const { payments, events, arrivals } = await guarded([created()], {
      store: alteredStore({ end }, store),
    });

    await byPix(payments);

    expect(eventsOf(events, "error")).toHaveLength(1);
    const repeat = async () =>
      (await payments.transactions.createPix(aPix()).withResponse()).response.replayed;
    await vi.waitFor(async () => expect(await repeat()).toBe(true), { timeout: 8_000, interval: 200 });
    expect(arrivals).toHaveLength(1);
  });

  test.each([undefined, null, 0, true, "", "4021"])(
    "may give %j: a store need not tell of others",
    async (given) => {
      const store = memoryStore();
      const end = async (...args: Parameters<PaymentsStore["end"]>) => {
        await store.end(...args);
        return given;
      };
      const { payments, events } = await guarded([created()], {
        store: alteredStore({ end, warning: undefined }, store),
      });

      await byPix(payments);

      expect([...eventsOf(events, "error"), ...eventsOf(events, "warning")]).toEqual([]);
    },
  );

  test("that is missing leaves the reference claimed: it is never sent again by itself", async () => {
    const store = memoryStore();
    const broken = alteredStore({ end: () => Promise.reject(away) }, store);
    const { payments, arrivals } = await guarded([created()], { store: broken });
    await byPix(payments);

    expect(await failureOf(byPix(payments))).toMatchObject({ code: "outcome_pending", state: "claimed" });
    expect(arrivals).toHaveLength(1);
  });

  test("that never ends does not keep the result for ever", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const end = vi.fn(() => new Promise(() => undefined));
    const answer = '{"success":true,"data":{"id":4021,"pix":{"qrcodeText":"00020101"}}}';
    const { payments, events } = await guarded([], {
      store: alteredStore({ end }),
      fetch: async () => new Response(answer, { status: 201 }),
    });

    const creating = byPix(payments);
    await vi.waitFor(() => expect(end).toHaveBeenCalled());
    await vi.advanceTimersByTimeAsync(5_000);
    vi.useRealTimers();

    expect(await creating).toMatchObject({ id: 4021 });
    expect(eventsOf(events, "error")).toMatchObject([{ error: { code: "idempotency_store_failed" } }]);
  });

  test("tells of other transactions that may have charged", async () => {
    const store = memoryStore();
    const { payments, events } = await guarded([created()], {
      store: alteredStore({ end: async () => [7, "90071992547409931234"] }, store),
    });

    expect(await byPix(payments)).toMatchObject({ id: 4021 });

    const [, warning] = eventsOf(events, "warning");
    expect(warning).toMatchObject({ externalRef: "order-1", field: "externalRef" });
    expect(warning?.message).toContain("7, 90071992547409931234");
  });
});
