import { createGateway } from "payments-sdk/sandbox";
import { describe, expect, test } from "vitest";
import { postingTo, statusesOf } from "../support/posting.ts";
import { aReceiver } from "../support/receiver.ts";

describe("options", () => {
  test("delayMs: a postback comes so much later, by the clock", async () => {
    const receiver = await aReceiver();
    const { gateway, pix } = postingTo(receiver, { delayMs: 3000 });
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
    const receiver = await aReceiver();
    const { gateway, pix } = postingTo(receiver, { duplicates: 2 });

    gateway.pay(await pix());
    await gateway.settled();

    expect(new Set(receiver.received.map(({ text }) => text)).size).toBe(1);
    expect(gateway.deliveries.map(({ id, status }) => [id, status])).toEqual([
      [1, "delivered"],
      [2, "delivered"],
      [3, "delivered"],
    ]);
  });

  test("reorder: of two changes the second comes first", async () => {
    const receiver = await aReceiver();
    const { gateway, pix } = postingTo(receiver, { reorder: true });
    const id = await pix();

    gateway.pay(id);
    await gateway.settled();
    const held = receiver.received.length;
    gateway.refund(id);
    await gateway.settled();

    expect(held).toBe(0);
    expect(statusesOf(receiver)).toEqual(["refunded", "approved"]);
  });

  test("reorder: without a second change the first comes after five seconds", async () => {
    const receiver = await aReceiver();
    const { gateway, pix } = postingTo(receiver, { reorder: true });
    gateway.pay(await pix());

    gateway.clock.advance(4999);
    await gateway.settled();
    const before = receiver.received.length;
    gateway.clock.advance(1);
    await gateway.settled();

    expect([before, receiver.received.length]).toEqual([0, 1]);
  });

  test("reorder: a postback that is held says when it will go at the latest, and when it went", async () => {
    const receiver = await aReceiver();
    const { gateway, pix } = postingTo(receiver, { reorder: true, delayMs: 1000 });
    const id = await pix();

    gateway.pay(id);
    const held = gateway.deliveries[0]?.nextAttemptAt;
    gateway.clock.advance(2000);
    gateway.refund(id);
    const released = gateway.deliveries.map(({ nextAttemptAt }) => nextAttemptAt);

    expect(held).toBe("2026-12-04T12:00:06.000Z");
    expect(released).toEqual(["2026-12-04T12:00:03.000Z", "2026-12-04T12:00:03.000Z"]);
  });

  test("reorder: a third change waits for a fourth", async () => {
    const receiver = await aReceiver();
    const { gateway, card } = postingTo(receiver, { reorder: true, onCreation: true });
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
    const receiver = await aReceiver();
    const { gateway, pix, card } = postingTo(receiver, { onCreation: true });

    await pix();
    await card("4000000000000002");
    await gateway.settled();

    expect(statusesOf(receiver)).toEqual(["pending", "refused"]);
  });

  test.each<[object, string]>([
    [{ retry: 1 }, "postbacks.retry is no option"],
    [{ delayMs: -1 }, "postbacks.delayMs must be a whole number of milliseconds from 0 to 2147483647"],
    [{ backoffMs: 0.5 }, "postbacks.backoffMs must be a whole number of milliseconds from 0 to 2147483647"],
    [{ timeoutMs: "10" }, "postbacks.timeoutMs must be a whole number of milliseconds from 0 to 2147483647"],
    [
      { timeoutMs: 2 ** 31 },
      "postbacks.timeoutMs must be a whole number of milliseconds from 0 to 2147483647",
    ],
    [{ retries: null }, "postbacks.retries must be a whole number from 0 to 100"],
    [{ retries: 101 }, "postbacks.retries must be a whole number from 0 to 100"],
    [{ duplicates: -1 }, "postbacks.duplicates must be a whole number from 0 to 100"],
    [{ reorder: 1 }, "postbacks.reorder must be true or false"],
    [{ onCreation: "yes" }, "postbacks.onCreation must be true or false"],
    [{ fetch: "fetch" }, "postbacks.fetch must be a function"],
  ])("that cannot be meant are refused: %j", (postbacks, message) => {
    expect(() => createGateway({ postbacks })).toThrow(new TypeError(`createGateway: ${message}.`));
  });

  test("that are undefined are as good as not given", async () => {
    const receiver = await aReceiver();
    const nothing = { delayMs: undefined, retries: undefined, reorder: undefined, fetch: undefined };
    const { gateway, pix } = postingTo(receiver, nothing as never);

    gateway.pay(await pix());
    await gateway.settled();

    expect(gateway.deliveries).toMatchObject([{ status: "delivered" }]);
  });

  test("fetch: sends them in the place of the platform's", async () => {
    const receiver = await aReceiver();
    const sent: (readonly [string, RequestInit | undefined])[] = [];
    const { gateway, pix } = postingTo(receiver, {
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
  });
});

describe("close", () => {
  test("ends what is on its way, and sends nothing more", async () => {
    const receiver = await aReceiver(() => {}); // never answers
    const { gateway, pix } = postingTo(receiver);
    gateway.pay(await pix());
    await expect.poll(() => receiver.received.length).toBe(1);

    gateway.close();
    await gateway.settled();
    gateway.clock.advance(60_000);
    await gateway.settled();

    expect(gateway.deliveries[0]?.attempts).toMatchObject([{ error: "the gateway was closed" }]);
    expect(receiver.received).toHaveLength(1);
  });

  test("sends nothing that waited in line, though its fetch knows no signal", async () => {
    const sent: string[] = [];
    const { gateway, pix } = postingTo(await aReceiver(), {
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

    expect(sent).toEqual(["approved"]);
  });
});
