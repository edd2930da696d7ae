import { describe, expect, test } from "vitest";
import { json, startServer, text } from "../support/http-server.ts";
import { aCard, merchantAt, tokenizerAt } from "../support/merchant.ts";
import { healthy } from "../support/service-responses.ts";

const KEYS = { secretKey: "sk_test_1", publicKey: "pk_test_2" };

describe("no Authorization header is sent with", () => {
  test("the status call, which needs no key", async () => {
    const { baseUrl, arrivals } = await startServer(healthy);

    await merchantAt(baseUrl, { secretKey: undefined, publicKey: undefined }).payments.status.retrieve();
    await merchantAt(baseUrl, KEYS).payments.status.retrieve();

    expect(arrivals).toMatchObject(Array(2).fill({ method: "GET", url: "/api/v1/status", body: "" }));
    for (const { headers } of arrivals) expect(headers).not.toHaveProperty("authorization");
  });

  test("a tokenization, which sends the public key in its query", async () => {
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
    "the seller calls, if sellersAuth is none: %j",
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

test("sellersPath changes the path of both seller calls", async () => {
  const { baseUrl, arrivals } = await startServer(json(200, []));
  const { payments } = merchantAt(baseUrl, { sellersPath: "/v2/sellers/" });

  await payments.sellers.list();
  await payments.sellers.revenue();

  expect(arrivals.map(({ url }) => url)).toEqual(["/v2/sellers", "/v2/sellers/revenue"]);
});
