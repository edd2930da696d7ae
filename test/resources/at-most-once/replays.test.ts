import {
  IdempotencyConflictError,
  OutcomePendingError,
  type PaymentsClient,
  type PixTransaction,
} from "payments-sdk";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { aCardPayment, aPix, eventsOf, failureOf, merchantAt } from "../../support/merchant.ts";
import { aCardData, aPixData, created, PIX_CODE, PNG } from "../../support/service-responses.ts";
import { byCard, byPix, type Create, METHODS, merchantWithStore } from "../support/merchant-with-store.ts";

describe.each(METHODS)("a second create call for the same %s", (_method, create, reply) => {
  test("resolves with the stored transaction and sends nothing, even from another client", async () => {
    const { payments, arrivals, baseUrl, store } = await merchantWithStore([reply]);
    const { customer, ...first } = await create(payments);
    const { pix } = first as Partial<PixTransaction>;

    const again = await create(payments);
    const elsewhere = await create(merchantAt(baseUrl, { idempotency: store }).payments);

    const kept = pix && { pix: { qrcodeText: pix.qrcodeText, expirationDate: pix.expirationDate } };
    expect(again).toEqual({ ...first, ...kept, customer: { document: {} } });
    expect(elsewhere).toEqual(again);
    expect(customer.name).toBe("Ana Exemplo");
    expect(arrivals).toHaveLength(1);
  });

  test("fails and sends nothing while the first is in flight, however many start together", async () => {
    const { payments, arrivals } = await merchantWithStore([reply]);
    const first = create(payments);

    const errors = await Promise.all(Array.from({ length: 9 }, () => failureOf(create(payments))));

    await first;
    expect(errors[0]).toBeInstanceOf(OutcomePendingError);
    const expected = { state: "claimed", outcome: "unknown", externalRef: "order-1" };
    expect(errors).toMatchObject(Array(9).fill(expected));
    expect(arrivals).toHaveLength(1);
  });
});

describe("a replayed result", () => {
  test("has the code of a pix without its picture, which can be drawn from the code", async () => {
    const { payments } = await merchantWithStore();
    const { pix } = await payments.transactions.createPix(aPix());

    const again = await payments.transactions.createPix(aPix());

    expect(pix.qrcode).toBe(`data:image/png;base64,${PNG}`);
    expect(again.pix).toEqual({ qrcodeText: PIX_CODE, expirationDate: pix.expirationDate });
  });

  test("is marked as replayed, and has no customer, metadata, postback URL or raw body", async () => {
    const data = aPixData({ metadata: '{"cart":7}', postBackUrl: "https://loja.example/p" });
    const { payments, events } = await merchantWithStore([created(data)]);
    const first = await payments.transactions.createPix(aPix()).withResponse();

    const { data: again, response } = await payments.transactions.createPix(aPix()).withResponse();

    expect(first.response.replayed).toBe(false);
    expect(response).toMatchObject({ replayed: true, status: 201, requestId: undefined });
    expect(again).toMatchObject({ id: 4021, status: "pending", pix: { qrcodeText: PIX_CODE } });
    expect(again.customer).toEqual({ document: {} });
    expect([again.metadata, again.postBackUrl, again.raw]).toEqual([undefined, undefined, undefined]);
    expect(events.at(-1)).toEqual({
      ...{ type: "result", endpoint: "transactions.create", externalRef: "order-1", replayed: true },
      ...{ paymentMethod: "pix", amount: 1990, transactionId: 4021, status: "pending" },
    });
  });

  test("is returned for another customer, metadata or type of installments: only the terms count", async () => {
    const { payments, arrivals } = await merchantWithStore([created(aCardData())]);
    await payments.transactions.createCard(aCardPayment({ installments: 3 }));

    const customer = { ...aCardPayment().customer, name: "Bia Exemplo" };
    const other = aCardPayment({ customer, metadata: { other: 1 }, installments: "3" });
    await payments.transactions.createCard(other);

    expect(arrivals).toHaveLength(1);
  });

  test("is returned even if the second call's card token has expired", async () => {
    const expired = `e30.${Buffer.from('{"exp":1}').toString("base64url")}.x`;
    const { payments, arrivals } = await merchantWithStore([created(aCardData())]);
    const first = await byCard(payments);

    const again = await payments.transactions.createCard(aCardPayment({ card: { hash: expired } }));

    expect(again.id).toBe(first.id);
    expect(arrivals).toHaveLength(1);
  });
});

test.each<[string, Create, (payments: PaymentsClient) => Promise<unknown>]>([
  ["another amount", byPix, ({ transactions }) => transactions.createPix(aPix({ amount: 1991 }))],
  ["a card instead of a pix", byPix, byCard],
  ["other installments", byCard, (to) => to.transactions.createCard(aCardPayment({ installments: 2 }))],
])("the same reference for %s is a conflict, and is not sent", async (_what, first, second) => {
  const reply = first === byPix ? created() : created(aCardData());
  const { payments, arrivals } = await merchantWithStore([reply]);
  await first(payments);

  const error = await failureOf(second(payments));

  expect(error).toBeInstanceOf(IdempotencyConflictError);
  expect(error).toMatchObject({ outcome: "not_sent", externalRef: "order-1", earlier: "created" });
  expect(arrivals).toHaveLength(1);
});

test.each([
  ["has expired reports a warning", -3_600_000, "Z", 1],
  ["has expired, by a time without a zone, reports a warning", -3_600_000, "", 1],
  ["has not expired reports no warning", 3_600_000, "Z", 0],
  ["has just expired reports no warning, because the clocks may differ", -30_000, "Z", 0],
])("a replay of a pending pix that %s", async (_what, fromNow, zone, warnings) => {
  vi.stubEnv("TZ", "America/Sao_Paulo");
  onTestFinished(() => void vi.unstubAllEnvs());
  const expirationDate = new Date(Date.now() + fromNow).toISOString().replace("Z", zone);
  const reply = created(aPixData({ pix: { qrcodeText: PIX_CODE, expirationDate } }));
  const { payments, events } = await merchantWithStore([reply]);
  const first = await byPix(payments);

  const again = await byPix(payments);

  expect(again.id).toBe(first.id);
  const found = eventsOf(events, "warning").filter(({ field }) => field === "pix.expirationDate");
  expect(found).toMatchObject(Array(warnings).fill({ externalRef: "order-1" }));
});
