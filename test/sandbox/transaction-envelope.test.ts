import { createGateway, TEST_CARDS } from "payments-sdk/sandbox";
import { describe, expect, test } from "vitest";
import { aCard, aCardPayment, aGuidePix, aPix, bodyOf, having, merchantOf } from "./support/wire.ts";

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const NOON = Date.parse("2026-12-04T12:00:00.000Z");

test("a pix is answered 201 with every field of the specification", async () => {
  const gateway = createGateway({ now: NOON, company: { id: 77 } });

  const response = await merchantOf(gateway).create(aPix());

  expect(response.status).toBe(201);
  expect(await response.json()).toStrictEqual({
    success: true,
    message: "Transaction created",
    status: 201,
    data: {
      id: expect.any(Number),
      status: "pending",
      amount: 1990,
      companyId: 77,
      installments: 1,
      refusedAmount: 0,
      paidAmount: 0,
      refundedAmount: 0,
      paymentMethod: "pix",
      metadata: '{"cart":7}',
      acquirerType: expect.stringMatching(/./),
      secureId: expect.stringMatching(
        /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      ),
      secureUrl: expect.stringMatching(/^https:\/\/sandbox\.payments\.test\/checkout\/./),
      externalId: "order-1",
      customer: {
        name: "Ana Exemplo",
        email: "ana@loja.example",
        phone: "11999990000",
        document: { number: "52998224725", type: "cpf" },
        externalRef: "order-1",
      },
      pix: {
        qrcode: expect.stringMatching(/^data:image\/png;base64,/),
        qrcodeText: expect.stringMatching(/^000201/),
        expirationDate: "2026-12-06T12:00:00.000Z",
      },
      traceable: true,
      fees: 20,
      postBackUrl: "http://127.0.0.1:9/postbacks",
      createdAt: "2026-12-04T12:00:00.000Z",
    },
  });
});

test("an approved card has no pix, no reason, its installments as a number, and paidAmount 0 at creation", async () => {
  const { create, token } = merchantOf(createGateway());

  const response = await create(aCardPayment(await token(), { installments: "3" }));

  const { data } = await bodyOf(response);
  expect(response.status).toBe(201);
  expect(data).toMatchObject({
    status: "approved",
    paymentMethod: "credit_card",
    installments: 3,
    paidAmount: 0,
    refundedAmount: 0,
    refusedAmount: 0,
    fees: 79,
    createdAt: expect.stringMatching(ISO),
  });
  expect(Object.keys(data)).not.toContain("pix");
  expect(Object.keys(data)).not.toContain("refusedReason");
});

test("a declined card still gets 201, with its reason and refusedAmount equal to amount", async () => {
  const { create, token } = merchantOf(createGateway());
  const declined = await token(aCard({ number: "4000000000009995" }));

  const response = await create(aCardPayment(declined));

  expect(response.status).toBe(201);
  expect((await bodyOf(response)).data).toMatchObject({
    status: "refused",
    refusedReason: "Insufficient limit",
    amount: 1990,
    refusedAmount: 1990,
    paidAmount: 0,
    fees: 0,
  });
});

test("what a pix did not send is not echoed", async () => {
  const { create } = merchantOf(createGateway());

  const response = await create(aGuidePix());

  const { data } = await bodyOf(response);
  expect(data).not.toHaveProperty("externalId");
  expect(data).not.toHaveProperty("postBackUrl");
  expect(data).not.toHaveProperty("metadata");
  expect(data.customer).toStrictEqual({
    name: "Ana Exemplo",
    email: "ana@loja.example",
    document: { number: "52998224725", type: "cpf" },
  });
  expect(data.traceable).toBe(false);
});

test("a customer's own externalRef is echoed; one that is no string is not", async () => {
  const { create } = merchantOf(createGateway());

  const own = await create(having(aPix(), "customer.externalRef", "customer-9"));
  const odd = await create(having(aPix(), "customer.externalRef", { id: 9 }));

  expect((await bodyOf(own)).data.customer.externalRef).toBe("customer-9");
  expect((await bodyOf(odd)).data.customer.externalRef).toBe("order-1");
});

