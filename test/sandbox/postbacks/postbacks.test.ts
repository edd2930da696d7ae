import { createGateway, ImpossibleMoveError, UnknownIdError } from "payments-sdk/sandbox";
import { describe, expect, test } from "vitest";
import {
  gatewayPostingTo,
  receivedStatuses,
  startPosting,
  startReceiver,
  statuses,
} from "../support/postback-receiver.ts";
import { aPix, bodyOf, without } from "../support/wire.ts";

/** The section "Events" of the specification, and the delivery of postbacks. */

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

  test("is posted if the scenario of a card causes it, and a cancelled card is spelled with two l", async () => {
    const { receiver, gateway, card } = await startPosting();
    await card("4000008400001629");
    gateway.cancel(await card("4000000000003220"));

    gateway.clock.advance(60_000);
    await gateway.settled();

    expect(receivedStatuses(receiver).sort()).toEqual(["cancelled", "refused"]);
  });

  test.each(["canceled", "cancelled"] as const)(
    "to a cancelled pix is posted as %s if chosen",
    async (spelling) => {
      const { gateway, pix } = gatewayPostingTo(await startReceiver(), {}, { pixCancelledAs: spelling });

      const { status } = gateway.cancel(await pix());

      expect([gateway.deliveries[0]?.body.status, status]).toEqual([spelling, "cancelled"]);
    },
  );

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

describe("a postback can be sent again", () => {
  test("as a new delivery with the same body, even after it failed and after a newer one", async () => {
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

  test("but not if it does not exist", () => {
    const gateway = createGateway();

    expect(() => gateway.resendPostback(1)).toThrow(new UnknownIdError("There is no postback 1."));
    expect(() => gateway.sendPostback(1)).toThrow(new UnknownIdError("There is no transaction 1."));
  });
});

test("the current status can be posted without a change, with the time of the change, not the time of the postback", async () => {
  const { receiver, gateway, card } = await startPosting();
  const id = await card();
  gateway.clock.advance(1000);
  gateway.refund(id, 1); // the status does not change
  gateway.clock.advance(1000);

  gateway.sendPostback(id);
  await gateway.settled();

  expect(receiver.received.map(({ body }) => [body.status, body.transactionDate])).toEqual([
    ["approved", "2026-12-04T12:00:00.000Z"],
  ]);
  expect(gateway.transactions[0]?.status).toBe("approved");
});
