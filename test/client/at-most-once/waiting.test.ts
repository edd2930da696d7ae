import { memoryStore, type PostbackNews } from "payments-sdk/idempotency";
import { describe, expect, test, vi } from "vitest";
import { aGate } from "../../postbacks/handler/support/receiver.ts";
import { type Reply, text } from "../../support/http-server.ts";
import { aPix, failureOf, merchantAt } from "../../support/merchant.ts";
import { created } from "../../support/service-answers.ts";
import { byPix, guarded, METHODS } from "./support/guarded.ts";

/** Answers once a test lets it. */
function held(reply: Reply) {
  const gate = aGate();
  const answer: Reply = async (exchange) => {
    await gate.passed;
    return reply(exchange);
  };
  return { gate, answer };
}

const WAIT = { wait: 15_000 };

describe.each(METHODS)("a create by %s that waits", (_method, create, reply) => {
  test("gets what the other call got", async () => {
    const { gate, answer } = held(reply);
    const { payments, arrivals } = await guarded([answer]);
    const first = create(payments);
    await expect.poll(() => arrivals.length).toBe(1);

    const second = create(payments, WAIT);
    gate.open();

    expect((await second).id).toBe((await first).id);
    expect(arrivals).toHaveLength(1);
  });
});

describe("waiting", () => {
  test("tells that the result is another call's", async () => {
    const { gate, answer } = held(created());
    const { payments, arrivals } = await guarded([answer]);
    const first = byPix(payments);
    await expect.poll(() => arrivals.length).toBe(1);

    const second = payments.transactions.createPix(aPix(), WAIT).withResponse();
    gate.open();

    expect((await second).response.replayed).toBe(true);
    await first;
  });

  test("ends at once where nothing is on its way", async () => {
    const { payments, arrivals } = await guarded();

    await byPix(payments, WAIT);
    await byPix(payments, WAIT);

    expect(arrivals).toHaveLength(1);
  });

  test("sends the payment itself, once the other call has charged nobody", async () => {
    const { gate, answer } = held(text(400, "no"));
    const { payments, arrivals } = await guarded([answer, created()]);
    const first = failureOf(byPix(payments));
    await expect.poll(() => arrivals.length).toBe(1);

    const second = byPix(payments, WAIT);
    gate.open();

    expect(await first).toMatchObject({ outcome: "rejected" });
    expect((await second).id).toBe(4021);
    expect(arrivals).toHaveLength(2);
  });

  test("of many: one of them sends it then", async () => {
    const { gate, answer } = held(text(400, "no"));
    const { payments, arrivals } = await guarded([answer, created()]);
    const first = failureOf(byPix(payments));
    await expect.poll(() => arrivals.length).toBe(1);

    const others = Array.from({ length: 5 }, () => byPix(payments, WAIT));
    gate.open();

    expect(new Set((await Promise.all(others)).map(({ id }) => id))).toEqual(new Set([4021]));
    expect(arrivals).toHaveLength(2);
    await first;
  });

  test("is over when the other call ended in a way that nobody knows, and the time is up", async () => {
    const { payments, arrivals } = await guarded([text(500, "no"), created()]);
    await failureOf(byPix(payments));

    const start = performance.now();
    const error = await failureOf(byPix(payments, { wait: 150 }));

    expect(error).toMatchObject({ code: "outcome_pending", state: "unresolved" });
    expect(performance.now() - start).toBeGreaterThanOrEqual(149);
    expect(arrivals).toHaveLength(1);
  });

  test("gets what a postback says meanwhile", async () => {
    const { payments, arrivals, store } = await guarded([text(500, "no"), created()]);
    await failureOf(byPix(payments));

    const waiting = byPix(payments, WAIT);
    const news: PostbackNews = { id: 81, status: "approved", rawStatus: "approved", amount: 1990 };
    await store.settle("order-1", news);

    expect(await waiting).toMatchObject({ id: 81, status: "approved" });
    expect(arrivals).toHaveLength(1);
  });

  test("gets what a person found out meanwhile", async () => {
    const { payments, arrivals, store } = await guarded([text(500, "no"), created()]);
    await failureOf(byPix(payments));

    const waiting = byPix(payments, WAIT);
    await store.resolve("order-1", { charged: false });

    expect(await waiting).toMatchObject({ id: 4021 });
    expect(arrivals).toHaveLength(2);
  });

  test("ends when the caller gives up: this call has sent nothing", async () => {
    const { gate, answer } = held(created());
    const { payments, arrivals, store } = await guarded([answer]);
    const first = byPix(payments);
    await expect.poll(() => arrivals.length).toBe(1);
    const controller = new AbortController();
    const claim = vi.spyOn(store, "claim");

    const second = failureOf(byPix(payments, { ...WAIT, signal: controller.signal }));
    await expect.poll(() => claim.mock.calls.length).toBeGreaterThan(1);
    controller.abort();

    expect(await second).toMatchObject({ code: "aborted", outcome: "not_sent" });
    gate.open();
    await first;
    expect(arrivals).toHaveLength(1);
  });

  test("does not shorten the time for the call", async () => {
    const store = memoryStore();
    const order = { ...ORDER, owner: "another process" };
    await store.claim(order, 60_000);
    const { gate, answer } = held(created());
    const { payments, arrivals } = await guarded([answer], { store, timeout: 1_500 });

    const waiting = byPix(payments, WAIT);
    await new Promise((resolve) => setTimeout(resolve, 1_600)); // longer than the timeout
    await store.end(order, { outcome: "not_created" });
    await expect.poll(() => arrivals.length).toBe(1);
    gate.open();

    expect((await waiting).id).toBe(4021);
  });

  test("is not for a payment on other terms", async () => {
    const { gate, answer } = held(created());
    const { payments, arrivals, baseUrl, store } = await guarded([answer]);
    const first = byPix(payments);
    await expect.poll(() => arrivals.length).toBe(1);

    const other = merchantAt(baseUrl, { idempotency: store }).payments;
    const error = await failureOf(other.transactions.createPix(aPix({ amount: 5 }), WAIT));

    expect(error.code).toBe("idempotency_conflict");
    gate.open();
    await first;
  });
});

const ORDER = { externalRef: "order-1", amount: 1990, paymentMethod: "pix" } as const;
