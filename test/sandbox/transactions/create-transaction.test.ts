import { createGateway } from "payments-sdk/sandbox";
import { expect, test } from "vitest";
import { aCardPayment, aGuidePix, aPix, bodyOf, merchantOf, NOON } from "../support/wire.ts";

test("a pix returns 201 with what was sent, a code to pay until it expires, and a page", async () => {
  const gateway = createGateway({ now: NOON, company: { id: 77 } });

  const response = await merchantOf(gateway).create(aPix());

  const { data, ...envelope } = await bodyOf(response);
  expect(response.status).toBe(201);
  expect(envelope).toEqual({ success: true, message: "Transaction created", status: 201 });
  const { customer, metadata, traceable } = aPix();
  expect(data).toMatchObject({
    ...{ status: "pending", paymentMethod: "pix", amount: 1990, companyId: 77, installments: 1, fees: 20 },
    ...{ metadata, traceable, externalId: "order-1", postBackUrl: "http://127.0.0.1:9/postbacks" },
    customer: { ...(customer as object), externalRef: "order-1" },
    secureUrl: `https://sandbox.payments.test/checkout/${data.secureId}`,
    pix: { expirationDate: "2026-12-06T12:00:00.000Z" },
    createdAt: "2026-12-04T12:00:00.000Z",
  });
  expect(data).not.toHaveProperty("items"); // the specification does not show them
});

test("an approved card has no pix, no refusedReason, numeric installments, and paidAmount 0 at creation", async () => {
  const { create, token } = merchantOf(createGateway());

  const response = await create(aCardPayment(await token(), { installments: "3" }));

  const { data } = await bodyOf(response);
  expect(response.status).toBe(201);
  const amounts = { paidAmount: 0, refundedAmount: 0, refusedAmount: 0, fees: 79 };
  expect(data).toMatchObject({ status: "approved", installments: 3, ...amounts });
  expect(data).not.toHaveProperty("pix");
  expect(data).not.toHaveProperty("refusedReason");
});

test("fields that were not sent are not echoed", async () => {
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

test("with a base URL that has a path, endpoints and links start with it", async () => {
  const gateway = createGateway({ baseUrl: "https://pay.example/sandbox/" });

  const response = await merchantOf(gateway).create(aPix());
  const elsewhere = await gateway.fetch("https://pay.example/api/v1/status");

  expect(gateway.baseUrl).toBe("https://pay.example/sandbox");
  expect((await bodyOf(response)).data.secureUrl).toMatch(/^https:\/\/pay\.example\/sandbox\/checkout\//);
  expect(elsewhere.status).toBe(404);
});