test("ids count up in the order of the requests", async () => {
  const gateway = createGateway();
  const { create } = merchantOf(gateway);

  const answers = await Promise.all([1, 2, 3].map((n) => create(aPix({ externalRef: `order-${n}` }))));

  const ids = await Promise.all(answers.map(async (answer) => (await bodyOf(answer)).data.id));
  expect(ids).toEqual([ids[0], ids[0] + 1, ids[0] + 2]);
  expect(gateway.transactions.map(({ id }) => id)).toEqual(ids);
});

test("transactions are listed by id, even when a later one was done sooner", async () => {
  const gateway = createGateway();
  const { create, token } = merchantOf(gateway);
  const hash = await token();

  await Promise.all([create(aPix()), create(aCardPayment(hash))]); // the pix waits for its picture

  expect(gateway.transactions.map(({ paymentMethod }) => paymentMethod)).toEqual(["pix", "credit_card"]);
});

test("links start with the base URL, its path included", async () => {
  const { create } = merchantOf(createGateway({ baseUrl: "https://pay.example/sandbox/" }));

  const response = await create(aPix());

  expect((await bodyOf(response)).data.secureUrl).toMatch(/^https:\/\/pay\.example\/sandbox\/checkout\//);
});

describe("pix.expiresInDays", () => {
  test.each([
    [undefined, "2026-12-05T12:00:00.000Z"], // 1 is the default
    [{}, "2026-12-05T12:00:00.000Z"],
    [{ expiresInDays: 1 }, "2026-12-05T12:00:00.000Z"],
    [{ expiresInDays: 30 }, "2027-01-03T12:00:00.000Z"],
    [{ expiresInDays: 31 }, "2027-01-03T12:00:00.000Z"], // reduced to 30
    [{ expiresInDays: 9007199254740991 }, "2027-01-03T12:00:00.000Z"],
  ])("%j expires at %s", async (pix, expirationDate) => {
    const { create } = merchantOf(createGateway({ now: NOON }));

    const response = await create(aGuidePix(pix === undefined ? {} : { pix }));

    expect((await bodyOf(response)).data.pix.expirationDate).toBe(expirationDate);
  });
});

describe("card numbers choose outcomes", () => {
  test.each([
    ["4111111111111111", "approved", undefined],
    ["4242424242424242", "approved", undefined],
    ["5555555555554444", "approved", undefined],
    ["4024007153763191", "approved", undefined], // fails Luhn
    ["6011000000000004", "approved", undefined], // not in the table
    ["4000000000000002", "refused", "Not authorized by the card issuer"],
    ["4000000000009995", "refused", "Insufficient limit"],
    ["4000000000000127", "refused", "Wrong data: the security code does not match"],
    ["4000000000000069", "refused", "Wrong data: the card has expired"],
    ["4100000000000019", "refused", "Refused by the anti-fraud rules"],
    ["4000000000009979", "refused", "The card was reported stolen"],
    ["4000000000000119", "refused", "The card issuer did not answer"],
  ])("%s is %s (%s)", async (number, status, refusedReason) => {
    const { create, token } = merchantOf(createGateway());

    const response = await create(aCardPayment(await token(aCard({ number }))));

    const { data } = await bodyOf(response);
    expect(data.status).toBe(status);
    expect(data.refusedReason).toBe(refusedReason);
  });

  test("the table of test cards has every refusal once, with a reason of its own", () => {
    const refusals = TEST_CARDS.filter(({ status }) => status === "refused");

    const reasons = new Set(refusals.map(({ refusedReason }) => refusedReason));

    expect(reasons.size).toBe(9);
    expect(refusals).toHaveLength(9);
    expect(reasons).not.toContain(undefined);
  });

  test.each([
    ["11", "2026", "refused"],
    ["12", "2026", "approved"], // good to the end of its month
  ])("in December 2026 a card of %s/%s is %s", async (expirationMonth, expirationYear, status) => {
    const { create, token } = merchantOf(createGateway({ now: Date.parse("2026-12-31T23:59:59.999Z") }));
    const hash = await token(aCard({ expirationMonth, expirationYear }));

    const response = await create(aCardPayment(hash));

    expect((await bodyOf(response)).data.status).toBe(status);
  });
});
