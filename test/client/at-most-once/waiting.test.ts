import { memoryStore, type PostbackNews } from "payments-sdk/idempotency";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { aGate } from "../../postbacks/handler/support/receiver.ts";
import { type Reply, text } from "../../support/http-server.ts";
import { aPix, failureOf, merchantAt } from "../../support/merchant.ts";
import { created } from "../../support/service-responses.ts";
import { byPix, guarded } from "./support/guarded.ts";

const WAIT = { wait: 15_000 };

/** A create that is in flight until the gate opens; what comes after it gets the other replies. */
async function inFlight(reply: Reply = created(), ...others: readonly Reply[]) {
  const gate = aGate();
  const held: Reply = async (exchange) => {
    await gate.passed;
    return reply(exchange);
  };
  const opened = await guarded([held, ...others]);
  const first = byPix(opened.payments);
  first.catch(() => undefined); // some tests look at it later
  await expect.poll(() => opened.arrivals.length).toBe(1);
  return { ...opened, gate, first };
}

/** A create of which nobody knows what became of it. */
async function unresolved() {
  const opened = await guarded([text(500, "no"), created()]);
  await failureOf(byPix(opened.payments));
  return opened;
}

describe("a create that waits", () => {
  test("gets what the other call got, and says so", async () => {
    const { payments, arrivals, gate, first } = await inFlight();

    const second = payments.transactions.createPix(aPix(), WAIT).withResponse();
    gate.open();

    const { data, response } = await second;
    expect(data.id).toBe((await first).id);
    expect(response.replayed).toBe(true);
    expect(arrivals).toHaveLength(1);
  });

  test("ends at once if nothing is in flight", async () => {
    const { payments, arrivals } = await guarded();

    await byPix(payments, WAIT);
    await byPix(payments, WAIT);

    expect(arrivals).toHaveLength(1);
  });

  test("sends the payment itself once the other call has charged nobody; of many, one does", async () => {
    const { payments, arrivals, gate, first } = await inFlight(text(400, "no"), created());

    const others = Array.from({ length: 5 }, () => byPix(payments, WAIT));
    gate.open();

    expect(await failureOf(first)).toMatchObject({ outcome: "rejected" });
    expect(new Set((await Promise.all(others)).map(({ id }) => id))).toEqual(new Set([4021]));
    expect(arrivals).toHaveLength(2);
  });

  test("fails if nobody knows what became of the other call when its time is up", async () => {
    const { payments, arrivals } = await unresolved();

    const start = performance.now();
    const error = await failureOf(byPix(payments, { wait: 150 }));

    expect(error).toMatchObject({ code: "outcome_pending", state: "unresolved" });
    expect(performance.now() - start).toBeGreaterThanOrEqual(149);
    expect(arrivals).toHaveLength(1);
  });

  test("gets what a postback says meanwhile", async () => {
    const { payments, arrivals, store } = await unresolved();

    const waiting = byPix(payments, WAIT);
    const news: PostbackNews = { id: 81, status: "approved", rawStatus: "approved", amount: 1990 };
    await store.settle("order-1", news);

    expect(await waiting).toMatchObject({ id: 81, status: "approved" });
    expect(arrivals).toHaveLength(1);
  });

  test("sends the payment once a person found out that nobody was charged", async () => {
    const { payments, arrivals, store } = await unresolved();

    const waiting = byPix(payments, WAIT);
    await store.resolve("order-1", { charged: false });

    expect(await waiting).toMatchObject({ id: 4021 });
    expect(arrivals).toHaveLength(2);
  });

  describe("for another process", () => {
    const order = { externalRef: "order-1", amount: 1990, paymentMethod: "pix", owner: "b" } as const;

    /** No time passes by itself, and the service takes 4 s. */
    async function claimedElsewhere() {
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance", "Date"] });
      onTestFinished(() => void vi.useRealTimers());
      const store = memoryStore();
      await store.claim(order, 60_000);
      const body = { success: true, data: { id: 4021, pix: { qrcodeText: "00020101" } } };
      const send = vi.fn(async () => {
        await new Promise((resolve) => setTimeout(resolve, 4_000));
        return Response.json(body, { status: 201 });
      });
      const options = { idempotency: store, timeout: 5_000, fetch: send };
      return { store, send, payments: merchantAt("http://127.0.0.1:1", options).payments };
    }

    test("has its whole timeout once it is sent", async () => {
      const { store, send, payments } = await claimedElsewhere();

      const waiting = byPix(payments, WAIT);
      await vi.advanceTimersByTimeAsync(6_000);
      await store.end(order, { outcome: "not_created" });
      await vi.advanceTimersByTimeAsync(6_000);

      expect(await waiting).toMatchObject({ id: 4021 });
      expect(send).toHaveBeenCalledTimes(1);
    });

    test("ends at once if it is aborted, and has sent nothing", async () => {
      const { send, payments } = await claimedElsewhere();
      const controller = new AbortController();
      const ended = vi.fn();

      void failureOf(byPix(payments, { ...WAIT, signal: controller.signal })).then(ended);
      await vi.advanceTimersByTimeAsync(3_000);
      controller.abort();
      await vi.advanceTimersByTimeAsync(1);

      expect(ended).toHaveBeenCalledWith(expect.objectContaining({ code: "aborted", outcome: "not_sent" }));
      expect(send).not.toHaveBeenCalled();
    });
  });

  test("does not wait for a payment on other terms", async () => {
    const { payments, gate, first } = await inFlight();

    const error = await failureOf(payments.transactions.createPix(aPix({ amount: 5 }), WAIT));

    expect(error.code).toBe("idempotency_conflict");
    gate.open();
    await first;
  });
});
