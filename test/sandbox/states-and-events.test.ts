import { describe, expect, test } from "vitest";
import { controlOf, NOON } from "./support/control.ts";
import { aReceiver, type Receiver } from "./support/receiver.ts";
import { start } from "./support/running.ts";
import { aCard, aCardPayment, aPix, bodyOf, merchant } from "./support/wire.ts";

/** The parts "States and transitions" and "Events" of the specification, sentence by sentence, over HTTP. */

const APPROVED = "4111111111111111";
const PROCESSING = "4000000000003220";
const REFUSED = "4000000000009995";

async function open(receiver?: Receiver) {
  const sandbox = await start({ now: NOON, seed: 7 });
  const postbackUrl = receiver?.url ?? `${sandbox.baseUrl}/sandbox/inbox`;
  const { create, get, token } = merchant(sandbox, fetch);
  const control = controlOf(sandbox);

  return {
    control,
    get,
    pix: async (overrides: object = {}) => create(aPix({ postbackUrl, ...overrides })),
    card: async (number = APPROVED) => create(aCardPayment(await token(aCard({ number })), { postbackUrl })),
    move: async (name: string) => control("POST", `transactions/latest/${name}`),
    status: async () => (await control("GET", "transactions/latest")).body.transaction.status,
    settled: () => sandbox.gateway.settled(),
  };
}

describe("States and transitions", () => {
  test("created with pix: pending, with data.pix and a paidAmount of 0", async () => {
    const { pix } = await open();

    const response = await pix();

    const { data } = await bodyOf(response);
    expect(response.status).toBe(201);
    expect(data).toMatchObject({ status: "pending", paidAmount: 0 });
    expect(Object.keys(data.pix)).toEqual(["qrcode", "qrcodeText", "expirationDate"]);
  });

  test.each([
    [APPROVED, "approved"],
    [PROCESSING, "processing"],
    [REFUSED, "refused"],
  ])("created with card %s: the status is returned in the response: %s", async (number, status) => {
    const { card } = await open();

    const response = await card(number);

    expect(response.status).toBe(201); // a declined one, too
    expect((await bodyOf(response)).data.status).toBe(status);
  });

  test("a refused card comes with its reason, and refusedAmount is its amount", async () => {
    const { card } = await open();

    const { data } = await bodyOf(await card(REFUSED));

    expect(data).toMatchObject({ refusedReason: "Insufficient limit", amount: 1990, refusedAmount: 1990 });
  });

  test.each([
    ["available limit", "4000000000009995"],
    ["correct data", "4000000000000127"],
    ["anti-fraud rules", "4100000000000019"],
  ])("approval depends on %s", async (_what, number) => {
    const { card, status } = await open();

    await card(number);

    expect(await status()).toBe("refused");
  });

  test("a pending pix whose QR code is paid is approved, and a notification is sent to postbackUrl", async () => {
    const receiver = await aReceiver();
    const { pix, move, status, settled } = await open(receiver);
    await pix();

    await move("pay");
    await settled();

    expect(await status()).toBe("approved");
    expect(receiver.received.map(({ body }) => body.status)).toEqual(["approved"]);
  });

  test("a pending pix that is not paid within pix.expiresInDays is expired", async () => {
    const { pix, control, status } = await open();
    await pix({ pix: { expiresInDays: 3 } });

    await control("POST", "clock", { advanceMs: 3 * 86_400_000 - 1 });
    const before = await status();
    await control("POST", "clock", { advanceMs: 1 });

    expect(before).toBe("pending");
    expect(await status()).toBe("expired");
  });

  test.each([
    ["pix", "cancel", "cancelled"], // with two l, though the pix list writes `canceled`
    ["pix", "expire", "expired"],
    ["card", "refund", "refunded"],
    ["card", "chargeback", "chargedback"],
  ] as const)("a %s after %s is %s", async (method, name, status) => {
    const sandbox = await open();
    await sandbox[method]();

    await sandbox.move(name);

    expect(await sandbox.status()).toBe(status);
  });

  test.each([
    ["card", "expire", "approved"], // "expired" applies to pix
    ["pix", "chargeback", "approved"], // "chargedback": card list
  ] as const)(
    "a status of the other method is out of reach: a %s cannot %s",
    async (method, name, status) => {
      const sandbox = await open();
      await sandbox[method]();
      if (method === "pix") await sandbox.move("pay");

      const answer = await sandbox.move(name);

      expect(answer.status).toBe(409);
      expect(await sandbox.status()).toBe(status);
    },
  );
});

describe("Events", () => {
  test("a notification is an HTTP POST with a JSON body of the five fields", async () => {
    const receiver = await aReceiver();
    const { pix, move, settled } = await open(receiver);
    const { data } = await bodyOf(await pix({ externalRef: "order-9", amount: 2500 }));

    await move("pay");
    await settled();

    const [received] = receiver.received;
    expect(received?.method).toBe("POST");
    expect(received?.headers["content-type"]).toBe("application/json");
    expect(received?.body).toStrictEqual({
      id: data.id,
      status: "approved",
      externalRef: "order-9",
      amount: 2500,
      transactionDate: "2026-12-04T12:00:00.000Z",
    });
  });

  test.each([
    ["pix", APPROVED, "pay", "approved"],
    ["pix", APPROVED, "cancel", "cancelled"],
    ["pix", APPROVED, "expire", "expired"],
    ["card", PROCESSING, "pay", "approved"],
    ["card", PROCESSING, "cancel", "cancelled"],
    ["card", APPROVED, "refund", "refunded"],
    ["card", APPROVED, "chargeback", "chargedback"],
  ] as const)("any status change emits one: %s %s, %s", async (method, number, name, status) => {
    const receiver = await aReceiver();
    const { pix, card, move, settled } = await open(receiver);
    await (method === "pix" ? pix() : card(number));

    await move(name);
    await settled();

    expect(receiver.received.map(({ body }) => body.status)).toEqual([status]);
  });

  test("confirmation arrives within seconds of the payment, with no clock advanced", async () => {
    const receiver = await aReceiver();
    const { pix, move } = await open(receiver);
    await pix();

    await move("pay");

    await expect.poll(() => receiver.received.length, { timeout: 5_000 }).toBe(1);
  });

  test("each transaction is notified to its own postbackUrl", async () => {
    const [one, other] = [await aReceiver(), await aReceiver()];
    const { pix, move, settled } = await open();

    await pix({ postbackUrl: one.url });
    await move("pay");
    await pix({ postbackUrl: other.url });
    await move("cancel");
    await settled();

    expect(one.received.map(({ body }) => body.status)).toEqual(["approved"]);
    expect(other.received.map(({ body }) => body.status)).toEqual(["cancelled"]);
  });

  test("the company's configured event names are of those that the specification lists", async () => {
    const { get } = await open();

    const { data } = await bodyOf(await get("/api/v1/company"));

    expect(data.configuration.webhook.events).toEqual([
      "transaction.approved",
      "transaction.refused",
      "transaction.refunded",
      "transaction.chargedback",
      "transaction.canceled", // the status is `cancelled`
    ]);
  });
});
