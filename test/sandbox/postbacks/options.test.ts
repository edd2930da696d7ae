import { getEventListeners } from "node:events";
import { createGateway } from "payments-sdk/sandbox";
import { describe, expect, test } from "vitest";
import { posting, statusesOf } from "../support/posting.ts";

describe("options", () => {
  test("delayMs: a postback comes so much later, by the clock", async () => {
    const { receiver, gateway, pix } = await posting({ delayMs: 3000 });
    gateway.pay(await pix());

    gateway.clock.advance(2999);
    await gateway.settled();
    const before = receiver.received.length;
    gateway.clock.advance(1);
    await gateway.settled();

    expect([before, receiver.received.length]).toEqual([0, 1]);
    expect(receiver.received[0]?.body.transactionDate).toBe("2026-12-04T12:00:00.000Z");
  });

  test("duplicates: each comes so many times more, as a delivery of its own", async () => {
    const { receiver, gateway, pix } = await posting({ duplicates: 2 });

    gateway.pay(await pix());
    await gateway.settled();

    expect(new Set(receiver.received.map(({ text }) => text)).size).toBe(1);
    expect(gateway.deliveries.map(({ id, status }) => [id, status])).toEqual([
      [1, "delivered"],
      [2, "delivered"],
      [3, "delivered"],
    ]);
  });

  test("reorder: without a second change the first comes after five seconds", async () => {
    const { receiver, gateway, pix } = await posting({ reorder: true });
    gateway.pay(await pix());

    gateway.clock.advance(4999);
    await gateway.settled();
    const before = receiver.received.length;
    gateway.clock.advance(1);
    await gateway.settled();

    expect([before, receiver.received.length]).toEqual([0, 1]);
  });

  test("reorder: a third change waits for a fourth", async () => {
    const { receiver, gateway, card } = await posting({ reorder: true, onCreation: true });
    const id = await card("4000000000003220"); // processing

    gateway.pay(id);
    gateway.chargeback(id);
    await gateway.settled();
    const before = statusesOf(receiver);
    gateway.clock.advance(5000);
    await gateway.settled();

    expect(before).toEqual(["approved", "processing"]);
    expect(statusesOf(receiver)).toEqual(["approved", "processing", "chargedback"]);
  });

  test("onCreation: the first status is posted, too", async () => {
    const { receiver, gateway, pix, card } = await posting({ onCreation: true });

    await pix();
    await card("4000000000000002");
    await gateway.settled();

    expect(statusesOf(receiver)).toEqual(["pending", "refused"]);
  });

  test.each<[object, string]>([
    [{ retry: 1 }, "postbacks.retry is not an option"],
    [{ delayMs: -1 }, "postbacks.delayMs must be a whole number of milliseconds from 0 to 2147483647"],
    [
      { timeoutMs: 2 ** 31 },
      "postbacks.timeoutMs must be a whole number of milliseconds from 0 to 2147483647",
    ],
    [{ retries: 101 }, "postbacks.retries must be a whole number from 0 to 100"],
    [{ reorder: 1 }, "postbacks.reorder must be true or false"],
    [{ fetch: "fetch" }, "postbacks.fetch must be a function"],
  ])("that cannot be meant are refused: %j", (postbacks, message) => {
    expect(() => createGateway({ postbacks })).toThrow(new TypeError(`createGateway: ${message}.`));
  });

  test("fetch: sends them in the place of the platform's, and nothing listens to its signal afterwards", async () => {
    const sent: (readonly [string, RequestInit | undefined])[] = [];
    const { receiver, gateway, pix } = await posting({
      fetch: async (url, init) => {
        sent.push([String(url), init]);
        return new Response("mine", { status: 201 });
      },
    });

    gateway.pay(await pix());
    await gateway.settled();

    expect(sent).toMatchObject([[receiver.url, { method: "POST", redirect: "manual" }]]);
    expect(gateway.deliveries[0]?.attempts).toMatchObject([{ status: 201, body: "mine" }]);
    expect(receiver.received).toEqual([]);
    expect(getEventListeners(sent[0]?.[1]?.signal as AbortSignal, "abort")).toEqual([]);
  });
});

describe("close", () => {
  test("ends what is in flight, even with a fetch that ignores its signal, and sends nothing more", async () => {
    const sent: string[] = [];
    const { gateway, pix } = await posting({
      fetch: (_url, init) => {
        sent.push(JSON.parse(String(init?.body)).status);
        return new Promise(() => {}); // no answer, ever
      },
    });
    const id = await pix();
    gateway.pay(id);
    gateway.refund(id);
    await expect.poll(() => sent).toEqual(["approved"]);

    gateway.close();
    await gateway.settled();
    gateway.clock.advance(60_000);
    await gateway.settled();

    expect(sent).toEqual(["approved"]);
    expect(gateway.deliveries[0]?.attempts).toMatchObject([{ error: "the gateway was closed" }]);
  });
});
