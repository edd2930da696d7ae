import type { PaymentsClient } from "payments-sdk";
import { describe, expect, test } from "vitest";
import { json, startServer, text } from "../support/http-server.ts";
import { aCard, aCardPayment, aPix, merchantAt, tokenizerAt } from "../support/merchant.ts";
import { aCardData, aCompany, created, envelope, healthy } from "../support/service-answers.ts";

/** `sk_test_1:pk_test_2` in base64, worked out by hand: the secret key is the user, the public key the password. */
const BASIC = "Basic c2tfdGVzdF8xOnBrX3Rlc3RfMg==";
const KEYS = { secretKey: "sk_test_1", publicKey: "pk_test_2" };

type Call = (payments: PaymentsClient) => PromiseLike<unknown>;

describe("Basic authentication goes with", () => {
  test.each<[string, string, string, unknown, Call]>([
    ["a pix", "POST", "/api/v1/transactions", null, ({ transactions }) => transactions.createPix(aPix())],
    [
      "a card payment",
      "POST",
      "/api/v1/transactions",
      envelope(aCardData()),
      ({ transactions }) => transactions.createCard(aCardPayment()),
    ],
    ["the company", "GET", "/api/v1/company", envelope(aCompany()), ({ company }) => company.retrieve()],
    ["the sellers", "GET", "/sellers", [], ({ sellers }) => sellers.list()],
    ["their revenue", "GET", "/sellers/revenue", [], ({ sellers }) => sellers.revenue()],
  ])("%s: %s %s", async (_what, method, url, body, call) => {
    const { baseUrl, arrivals } = await startServer(body === null ? created() : json(200, body));
    const { payments } = merchantAt(baseUrl, KEYS);

    await call(payments);

    expect(arrivals).toMatchObject([{ method, url, headers: { authorization: BASIC } }]);
  });
});

describe("no Authorization goes with", () => {
  test("the status, which needs no key at all", async () => {
    const { baseUrl, arrivals } = await startServer(healthy);
    const { payments } = merchantAt(baseUrl, { secretKey: undefined, publicKey: undefined });

    await payments.status.retrieve();

    expect(arrivals).toMatchObject([{ method: "GET", url: "/api/v1/status", body: "" }]);
    expect(arrivals[0]?.headers).not.toHaveProperty("authorization");
  });

  test("a tokenization by the client: the public key stands in the query", async () => {
    const { baseUrl, arrivals } = await startServer(text(200, "tok_1"));
    const { payments } = merchantAt(baseUrl, KEYS);

    await payments.cardTokens.create(aCard());

    expect(arrivals).toMatchObject([{ method: "POST", url: "/api/v1/card-token?publicKey=pk_test_2" }]);
    expect(arrivals[0]?.headers).not.toHaveProperty("authorization");
    expect(JSON.stringify(arrivals)).not.toContain("sk_test_1");
  });

  test("a tokenization by the tokenizer", async () => {
    const { baseUrl, arrivals } = await startServer(text(200, "tok_1"));

    await tokenizerAt(baseUrl, { publicKey: "pk_a&b=c/d" }).tokenize(aCard());

    expect(arrivals).toMatchObject([{ url: "/api/v1/card-token?publicKey=pk_a%26b%3Dc%2Fd" }]);
    expect(arrivals[0]?.headers).not.toHaveProperty("authorization");
  });

  test.each(["list", "revenue"] as const)("sellers.%s where sellersAuth is none", async (call) => {
    const { baseUrl, arrivals } = await startServer(json(200, []));
    const { payments } = merchantAt(baseUrl, { ...KEYS, sellersAuth: "none" });

    await payments.sellers[call]();

    expect(arrivals[0]?.headers).not.toHaveProperty("authorization");
  });
});

test("sellersAuth none needs no keys", async () => {
  const { baseUrl, arrivals } = await startServer(json(200, []));
  const { payments } = merchantAt(baseUrl, {
    secretKey: undefined,
    publicKey: undefined,
    sellersAuth: "none",
  });

  await payments.sellers.list();

  expect(arrivals).toHaveLength(1);
});

test.each([
  ["/api/v1/sellers", "/api/v1/sellers", "/api/v1/sellers/revenue"],
  ["/v2/sellers/", "/v2/sellers", "/v2/sellers/revenue"],
])("sellersPath %s moves both seller calls", async (sellersPath, list, revenue) => {
  const { baseUrl, arrivals } = await startServer(json(200, []));
  const { payments, events } = merchantAt(baseUrl, { sellersPath });

  await payments.sellers.list();
  await payments.sellers.revenue();

  expect(arrivals.map(({ url }) => url)).toEqual([list, revenue]);
  expect(events.flatMap((event) => (event.type === "request" ? [event.path] : []))).toEqual([list, revenue]);
});
