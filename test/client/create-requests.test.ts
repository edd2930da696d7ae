import type { CreateCardParams, CreatePixParams, PaymentsClient } from "payments-sdk";
import { describe, expect, test } from "vitest";
import { startServer } from "../support/http-server.ts";
import { aCardPayment, aPix, merchantAt } from "../support/merchant.ts";
import { issuesOfCreate } from "../support/recording-client.ts";
import { sentRequest } from "../support/sent-request.ts";
import { aCardData, created } from "../support/service-responses.ts";

test.each<[string, (payments: PaymentsClient, params: CreatePixParams) => PromiseLike<unknown>]>([
  ["createPix", ({ transactions }, params) => transactions.createPix(params)],
  ["create", ({ transactions }, params) => transactions.create({ ...params, paymentMethod: "pix" })],
])("a pix by %s needs only the fields that the guide does not call optional", async (_name, call) => {
  const customer = {
    name: "Ana",
    email: "a@b",
    document: { type: "cpf", number: "529.982.247-25" },
  } as const;

  const { body } = await sentRequest((payments) => call(payments, { amount: 1, customer }));

  expect(body).toStrictEqual({
    paymentMethod: "pix",
    amount: 1,
    customer: { name: "Ana", email: "a@b", document: { type: "cpf", number: "52998224725" } },
  });
});

test("a response is read as the requested payment method", async () => {
  const { baseUrl } = await startServer(created(aCardData({ paymentMethod: "pix" })));
  const params = { ...aCardPayment(), paymentMethod: "credit_card" } as const;

  const transaction = await merchantAt(baseUrl).payments.transactions.create(params);

  expect(transaction.paymentMethod).toBe("credit_card");
});

test("all issues are reported together, with those of the options", async () => {
  const params = aPix({ amount: 19.9, postbackUrl: "/p", colour: "blue" } as Partial<CreatePixParams>);

  const issues = await issuesOfCreate("createPix", params, { timeout: 0, extraBody: { amount: 1 } });

  expect(issues.map(({ field }) => field)).toEqual([
    "colour",
    "amount",
    "postbackUrl",
    "extraBody.amount",
    "options.timeout",
  ]);
});

describe("the client's postbackUrl", () => {
  const options = { postbackUrl: "https://loja.example/default" };
  const withoutUrl: CreateCardParams = aCardPayment({ postbackUrl: undefined });

  test("is sent if the call has none", async () => {
    const { body } = await sentRequest(({ transactions }) => transactions.createCard(withoutUrl), options);

    expect(body).toMatchObject(options);
  });

  test("is replaced by the call's", async () => {
    const { body } = await sentRequest(
      ({ transactions }) => transactions.createCard(aCardPayment()),
      options,
    );

    expect(body).toMatchObject({ postbackUrl: "https://loja.example/postbacks" });
  });
});

test("the warning of a pix without a reference has no reference", async () => {
  const { baseUrl } = await startServer(created());
  const { payments, events } = merchantAt(baseUrl);

  await payments.transactions.createPix(aPix({ externalRef: undefined, metadata: "not json" }));

  expect(events[0]).toMatchObject({ type: "warning", field: "metadata" });
  expect(events.filter((event) => "externalRef" in event)).toEqual([]);
});
