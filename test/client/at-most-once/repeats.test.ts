import { join } from "node:path";
import { IdempotencyConflictError, OutcomePendingError, type PaymentsClient } from "payments-sdk";
import { sqliteStore } from "payments-sdk/idempotency";
import { describe, expect, onTestFinished, test } from "vitest";
import { aCardPayment, aPix, failureOf, merchantAt } from "../../support/merchant.ts";
import { aCardData, aPixData, created, PIX_CODE } from "../../support/service-answers.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { byCard, byPix, type Create, guarded, METHODS } from "./support/guarded.ts";

describe.each(METHODS)("a repeat of a %s", (_method, create, answer) => {
  test("gives the transaction of the first, and sends nothing", async () => {
    const { payments, arrivals } = await guarded([answer]);
    const { customer, ...first } = await create(payments);

    const again = await create(payments);

    expect(again).toEqual({ ...first, customer: { document: {} } });
    expect(customer.name).toBe("Ana Exemplo");
    expect(arrivals).toHaveLength(1);
  });

  test("by another client with the same store gives it, too", async () => {
    const { payments, arrivals, baseUrl, store } = await guarded([answer]);
    const first = await create(payments);

    const again = await create(merchantAt(baseUrl, { idempotency: store }).payments);

    expect(again.id).toBe(first.id);
    expect(arrivals).toHaveLength(1);
  });

  test("while the first is on its way is told so, and nothing is sent", async () => {
    const { payments, arrivals } = await guarded([answer]);
    const first = create(payments);

    const error = await failureOf(create(payments));

    await first;
    expect(error).toBeInstanceOf(OutcomePendingError);
    expect(error).toMatchObject({ state: "claimed", outcome: "unknown", externalRef: "order-1" });
    expect(arrivals).toHaveLength(1);
  });

  test("ten at once are sent once", async () => {
    const { payments, arrivals } = await guarded([answer]);

    const ends = await Promise.allSettled(Array.from({ length: 10 }, () => create(payments)));

    expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(arrivals).toHaveLength(1);
  });
});

describe("a result that comes from a store", () => {
  test("says so, and has neither customer nor metadata, postback URL or raw body", async () => {
    const data = aPixData({ metadata: '{"cart":7}', postBackUrl: "https://loja.example/p" });
    const { payments } = await guarded([created(data)]);
    const first = await payments.transactions.createPix(aPix()).withResponse();

    const { data: again, response } = await payments.transactions.createPix(aPix()).withResponse();

    expect(first.response.replayed).toBe(false);
    expect(response).toMatchObject({ replayed: true, status: 201, requestId: undefined });
    expect(again).toMatchObject({ id: 4021, status: "pending", pix: { qrcodeText: PIX_CODE } });
    expect(again.customer).toEqual({ document: {} });
    expect([again.metadata, again.postBackUrl, again.raw]).toEqual([undefined, undefined, undefined]);
  });

  test("is a file's, after the process was started again", async () => {
    const file = join(temporaryFolder(), "store.db");
    const open = () => {
      const store = sqliteStore(file);
      onTestFinished(() => store.close());
      return store;
    };
    const { payments, arrivals, baseUrl } = await guarded([created()], { store: open() });
    const first = await byPix(payments);

    const again = await byPix(merchantAt(baseUrl, { idempotency: open() }).payments);

    expect(again).toEqual({ ...first, customer: { document: {} } });
    expect(arrivals).toHaveLength(1);
  });

  test("is the same, whoever pays: only the terms count", async () => {
    const { payments, arrivals } = await guarded();
    await byPix(payments);

    const customer = { ...aPix().customer, name: "Bia Exemplo" };
    await payments.transactions.createPix(aPix({ customer, metadata: { other: 1 } }));

    expect(arrivals).toHaveLength(1);
  });

  test("is the same for installments as a text and as a number", async () => {
    const { payments, arrivals } = await guarded([created(aCardData())]);
    await payments.transactions.createCard(aCardPayment({ installments: 3 }));

    await payments.transactions.createCard(aCardPayment({ installments: "3" }));

    expect(arrivals).toHaveLength(1);
  });
});

describe("the same reference for", () => {
  test.each<[string, Create, (payments: PaymentsClient) => Promise<unknown>]>([
    ["another amount", byPix, ({ transactions }) => transactions.createPix(aPix({ amount: 1991 }))],
    ["a card instead of a pix", byPix, byCard],
    ["a pix instead of a card", byCard, byPix],
    [
      "another number of installments",
      byCard,
      ({ transactions }) => transactions.createCard(aCardPayment({ installments: 2 })),
    ],
  ])("%s is a conflict, and is not sent", async (_what, first, second) => {
    const { payments, arrivals } = await guarded([first === byPix ? created() : created(aCardData())]);
    await first(payments);

    const error = await failureOf(second(payments));

    expect(error).toBeInstanceOf(IdempotencyConflictError);
    expect(error).toMatchObject({ outcome: "not_sent", externalRef: "order-1", earlier: "created" });
    expect(arrivals).toHaveLength(1);
  });
});

test("a repeat of a pix whose time is over, of which no postback told, warns of it", async () => {
  const answer = created(
    aPixData({ pix: { qrcodeText: PIX_CODE, expirationDate: "2020-01-01T00:00:00.000Z" } }),
  );
  const { payments, events } = await guarded([answer]);
  const first = await byPix(payments);

  const again = await byPix(payments);

  expect(again.id).toBe(first.id);
  const warnings = events.filter(({ type }) => type === "warning");
  expect(warnings).toContainEqual(
    expect.objectContaining({ field: "pix.expirationDate", externalRef: "order-1" }),
  );
});

test("a repeat of a pix that may still be paid warns of nothing", async () => {
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
  const answer = created(aPixData({ pix: { qrcodeText: PIX_CODE, expirationDate: inAnHour } }));
  const { payments, events } = await guarded([answer]);
  await byPix(payments);

  await byPix(payments);

  expect(events).not.toContainEqual(expect.objectContaining({ field: "pix.expirationDate" }));
});
