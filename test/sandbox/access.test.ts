import { createGateway } from "payments-sdk/sandbox";
import { describe, expect, test } from "vitest";
import { aCard, aPix, basic, merchantOf } from "./support/wire.ts";

const BASIC_ENDPOINTS = [
  ["POST", "/api/v1/transactions"],
  ["GET", "/api/v1/company"],
  ["GET", "/sellers"],
  ["GET", "/sellers/revenue"],
] as const;

const gateway = () => createGateway({ secretKey: "sk_one", publicKey: "pk_one" });

function call(method: string, path: string, headers: Record<string, string>) {
  const { baseUrl, fetch } = gateway();
  const body = method === "POST" ? { body: JSON.stringify(aPix()) } : {};
  return fetch(new Request(`${baseUrl}${path}`, { method, headers, ...body }));
}

describe.each(BASIC_ENDPOINTS)("%s %s", (method, path) => {
  test("answers to Basic with the secret key before the public key", async () => {
    const response = await call(method, path, basic("sk_one", "pk_one"));

    expect(response.status).toBe(method === "POST" ? 201 : 200);
  });

  test.each<[string, Record<string, string>]>([
    ["no header", {}],
    ["the keys in the wrong order", basic("pk_one", "sk_one")],
    ["the secret key alone", basic("sk_one", "")],
    ["another public key", basic("sk_one", "pk_two")],
    ["another secret key", basic("sk_two", "pk_one")],
    ["another scheme", { authorization: `Bearer ${btoa("sk_one:pk_one")}` }],
    ["keys that are not encoded", { authorization: "Basic sk_one:pk_one" }],
    ["no credentials", { authorization: "Basic" }],
  ])("gives 401 to %s", async (_what, headers) => {
    const response = await call(method, path, headers);

    expect(response.status).toBe(401);
    expect(await response.json()).toStrictEqual({ success: false, message: "Unauthorized" });
  });
});

test("authentication comes before validation", async () => {
  const { baseUrl, fetch } = gateway();

  const response = await fetch(`${baseUrl}/api/v1/transactions`, { method: "POST", body: "{" });

  expect(response.status).toBe(401);
});

describe("POST /api/v1/card-token", () => {
  test.each([
    ["?publicKey=pk_one", 200],
    ["?publicKey=pk_two", 401],
    ["?publicKey=", 401],
    ["?publicKey=sk_one", 401],
    ["?publickey=pk_one", 401],
    ["", 401],
  ])("with the query '%s' gets %i", async (query, status) => {
    const { baseUrl, fetch } = gateway();

    const response = await fetch(`${baseUrl}/api/v1/card-token${query}`, {
      method: "POST",
      body: JSON.stringify(aCard()),
    });

    expect(response.status).toBe(status);
  });

  test("an Authorization header does not stand for the query", async () => {
    const { baseUrl, fetch } = gateway();

    const response = await fetch(`${baseUrl}/api/v1/card-token`, {
      method: "POST",
      headers: basic("sk_one", "pk_one"),
      body: JSON.stringify(aCard()),
    });

    expect(response.status).toBe(401);
    expect(await response.json()).toStrictEqual({ success: false, message: "Unauthorized" });
  });
});

test("GET /api/v1/status needs no authentication", async () => {
  const { baseUrl, fetch } = gateway();

  const response = await fetch(`${baseUrl}/api/v1/status`);

  expect(response.status).toBe(200);
});

describe("paths and methods", () => {
  test.each([
    "/",
    "/api/v1",
    "/api/v1/transactions/1",
    "/api/v1/transaction/card", // the second card path of the specification is not offered
    "/api/v2/company",
    "/sellers/1",
    "/API/v1/company",
  ])("%s is unknown: 404 in JSON", async (path) => {
    const response = await call("GET", path, basic("sk_one", "pk_one"));

    expect(response.status).toBe(404);
    expect(await response.json()).toStrictEqual({ success: false, message: "Not Found" });
  });

  test.each([
    ["GET", "/api/v1/transactions", "POST"],
    ["DELETE", "/api/v1/transactions", "POST"],
    ["GET", "/api/v1/card-token", "POST"],
    ["POST", "/api/v1/company", "GET"],
    ["POST", "/api/v1/status", "GET"],
    ["PUT", "/sellers", "GET"],
    ["OPTIONS", "/api/v1/transactions", "POST"],
  ])("%s %s gets 405 with the allowed method", async (method, path, allowed) => {
    const response = await call(method, path, basic("sk_one", "pk_one"));

    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe(allowed);
    expect(await response.json()).toStrictEqual({ success: false, message: "Method Not Allowed" });
  });

  test.each([
    ["/pay/api/v1/status", 200],
    ["/pay/sellers", 401],
    ["/api/v1/status", 404],
    ["/pay/pay/api/v1/status", 404],
  ])("under the base URL https://x.example/pay, %s gets %i", async (path, status) => {
    const { baseUrl, fetch } = createGateway({ baseUrl: "https://x.example/pay/" });

    const response = await fetch(`https://x.example${path}`);

    expect(baseUrl).toBe("https://x.example/pay");
    expect(response.status).toBe(status);
  });
});

describe("CORS", () => {
  const CORS = [
    "access-control-allow-origin",
    "access-control-allow-methods",
    "access-control-allow-headers",
  ] as const;

  test("a page of any origin may ask whether it can tokenize", async () => {
    const { baseUrl, fetch } = gateway();

    const response = await fetch(`${baseUrl}/api/v1/card-token?publicKey=pk_one`, {
      method: "OPTIONS",
      headers: { "access-control-request-method": "POST", "access-control-request-headers": "content-type" },
    });

    expect(response.status).toBe(204);
    expect(CORS.map((name) => response.headers.get(name))).toEqual(["*", "POST", "content-type"]);
  });

  test.each([
    ["?publicKey=pk_one", aCard(), 200],
    ["?publicKey=pk_one", {}, 400],
    ["?publicKey=pk_two", aCard(), 401],
  ])("the page may read the answer to %s %j: %i", async (query, card, status) => {
    const { baseUrl, fetch } = gateway();

    const response = await fetch(`${baseUrl}/api/v1/card-token${query}`, {
      method: "POST",
      body: JSON.stringify(card),
    });

    expect(response.status).toBe(status);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
  });

  const notForBrowsers: [method: string, path: string][] = [
    ["POST", "/api/v1/transactions"],
    ["GET", "/api/v1/company"],
    ["GET", "/sellers"],
    ["GET", "/sellers/revenue"],
    ["GET", "/api/v1/status"],
    ["OPTIONS", "/api/v1/transactions"],
    ["GET", "/"],
  ];

  test.each(notForBrowsers)("%s %s says nothing of other origins", async (method, path) => {
    const response = await call(method, path, {
      ...basic("sk_one", "pk_one"),
      origin: "https://shop.example",
    });

    expect(CORS.map((name) => response.headers.get(name))).toEqual([null, null, null]);
  });
});

test("a key with its own characters travels unharmed", async () => {
  const odd = createGateway({ secretKey: "sk_a+b/c=~", publicKey: "pk_&?#%" });

  const { status } = await merchantOf(odd).get("/api/v1/company");
  const tokenized = await odd.fetch(
    `${odd.baseUrl}/api/v1/card-token?publicKey=${encodeURIComponent("pk_&?#%")}`,
    { method: "POST", body: JSON.stringify(aCard()) },
  );

  expect(status).toBe(200);
  expect(tokenized.status).toBe(200);
});
