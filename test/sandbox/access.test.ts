import { createGateway } from "payments-sdk/sandbox";
import { describe, expect, test } from "vitest";
import { aCard, aPix, basic } from "./support/wire.ts";

const gateway = () => createGateway({ secretKey: "sk_one", publicKey: "pk_one" });

function call(method: string, path: string, headers: Record<string, string>) {
  const { baseUrl, fetch } = gateway();
  const body = method === "POST" ? { body: JSON.stringify(aPix()) } : {};
  return fetch(new Request(`${baseUrl}${path}`, { method, headers, ...body }));
}

test.each([
  ["GET", "/api/v1/card-token", "POST"],
  ["POST", "/api/v1/company", "GET"],
  ["PUT", "/sellers", "GET"],
  ["OPTIONS", "/api/v1/transactions", "POST"],
])("%s %s returns 405 with the allowed method", async (method, path, allowed) => {
  const response = await call(method, path, basic("sk_one", "pk_one"));

  expect(response.status).toBe(405);
  expect(response.headers.get("allow")).toBe(allowed);
  expect(await response.json()).toStrictEqual({ success: false, message: "Method Not Allowed" });
});

test.each([
  ["basic", 401],
  ["none", 200],
] as const)(
  "the seller endpoints are only at sellersPath; with sellersAuth %j, they return %i without a key, and others 401",
  async (sellersAuth, status) => {
    const { baseUrl, fetch } = createGateway({ sellersPath: "/v2/sellers", sellersAuth });

    const paths = ["/v2/sellers", "/v2/sellers/revenue", "/sellers", "/sellers/revenue", "/api/v1/company"];
    const statuses = await Promise.all(paths.map(async (path) => (await fetch(baseUrl + path)).status));

    expect(statuses).toEqual([status, status, 404, 404, 401]);
  },
);

describe("CORS", () => {
  const CORS = [
    "access-control-allow-origin",
    "access-control-allow-methods",
    "access-control-allow-headers",
  ] as const;

  test.each<[method: string, query: string, headers: Record<string, string>, status: number]>([
    ["OPTIONS", "", {}, 204],
    ["POST", "?publicKey=pk_one", {}, 200],
    ["POST", "?publickey=pk_one", {}, 401], // a page can read the error, too
    ["POST", "", basic("sk_one", "pk_one"), 401],
  ])(
    "allows pages of any origin to tokenize: %s %s with %j is %i",
    async (method, query, headers, status) => {
      const { baseUrl, fetch } = gateway();
      const init = { method, headers, ...(method === "POST" && { body: JSON.stringify(aCard()) }) };

      const response = await fetch(`${baseUrl}/api/v1/card-token${query}`, init);

      expect(response.status).toBe(status);
      expect(CORS.map((name) => response.headers.get(name))).toEqual(["*", "POST", "content-type"]);
    },
  );

  test.each([
    ["POST", "/api/v1/transactions"],
    ["GET", "/api/v1/company"],
    ["OPTIONS", "/api/v1/transactions"],
  ])("is not allowed for %s %s", async (method, path) => {
    const origin = "https://shop.example";

    const response = await call(method, path, { ...basic("sk_one", "pk_one"), origin });

    expect(CORS.map((name) => response.headers.get(name))).toEqual([null, null, null]);
  });
});
