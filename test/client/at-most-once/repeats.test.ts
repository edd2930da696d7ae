import { join } from "node:path";
import { IdempotencyConflictError, OutcomePendingError, type PaymentsClient } from "payments-sdk";
import { sqliteStore } from "payments-sdk/idempotency";
import { describe, expect, onTestFinished, test } from "vitest";
import { aCardPayment, aPix, failureOf, merchantAt } from "../../support/merchant.ts";
import { aCardData, aPixData, created, PIX_CODE } from "../../support/service-responses.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { byCard, byPix, type Create, guarded, METHODS } from "./support/guarded.ts";

describe.each(METHODS)("a repeat of a %s", (_method, create, answer) => {
  test("gives the transaction of the first, also to another client, and sends nothing", async () => {
    const { payments, arrivals, baseUrl, store } = await guarded([answer]);
    const { customer, ...first } = await create(payments);

    const again = await create(payments);
    const elsewhere = await create(merchantAt(baseUrl, { idempotency: store }).payments);

    expect(again).toEqual({ ...first, customer: { document: {} } });
    expect(elsewhere).toEqual(again);
    expect(customer.name).toBe("Ana Exemplo");
    expect(arrivals).toHaveLength(1);
  });

  test("fails while the first is in flight, and nothing is sent", async () => {
    const { payments, arrivals } = await guarded([answer]);
    const first = create(payments);

    const error = await failureOf(create(payments));

    await first;
    expect(error).toBeInstanceOf(OutcomePendingError);
    expect(error).toMatchObject({ state: "claimed", outcome: "unknown", externalRef: "order-1" });
    expect(arrivals).toHaveLength(1);
  });

  test("is not sent if ten are made at once", async () => {
    const { payments, arrivals } = await guarded([answer]);

    const ends = await Promise.allSettled(Array.from({ length: 10 }, () => create(payments)));

    expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(arrivals).toHaveLength(1);
  });
});

describe("a result from a store", () => {
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

  test("is there after the process was started again, if the store is a file", async () => {
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

  test("is the same for another customer, metadata and spelling of installments: only the terms count", async () => {
    const { payments, arrivals } = await guarded([created(aCardData())]);
    await payments.transactions.createCard(aCardPayment({ installments: 3 }));

    const customer = { ...aCardPayment().customer, name: "Bia Exemplo" };
    const other = aCardPayment({ customer, metadata: { other: 1 }, installments: "3" });
    await payments.transactions.createCard(other);

    expect(arrivals).toHaveLength(1);
  });

  test("is given whatever the age of the repeat's card token", async () => {
    const expired = `e30.${Buffer.from('{"exp":1}').toString("base64url")}.x`;
    const { payments, arrivals } = await guarded([created(aCardData())]);
    const first = await byCard(payments);

    const again = await payments.transactions.createCard(aCardPayment({ card: { hash: expired } }));

    expect(again.id).toBe(first.id);
    expect(arrivals).toHaveLength(1);
  });
});

test.each<[string, Create, (payments: PaymentsClient) => Promise<unknown>]>([
  ["another amount", byPix, ({ transactions }) => transactions.createPix(aPix({ amount: 1991 }))],
  ["a card instead of a pix", byPix, byCard],
  [
    "another number of installments",
    byCard,
    ({ transactions }) => transactions.createCard(aCardPayment({ installments: 2 })),
  ],
])("the same reference for %s is a conflict, and is not sent", async (_what, first, second) => {
  const { payments, arrivals } = await guarded([first === byPix ? created() : created(aCardData())]);
  await first(payments);

  const error = await failureOf(second(payments));

  expect(error).toBeInstanceOf(IdempotencyConflictError);
  expect(error).toMatchObject({ outcome: "not_sent", externalRef: "order-1", earlier: "created" });
  expect(arrivals).toHaveLength(1);
});

test.each([
  ["is over warns of it", -3_600_000, 1],
  ["is not over warns of nothing", 3_600_000, 0],
])("a repeat of a pending pix whose time %s", async (_what, fromNow, warnings) => {
  const expirationDate = new Date(Date.now() + fromNow).toISOString();
  const { payments, events } = await guarded([
    created(aPixData({ pix: { qrcodeText: PIX_CODE, expirationDate } })),
  ]);
  const first = await byPix(payments);

  const again = await byPix(payments);

  expect(again.id).toBe(first.id);
  expect(
    events.filter((event) => event.type === "warning" && event.field === "pix.expirationDate"),
  ).toMatchObject(Array(warnings).fill({ externalRef: "order-1" }));
});
