import { describe, expect, test } from "vitest";
import { text } from "../support/http-server.ts";
import { failureOf, merchantAt } from "../support/merchant.ts";
import { startMerchant } from "../support/start-merchant.ts";

const KNOWN = /^is the path of [\w.]+: use that method$/;
const DOTS = "must not contain dot segments";
const ENCODED = /^must not contain an encoded/;
const ILLEGAL = /^must have no query or fragment/;
const SLASH = /^must start with one slash/;

describe("payments.request refuses", () => {
  test.each<[unknown, RegExp | string]>([
    ["/api/v1/transactions", KNOWN],
    ["/api/v1/card-token", KNOWN],
    ["/api/v1/company", KNOWN],
    ["/api/v1/status", KNOWN],
    ["/sellers", KNOWN],
    ["/sellers/revenue", KNOWN],
    ["/custom/sellers", KNOWN], // the sellersPath of this client
    ["/custom/sellers/revenue", KNOWN],
    ["/api/v1/transactions/", KNOWN],
    ["/api//v1///transactions", KNOWN],
    ["/API/v1/Transactions", KNOWN],
    ["/api/v1/%74ransactions", KNOWN],
    ["/api%2Fv1%2ftransactions", KNOWN],
    ["/api/v1/%2574ransactions", KNOWN], // a proxy may decode it, and the service once more
    ["/api/v1;a=1/transactions;b=2", KNOWN],
    ["/api/v1/x/../transactions", DOTS],
    ["/api/v1/./transactions", DOTS],
    ["/api/v1/refunds/..", DOTS],
    ["/api/v1/%2e%2E/x", DOTS],
    ["/api/v1/.%2e/x", DOTS],
    ["/api/v1/%252e%252e/x", DOTS],
    ["/api/v1/..%2fx", DOTS],
    ["/api/v1/..;/x", DOTS],
    ["/api/v1/x%3Fa=1", ENCODED],
    ["/api/v1/x%23a", ENCODED],
    ["/api/v1/x%5c..", ENCODED],
    ["/api/v1/x%0d%0a", ENCODED],
    ["/api/v1/x%00", ENCODED],
    ["/api/v1/x%7f", ENCODED],
    ["/api/v1/x%C2%85", ENCODED],
    ["/api/v1/%c0%ae%c0%ae/x", ENCODED], // overlong UTF-8
    ["/api/v1/x?a=1", ILLEGAL],
    ["/api/v1/x#a", ILLEGAL],
    ["/api/v1\\x", ILLEGAL],
    ["/api/v1/x y", ILLEGAL],
    ["/api/v1/x\n", ILLEGAL],
    ["/api/v1/caf\u00e9", ILLEGAL],
    ["/api/v1/100%", ILLEGAL],
    ["//evil.example/x", SLASH],
    ["https://evil.example/x", SLASH],
    ["api/v1/x", SLASH],
    ["", SLASH],
    [undefined, SLASH],
    [`/${"x".repeat(2_048)}`, "must have at most 2048 characters"],
  ])("the path %j", async (path, message) => {
    const { payments, arrivals } = await startMerchant(text(200, ""), { sellersPath: "/custom/sellers/" });

    const error = await failureOf(payments.request({ method: "GET", path: path as string }));

    const matching = typeof message === "string" ? message : expect.stringMatching(message);
    expect(error).toMatchObject({ code: "invalid_request", issues: [{ field: "path", message: matching }] });
    expect(error.message).not.toContain("evil");
    expect(arrivals).toHaveLength(0);
  });
});

test.each([
  "/api/v1/transactions/4021",
  "/api/v1/transaction/card",
  "/api/v2/transactions",
  "/api/v1/refunds/a%2Fb",
  "/api/v1/coupons/100%25",
  "/api/v1/caf%C3%A9/@x:y,z=(1)*!'$&+~",
  "/api/v1/file..name/.well-known",
])("the path %s is sent unchanged, below the path of the base URL", async (path) => {
  const { baseUrl, arrivals } = await startMerchant(text(200, ""));
  const { payments } = merchantAt(`${baseUrl}/tenant`);

  await payments.request({ method: "GET", path });

  expect(arrivals[0]?.url).toBe(`/tenant${path}`);
});

test.each([
  ["/api", "/v1/transactions"],
  ["/pay/api", "/v1/%74ransactions"],
  ["/API%2Fv1/", "/card-token/"],
])("a base URL with the path %s does not make the path %s another one", async (base, path) => {
  const { payments } = merchantAt(`https://pay.example${base}`);

  const error = await failureOf(payments.request({ method: "POST", path }));

  expect(error).toMatchObject({
    outcome: "not_sent",
    issues: [{ field: "path", message: expect.stringMatching(KNOWN) }],
  });
});

test.each([
  ["/x", "/sellers/1"],
  ["/sellers", "/x"],
  ["/api", "/v2/transactions"],
  ["", "/v1/transactions"],
  ["", "/x/sellers"],
  ["/myapi", "/v1/transactions"],
])("with a base URL with the path %j, the path %s is sent", async (base, path) => {
  const { baseUrl, arrivals } = await startMerchant(text(200, ""));
  const { payments } = merchantAt(`${baseUrl}${base}`);

  await payments.request({ method: "GET", path });

  expect(arrivals[0]?.url).toBe(`${base}${path}`);
});
