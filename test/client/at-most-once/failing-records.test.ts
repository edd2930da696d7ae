import { IdempotencyStoreError } from "payments-sdk";
import { memoryStore, type PaymentsStore } from "payments-sdk/idempotency";
import { describe, expect, test, vi } from "vitest";
import { type Reply, resetAfterReading, text } from "../../support/http-server.ts";
import { aPix, eventsOf, failureOf } from "../../support/merchant.ts";
import { created } from "../../support/service-responses.ts";
import { alteredStore, byCard, byPix, guarded, REFUSED } from "./support/guarded.ts";

const away = Object.assign(new Error("connect ECONNREFUSED 10.0.0.5:6379"), { code: "ECONNREFUSED" });

const throwing = () => {
  throw away;
};
const rejecting = () => Promise.reject(away);

test.each<[string, Reply, () => unknown, object]>([
  ["a transaction", created(), throwing, { id: 4021, status: "pending" }],
  ["a refused card", REFUSED, rejecting, { id: 4021, status: "refused" }],
  ["a refused request", text(400, "no"), rejecting, { code: "validation_failed", outcome: "rejected" }],
  ["a 500", text(500, "no"), throwing, { code: "server_error", outcome: "unknown" }],
  ["a reset", resetAfterReading, rejecting, { code: "connection_failed", outcome: "unknown" }],
])(
  "a store that fails after %s changes nothing for the caller, and an event says what is missing",
  async (_what, reply, end, expected) => {
    const { payments, events, arrivals } = await guarded([reply], { store: alteredStore({ end }) });

    const result = await (reply === REFUSED ? byCard : byPix)(payments).catch((error: unknown) => error);

    expect(result).toMatchObject(expected);
    expect(arrivals).toHaveLength(1);
    const reported = eventsOf(events, "error").filter(({ error }) => error instanceof IdempotencyStoreError);
    const outcome = "outcome" in expected ? expected.outcome : "created";
    expect(reported).toMatchObject([{ externalRef: "order-1", error: { outcome, externalRef: "order-1" } }]);
  },
);

describe("a record of the end", () => {
  /** A store that fails to record so many times. */
  function failingTimes(times: number) {
    const store = memoryStore();
    const end = vi.fn(store.end);
    for (let tries = 0; tries < times; tries += 1) end.mockRejectedValueOnce(away);
    return { end, store: alteredStore({ end, warning: undefined }, store) };
  }

  test("that fails twice is tried again, and nobody needs to know", async () => {
    const { store, end } = failingTimes(2);
    const { payments, events, arrivals } = await guarded([created()], { store });

    await byPix(payments);
    await byPix(payments);

    expect(eventsOf(events, "error")).toEqual([]);
    expect(end).toHaveBeenCalledTimes(3);
    expect(arrivals).toHaveLength(1);
  });

  test("that fails for longer is recorded once the store is back, without a caller that waits", async () => {
    const { store } = failingTimes(3);
    const { payments, events, arrivals } = await guarded([created()], { store });

    await byPix(payments);

    expect(eventsOf(events, "error")).toHaveLength(1);
    const repeat = async () =>
      (await payments.transactions.createPix(aPix()).withResponse()).response.replayed;
    await vi.waitFor(async () => expect(await repeat()).toBe(true), { timeout: 10_000 });
    expect(arrivals).toHaveLength(1);
  });

  test("that is missing leaves the reference claimed: it is never sent again by itself", async () => {
    const { payments, arrivals } = await guarded([created()], { store: alteredStore({ end: throwing }) });
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

  test.each([undefined, null, 0, "4021"])(
    "may give %j: a custom store may know of no others",
    async (given) => {
      const end = vi.fn(async () => given);
      const { payments, events } = await guarded([created()], {
        store: alteredStore({ end, warning: undefined }),
      });

      await byPix(payments);

      expect(end).toHaveBeenCalledTimes(1);
      expect([...eventsOf(events, "error"), ...eventsOf(events, "warning")]).toEqual([]);
    },
  );

  test("warns of other transactions that may have charged", async () => {
    const end = async (..._args: Parameters<PaymentsStore["end"]>) => [7, "90071992547409931234"];
    const { payments, events } = await guarded([created()], {
      store: alteredStore({ end, warning: undefined }),
    });

    expect(await byPix(payments)).toMatchObject({ id: 4021 });

    expect(eventsOf(events, "warning")).toMatchObject([
      {
        externalRef: "order-1",
        field: "externalRef",
        message: expect.stringContaining("7, 90071992547409931234"),
      },
    ]);
  });

  test("warns of them also if it is recorded later", async () => {
    const end = vi.fn(async () => [7]);
    for (let tries = 0; tries < 3; tries += 1) end.mockRejectedValueOnce(away);
    const { payments, events } = await guarded([created()], {
      store: alteredStore({ end, warning: undefined }),
    });

    await byPix(payments);

    const told = [{ externalRef: "order-1", message: expect.stringMatching(/transactions, too: 7\./) }];
    await vi.waitFor(() => expect(eventsOf(events, "warning")).toMatchObject(told), { timeout: 10_000 });
  });
});
