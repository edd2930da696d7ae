import { describe, expect, test } from "vitest";
import { postingTo, statusesOf } from "../support/posting.ts";
import { aReceiver } from "../support/receiver.ts";
import { aPix, bodyOf, without } from "../support/wire.ts";

describe("a change of status", () => {
  test("is posted to the postbackUrl as JSON, with the five fields and no more", async () => {
    const receiver = await aReceiver();
    const { gateway, pix } = postingTo(receiver);
    const id = await pix();
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
      externalRef: "order-1",
      amount: 1990,
      transactionDate: "2026-12-04T12:00:01.500Z",
    });
  });

  test.each([
    ["pay", "approved"],
    ["expire", "expired"],
    ["cancel", "cancelled"],
  ] as const)("of a pix is posted: %s, %s", async (move, status) => {
    const receiver = await aReceiver();
    const { gateway, pix } = postingTo(receiver);

    gateway[move](await pix());
    await gateway.settled();

    expect(statusesOf(receiver)).toEqual([status]);
  });

  test.each([
    ["4000000000003220", ["approved"]],
    ["4000008400001629", ["refused"]],
    ["4000000000000259", ["chargedback"]],
  ])("that a card's scenario brings is posted: %s, %j", async (number, expected) => {
    const receiver = await aReceiver();
    const { gateway, card } = postingTo(receiver);
    await card(number);

    gateway.clock.advance(60_000);
    await gateway.settled();

    expect(statusesOf(receiver)).toEqual(expected);
  });

  test("by the clock is posted: a pix that expires", async () => {
    const receiver = await aReceiver();
    const { gateway, pix } = postingTo(receiver);
    await pix({ pix: { expiresInDays: 1 } });

    gateway.clock.advance(5 * 86_400_000);
    await gateway.settled();

    expect(receiver.received.map(({ body }) => [body.status, body.transactionDate])).toEqual([
      ["expired", "2026-12-05T12:00:00.000Z"],
    ]);
  });

  test("is posted once the one before it was answered, however slow the receiver is", async () => {
    const inTheAir: string[][] = [];
    const receiver = await aReceiver((response) => {
      const arrived = statusesOf(receiver);
      setTimeout(() => {
        inTheAir.push(statusesOf(receiver).slice(arrived.length)); // what else came before the answer
        response.end();
      }, 20);
    });
    const { gateway, pix } = postingTo(receiver);
    const id = await pix();

    gateway.pay(id);
    gateway.refund(id);
    await gateway.settled();

    expect(statusesOf(receiver)).toEqual(["approved", "refunded"]);
    expect(inTheAir).toEqual([[], []]);
  });

  test("carries no reference where the transaction has none", async () => {
    const receiver = await aReceiver();
    const { gateway, create } = postingTo(receiver);
    const { data } = await bodyOf(await create(without(aPix({ postbackUrl: receiver.url }), "externalRef")));

    gateway.pay(data.id);
    await gateway.settled();

    expect(receiver.received[0]?.body).not.toHaveProperty("externalRef");
  });
});

describe("nothing is posted", () => {
  test("at creation: nothing changed yet", async () => {
    const receiver = await aReceiver();
    const { gateway, pix, card } = postingTo(receiver);

    await pix();
    await card("4000000000000002");
    await gateway.settled();

    expect(receiver.received).toEqual([]);
    expect(gateway.deliveries).toEqual([]);
  });

  test("for a part of a refund: the status stays", async () => {
    const receiver = await aReceiver();
    const { gateway, card } = postingTo(receiver);

    gateway.refund(await card(), 1);
    await gateway.settled();

    expect(receiver.received).toEqual([]);
  });

  test("without a postbackUrl, and not to the company's webhook either", async () => {
    const receiver = await aReceiver();
    const company = { configuration: { webhook: { url: receiver.url } } };
    const { gateway, create } = postingTo(receiver, {}, { company });
    const { data } = await bodyOf(await create(without(aPix(), "postbackUrl")));

    gateway.pay(data.id);
    await gateway.settled();

    expect(gateway.deliveries).toEqual([]);
    expect(receiver.received).toEqual([]);
    expect(() => gateway.sendPostback(data.id)).toThrow("it has no postback URL");
  });
});

describe("deliveries", () => {
  test("list each postback with its body, its status and the receiver's answer", async () => {
    const receiver = await aReceiver((response) => response.writeHead(202).end("thank you"));
    const { gateway, pix } = postingTo(receiver);
    const id = await pix();

    gateway.pay(id);
    const before = gateway.deliveries;
    await gateway.settled();

    const postback = { id: 1, transactionId: id, url: receiver.url, body: receiver.received[0]?.body };
    const noon = "2026-12-04T12:00:00.000Z";
    expect(before).toEqual([{ ...postback, status: "scheduled", attempts: [], nextAttemptAt: noon }]);
    expect(gateway.deliveries).toEqual([
      { ...postback, status: "delivered", attempts: [{ at: noon, status: 202, body: "thank you" }] },
    ]);
  });

  test("are those of all transactions, oldest first", async () => {
    const receiver = await aReceiver();
    const { gateway, pix, card } = postingTo(receiver);
    const [first, second] = [await pix(), await card()];

    gateway.chargeback(second);
    gateway.pay(first);
    await gateway.settled();

    expect(gateway.deliveries.map(({ id, transactionId }) => [id, transactionId])).toEqual([
      [1, second],
      [2, first],
    ]);
  });
});
