import { memoryStore } from "payments-sdk/idempotency";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { type Reply, text } from "../../support/http-server.ts";
import { aPix, failureOf, merchantAt } from "../../support/merchant.ts";
import { created } from "../../support/service-responses.ts";
import { byPix, heldReply, merchantWithStore } from "../support/merchant-with-store.ts";

const WAIT = { wait: 15_000 };

/** A create call that is in flight until the gate opens; later requests get the other responses. */
async function startInFlight(reply: Reply = created(), ...others: readonly Reply[]) {
  const { gate, held } = heldReply(reply);
  const opened = await merchantWithStore([held, ...others]);
  const first = byPix(opened.payments);
  first.catch(() => undefined); // some tests await it later
  await expect.poll(() => opened.arrivals.length).toBe(1);
  return { ...opened, gate, first };
}

describe("a create call with `wait`", () => {
  test("gets the result of the other call, marked as replayed", async () => {
    const { payments, arrivals, gate, first } = await startInFlight();

    const second = payments.transactions.createPix(aPix(), WAIT).withResponse();
    gate.open();

    const { data, response } = await second;
    expect(data.id).toBe((await first).id);
    expect(response.replayed).toBe(true);
    expect(arrivals).toHaveLength(1);
  });

  test("is sent once the other call charged nothing; of several waiting calls, only one is", async () => {
    const { payments, arrivals, gate, first } = await startInFlight(text(400, "no"), created());

    const others = Array.from({ length: 5 }, () => byPix(payments, WAIT));
    gate.open();

    expect(await failureOf(first)).toMatchObject({ outcome: "rejected" });
    expect(new Set((await Promise.all(others)).map(({ id }) => id))).toEqual(new Set([4021]));
    expect(arrivals).toHaveLength(2);
  });

  test("fails at once if the other call has ended without a known outcome: waiting cannot help", async () => {
    const { payments, arrivals, gate, first } = await startInFlight(text(500, "no"));

    const waiting = failureOf(byPix(payments, { wait: 600_000 }));
    gate.open();
    await failureOf(first);

    expect(await waiting).toMatchObject({ code: "outcome_pending", state: "unresolved" });
    expect(await failureOf(byPix(payments, { wait: 600_000 }))).toMatchObject({ state: "unresolved" });
    expect(arrivals).toHaveLength(1);
  });

  describe("for another process", () => {
    const order = { externalRef: "order-1", amount: 1990, paymentMethod: "pix", owner: "b" } as const;

    /** An order claimed by another process; time is fake, and the service takes 4 s. */
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

    test("has its full timeout once it is sent", async () => {
      const { store, send, payments } = await claimedElsewhere();

      const waiting = byPix(payments, WAIT);
      await vi.advanceTimersByTimeAsync(6_000);
      await store.recordOutcome(order, { outcome: "not_created" });
      await vi.advanceTimersByTimeAsync(6_000);

      expect(await waiting).toMatchObject({ id: 4021 });
      expect(send).toHaveBeenCalledTimes(1);
    });

    test("fails at once if it is aborted, and sends nothing", async () => {
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
});
