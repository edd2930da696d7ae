import { getEventListeners } from "node:events";
import { ImpossibleMoveError, type PostbackOptions } from "payments-sdk/sandbox";
import { describe, expect, test, vi } from "vitest";
import {
  gatewayPostingTo,
  receivedStatuses,
  startPosting,
  startReceiver,
  statuses,
} from "./support/postback-receiver.ts";
import { aPix, bodyOf, without } from "./support/wire.ts";

/** The section "Events" of the specification, and the delivery of postbacks. */

const NOWHERE = { url: "https://loja.example/postbacks", received: [] };
const SILENT: PostbackOptions = { fetch: async () => new Response() };

describe("a change of status", () => {
  test("is posted to the postbackUrl as JSON, with exactly five fields", async () => {
    const { receiver, gateway, pix } = await startPosting();
    const id = await pix({ externalRef: "order-9", amount: 2500 });
    gateway.clock.advance(1500);

    gateway.pay(id);
    await gateway.settled();

    expect(receiver.received).toHaveLength(1);
    expect(receiver.received[0]).toMatchObject({ method: "POST", path: "/postbacks" });
    expect(receiver.received[0]?.headers["content-type"]).toBe("application/json");
    expect(receiver.received[0]?.headers).not.toHaveProperty("authorization");
    expect(receiver.received[0]?.body).toStrictEqual({
      id,
      status: "approved",
      externalRef: "order-9",
      amount: 2500,
      transactionDate: "2026-12-04T12:00:01.500Z",
    });
  });

  test("is posted if the scenario of a card causes it, and a cancelled pix as `pixCancelledAs` spells it", async () => {
    const { gateway, card, pix } = gatewayPostingTo(NOWHERE, SILENT, { pixCancelledAs: "cancelled" });
    await card("4000008400001629");

    gateway.cancel(await pix());
    gateway.clock.advance(60_000);

    expect(gateway.deliveries.map(({ body }) => body.status)).toEqual(["cancelled", "refused"]);
  });

  test("is posted for a part that is returned, over that part, with `partialRefunds`", async () => {
    const { gateway, pix } = gatewayPostingTo(NOWHERE, { ...SILENT, partialRefunds: true });
    const id = gateway.pay(await pix()).id;
    gateway.clock.advance(1_000);

    gateway.med(id, 500);
    gateway.refund(id);

    const at = "2026-12-04T12:00:01.000Z";
    const bodies = gateway.deliveries.slice(1).map(({ body }) => body);
    expect(bodies).toMatchObject([
      { status: "refunded", amount: 500, transactionDate: at },
      { status: "refunded", amount: 1990, transactionDate: at },
    ]);
  });

  test("is posted after the response to the previous one, even if the receiver is slow", async () => {
    const inFlight: string[][] = [];
    const receiver = await startReceiver((response) => {
      const arrived = receivedStatuses(receiver);
      setTimeout(() => {
        inFlight.push(receivedStatuses(receiver).slice(arrived.length)); // what arrived before the response
        response.end();
      }, 20);
    });
    const { gateway, pix } = gatewayPostingTo(receiver);
    const id = await pix();

    gateway.pay(id);
    gateway.refund(id);
    await gateway.settled();

    expect(receivedStatuses(receiver)).toEqual(["approved", "refunded"]);
    expect(inFlight).toEqual([[], []]);
  });
});

test("a postback after a partial refund has the date of the payment", async () => {
  const { gateway, card } = gatewayPostingTo(NOWHERE, SILENT);
  const id = await card();
  gateway.clock.advance(1_000);
  gateway.refund(id, 1);

  gateway.sendPostback(id);

  const body = { status: "approved", transactionDate: "2026-12-04T12:00:00.000Z" };
  expect(gateway.deliveries).toMatchObject([{ body }]);
});

describe("no postback is sent", () => {
  test("at creation and for a partial refund, because the status does not change", async () => {
    const { gateway, pix, card } = await startPosting();

    await pix();
    await card("4000000000000002");
    gateway.refund(await card(), 1);
    await gateway.settled();

    expect(gateway.deliveries).toEqual([]);
  });

  test("without a postbackUrl, not even to the company's webhook", async () => {
    const receiver = await startReceiver();
    const company = { configuration: { webhook: { url: receiver.url } } };
    const { gateway, create } = gatewayPostingTo(receiver, {}, { company });
    const { data } = await bodyOf(await create(without(aPix(), "postbackUrl")));

    gateway.pay(data.id);
    await gateway.settled();

    expect(gateway.deliveries).toEqual([]);
    expect(receiver.received).toEqual([]);
    expect(() => gateway.sendPostback(data.id)).toThrow(
      new ImpossibleMoveError(`Transaction ${data.id} has no postback URL.`),
    );
  });
});

