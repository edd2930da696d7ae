import { createGateway, ImpossibleMoveError, UnknownIdError } from "payments-sdk/sandbox";
import { describe, expect, test } from "vitest";
import { postingTo, statusesOf } from "../support/posting.ts";
import { aReceiver, statuses } from "../support/receiver.ts";
import { aPix, bodyOf, without } from "../support/wire.ts";

describe("a postback can be sent again", () => {
  test("with the body that it had, as a delivery of its own", async () => {
    const receiver = await aReceiver();
    const { gateway, card } = postingTo(receiver);
    const id = await card();
    gateway.chargeback(id);
    await gateway.settled();
    gateway.clock.advance(60_000);

    const again = gateway.resendPostback(1);
    await gateway.settled();

    expect(again).toMatchObject({ id: 2, transactionId: id, status: "scheduled", attempts: [] });
    expect(receiver.received[1]?.text).toBe(receiver.received[0]?.text);
    expect(gateway.deliveries.map(({ attempts }) => attempts.map(({ at }) => at))).toEqual([
      ["2026-12-04T12:00:00.000Z"],
      ["2026-12-04T12:01:00.000Z"],
    ]);
  });

  test("after all of its attempts failed", async () => {
    const receiver = await aReceiver(statuses(500, 200));
    const { gateway, pix } = postingTo(receiver, { retries: 0 });
    gateway.pay(await pix());
    await gateway.settled();

    gateway.resendPostback(1);
    await gateway.settled();

    expect(gateway.deliveries.map(({ status }) => status)).toEqual(["failed", "delivered"]);
  });

  test("an old one, after a newer one: a receiver must live with that", async () => {
    const receiver = await aReceiver();
    const { gateway, pix } = postingTo(receiver);
    const id = await pix();
    gateway.pay(id);
    gateway.refund(id);

    gateway.resendPostback(1);
    await gateway.settled();

    expect(statusesOf(receiver)).toEqual(["approved", "refunded", "approved"]);
  });
});

describe("the present status can be posted, though nothing changed", () => {
  test("dated when it came, not when it is posted", async () => {
    const receiver = await aReceiver();
    const { gateway, card } = postingTo(receiver);
    const id = await card();
    gateway.clock.advance(1000);
    gateway.refund(id, 1); // its status stays
    gateway.clock.advance(1000);

    gateway.sendPostback(id);
    await gateway.settled();

    expect(receiver.received.map(({ body }) => [body.status, body.transactionDate])).toEqual([
      ["approved", "2026-12-04T12:00:00.000Z"],
    ]);
    expect(gateway.transactions[0]?.status).toBe("approved");
  });

  test("also of a transaction that is still as it was created", async () => {
    const receiver = await aReceiver();
    const { gateway, pix } = postingTo(receiver);

    gateway.sendPostback(await pix());
    await gateway.settled();

    expect(statusesOf(receiver)).toEqual(["pending"]);
  });

  test("not without a postbackUrl", async () => {
    const { gateway, create } = postingTo(await aReceiver());
    const { data } = await bodyOf(await create(without(aPix(), "postbackUrl")));

    const send = () => gateway.sendPostback(data.id);

    expect(send).toThrow(new ImpossibleMoveError(`Transaction ${data.id}: it has no postback URL.`));
    expect(gateway.deliveries).toEqual([]);
  });
});

test("what does not exist cannot be sent again", () => {
  const gateway = createGateway();

  expect(() => gateway.resendPostback(1)).toThrow(new UnknownIdError("There is no postback 1."));
  expect(() => gateway.sendPostback(1)).toThrow(new UnknownIdError("There is no transaction 1."));
});
