import { getEventListeners } from "node:events";
import { createGateway, type PostbackOptions } from "payments-sdk/sandbox";
import { describe, expect, test } from "vitest";
import { gatewayPostingTo, receivedStatuses, startPosting } from "../support/postback-receiver.ts";

describe("options", () => {
  test("delayMs delays a postback, by the clock", async () => {
    const { receiver, gateway, pix } = await startPosting({ delayMs: 3000 });
    gateway.pay(await pix());

    gateway.clock.advance(2999);
    await gateway.settled();
    const before = receiver.received.length;
    gateway.clock.advance(1);
    await gateway.settled();

    expect([before, receiver.received.length]).toEqual([0, 1]);
    expect(receiver.received[0]?.body.transactionDate).toBe("2026-12-04T12:00:00.000Z");
  });

  test("duplicates sends additional copies, each as its own delivery", async () => {
    const { receiver, gateway, pix } = await startPosting({ duplicates: 2 });

    gateway.pay(await pix());
    await gateway.settled();

    expect(new Set(receiver.received.map(({ text }) => text)).size).toBe(1);
    expect(gateway.deliveries.map(({ id, status }) => [id, status])).toEqual([
      [1, "delivered"],
      [2, "delivered"],
      [3, "delivered"],
    ]);
  });

  test("reorder holds a third postback until the fourth", async () => {
    const { receiver, gateway, card } = await startPosting({ reorder: true, onCreation: true });
    const id = await card("4000000000003220"); // processing

    gateway.pay(id);
    gateway.chargeback(id);
    await gateway.settled();
    const before = receivedStatuses(receiver);
    gateway.clock.advance(5000);
    await gateway.settled();

    expect(before).toEqual(["approved", "processing"]);
    expect(receivedStatuses(receiver)).toEqual(["approved", "processing", "chargedback"]);
  });

  const NOWHERE = { url: "https://loja.example/postbacks", received: [] };
  const ALL = ["refused", "approved", "refunded", "approved", "chargedback", "pending", "canceled"];
  test.each<[PostbackOptions, object, readonly string[]]>([
    [{}, { events: [] }, [...ALL, "pending", "expired"]], // any status change
    [{ expired: false }, {}, [...ALL, "pending"]],
    [{ onlyConfiguredEvents: true }, {}, ALL.filter((status) => status !== "pending")], // it has no event name
    [{ onlyConfiguredEvents: true }, { events: ["transaction.canceled"] }, ["canceled"]],
    [{ onlyConfiguredEvents: true }, { events: [] }, []],
  ])("%j, with a webhook of %j, decide which statuses are posted", async (options, webhook, posted) => {
    const company = { configuration: { webhook } };
    const postbacks = { onCreation: true, fetch: async () => new Response(), ...options };
    const { gateway, pix, card } = gatewayPostingTo(NOWHERE, postbacks, { company });

    await card("4000000000000002"); // refused
    gateway.refund(await card());
    gateway.chargeback(await card());
    gateway.cancel(await pix());
    const expired = gateway.expire(await pix());

    const statuses = () => gateway.deliveries.map(({ body }) => body.status);
    expect(statuses()).toEqual(posted);
    gateway.sendPostback(expired.id); // by hand, whatever the options
    expect(statuses()).toEqual([...posted, "expired"]);
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
  ])("that are unknown or invalid are refused: %j", (postbacks, message) => {
    expect(() => createGateway({ postbacks })).toThrow(new TypeError(`createGateway: ${message}.`));
  });

  test("fetch replaces the platform's, and its signal has no listeners afterwards", async () => {
    const sent: (readonly [string, RequestInit | undefined])[] = [];
    const { receiver, gateway, pix } = await startPosting({
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

test("close aborts postbacks in flight, even with a fetch that ignores its signal, and sends no more", async () => {
  const sent: string[] = [];
  const { gateway, pix } = await startPosting({
    fetch: (_url, init) => {
      sent.push(JSON.parse(String(init?.body)).status);
      return new Promise(() => {}); // never responds
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