test("deliveries lists those of all transactions, oldest first, with body, status and the receiver's response", async () => {
  const { receiver, gateway, pix, card } = await startPosting({}, (response) =>
    response.writeHead(202).end("thank you"),
  );
  const [first, second] = [await pix(), await card()];

  gateway.chargeback(second);
  gateway.pay(first);
  const [before] = gateway.deliveries;
  await gateway.settled();

  const body = receiver.received.find((one) => one.body.id === second)?.body;
  const postback = { id: 1, transactionId: second, url: receiver.url, body };
  const noon = "2026-12-04T12:00:00.000Z";
  expect(before).toEqual({ ...postback, status: "scheduled", attempts: [], nextAttemptAt: noon });
  expect(gateway.deliveries[0]).toEqual({
    ...postback,
    status: "delivered",
    attempts: [{ at: noon, status: 202, body: "thank you" }],
  });
  expect(gateway.deliveries.map(({ transactionId }) => transactionId)).toEqual([second, first]);
});

test("a postback can be sent again as a new delivery with the same body, even after it failed and after a newer one", async () => {
  const { receiver, gateway, pix } = await startPosting({ retries: 0 }, statuses(500, 200));
  const id = await pix();
  gateway.pay(id);
  gateway.refund(id);
  await gateway.settled();
  gateway.clock.advance(60_000);

  const again = gateway.resendPostback(1);
  await gateway.settled();

  expect(again).toMatchObject({ id: 3, transactionId: id, status: "scheduled", attempts: [] });
  expect(receiver.received[2]?.text).toBe(receiver.received[0]?.text);
  expect(gateway.deliveries.map(({ status, attempts }) => [status, attempts[0]?.at])).toEqual([
    ["failed", "2026-12-04T12:00:00.000Z"],
    ["delivered", "2026-12-04T12:00:00.000Z"],
    ["delivered", "2026-12-04T12:01:00.000Z"],
  ]);
});

describe("options", () => {
  test("delayMs delays a postback by the clock, and duplicates sends additional copies", async () => {
    const { receiver, gateway, pix } = await startPosting({ delayMs: 3000, duplicates: 2 });
    gateway.pay(await pix());

    gateway.clock.advance(2999);
    await gateway.settled();
    const before = receiver.received.length;
    gateway.clock.advance(1);
    await gateway.settled();

    expect([before, receiver.received.length]).toEqual([0, 3]);
    expect(new Set(receiver.received.map(({ text }) => text)).size).toBe(1);
    expect(receiver.received[0]?.body.transactionDate).toBe("2026-12-04T12:00:00.000Z");
    expect(gateway.deliveries.map(({ status }) => status)).toEqual(Array(3).fill("delivered"));
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

  const ALL = ["refused", "approved", "refunded", "approved", "chargedback", "pending", "canceled"];
  test.each<[PostbackOptions, object, readonly string[]]>([
    [{}, { events: [] }, [...ALL, "pending", "expired"]], // any status change
    [{ expired: false }, {}, [...ALL, "pending"]],
    [{ onlyConfiguredEvents: true }, {}, ALL.filter((status) => status !== "pending")], // it has no event name
    [{ onlyConfiguredEvents: true }, { events: ["transaction.canceled"] }, ["canceled"]],
    [{ onlyConfiguredEvents: true }, { events: [] }, []],
  ])("%j, with a webhook of %j, decide which statuses are posted", async (options, webhook, posted) => {
    const company = { configuration: { webhook } };
    const postbacks = { ...SILENT, onCreation: true, ...options };
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

  test("fetch replaces the platform's, and its signal ends after 10 seconds, without listeners", async () => {
    const timeout = vi.spyOn(AbortSignal, "timeout");
    const fetch = vi.fn(async (_url: string, _init: RequestInit) => new Response("mine", { status: 201 }));
    const { receiver, gateway, pix } = await startPosting({ fetch });

    gateway.pay(await pix());
    await gateway.settled();

    const [[url, init] = []] = fetch.mock.calls;
    expect([url, init]).toMatchObject([receiver.url, { method: "POST", redirect: "manual" }]);
    expect(gateway.deliveries[0]?.attempts).toMatchObject([{ status: 201, body: "mine" }]);
    expect(getEventListeners(init?.signal as AbortSignal, "abort")).toEqual([]);
    expect(timeout.mock.calls).toEqual([[10_000]]);
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
