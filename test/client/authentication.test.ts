import type { PaymentsClient } from "payments-sdk";
import { describe, expect, test } from "vitest";
import { json, startServer, text } from "../support/http-server.ts";
import { aCard, aPix, merchantAt, tokenizerAt } from "../support/merchant.ts";
import { aCompany, created, envelope, healthy } from "../support/service-answers.ts";

/** `sk_test_1:pk_test_2` in base64, worked out by hand: the secret key is the user, the public key the password. */
const BASIC = "Basic c2tfdGVzdF8xOnBrX3Rlc3RfMg==";
const KEYS = { secretKey: "sk_test_1", publicKey: "pk_test_2" };

test.each<[string, string, string, unknown, (payments: PaymentsClient) => PromiseLike<unknown>]>([
  ["a create", "POST", "/api/v1/transactions", null, ({ transactions }) => transactions.createPix(aPix())],
  ["the company", "GET", "/api/v1/company", envelope(aCompany()), ({ company }) => company.retrieve()],
  ["the sellers", "GET", "/sellers", [], ({ sellers }) => sellers.list()],
  ["their revenue", "GET", "/sellers/revenue", [], ({ sellers }) => sellers.revenue()],
])("%s is sent with Basic authentication: %s %s", async (_what, method, url, body, call) => {
  const { baseUrl, arrivals } = await startServer(body === null ? created() : json(200, body));

  await call(merchantAt(baseUrl, KEYS).payments);

  expect(arrivals).toMatchObject([{ method, url, headers: { authorization: BASIC } }]);
});

describe("no Authorization is sent with", () => {
  test("the status, which needs no key at all", async () => {
    const { baseUrl, arrivals } = await startServer(healthy);

    await merchantAt(baseUrl, { secretKey: undefined, publicKey: undefined }).payments.status.retrieve();
    await merchantAt(baseUrl, KEYS).payments.status.retrieve();

    expect(arrivals).toMatchObject(Array(2).fill({ method: "GET", url: "/api/v1/status", body: "" }));
    for (const { headers } of arrivals) expect(headers).not.toHaveProperty("authorization");
  });

  test("a tokenization, which has the public key in its query", async () => {
    const { baseUrl, arrivals } = await startServer(text(200, "tok_1"));

    await merchantAt(baseUrl, KEYS).payments.cardTokens.create(aCard());
    await tokenizerAt(baseUrl, { publicKey: "pk_a&b=c/d" }).tokenize(aCard());

    expect(arrivals.map(({ method, url }) => `${method} ${url}`)).toEqual([
      "POST /api/v1/card-token?publicKey=pk_test_2",
      "POST /api/v1/card-token?publicKey=pk_a%26b%3Dc%2Fd",
    ]);
    for (const { headers } of arrivals) expect(headers).not.toHaveProperty("authorization");
    expect(JSON.stringify(arrivals)).not.toContain("sk_test_1");
  });

  test.each([KEYS, { secretKey: undefined, publicKey: undefined }])(
    "the sellers, if sellersAuth is none: %j",
    async (keys) => {
      const { baseUrl, arrivals } = await startServer(json(200, []));
      const { payments } = merchantAt(baseUrl, { ...keys, sellersAuth: "none" });

      await payments.sellers.list();
      await payments.sellers.revenue();

      expect(arrivals).toHaveLength(2);
      for (const { headers } of arrivals) expect(headers).not.toHaveProperty("authorization");
    },
  );
});

test("sellersPath moves both seller calls", async () => {
  const { baseUrl, arrivals } = await startServer(json(200, []));
  const { payments } = merchantAt(baseUrl, { sellersPath: "/v2/sellers/" });

  await payments.sellers.list();
  await payments.sellers.revenue();

  expect(arrivals.map(({ url }) => url)).toEqual(["/v2/sellers", "/v2/sellers/revenue"]);
});
