import { expect, test } from "vitest";
import { startServer, text } from "../support/http-server.ts";
import { failureOf, merchantAt } from "../support/merchant.ts";
import { startMerchant } from "../support/start-merchant.ts";

const KNOWN = /^is the path of [\w.]+: use that method$/;
const DOTS = "must not contain dot segments";
const ENCODED = /^must not contain an encoded/;
const ILLEGAL = /^must have no query or fragment/;
const SLASH = /^must start with one slash/;

/** Also under the `sellersPath` of the client, and in forms that a proxy or the service may read as the same path. */
const SERVED = [
  ..."/api/v1/transactions /api/v1/card-token /api/v1/company /api/v1/status /sellers /sellers/revenue".split(
    " ",
  ),
  ..."/custom/sellers /custom/sellers/revenue /api/v1/transactions/ /api//v1///transactions".split(" "),
  ..."/API/v1/Transactions /api/v1/%74ransactions /api%2Fv1%2ftransactions /api/v1/%2574ransactions".split(
    " ",
  ),
  "/api/v1;a=1/transactions;b=2",
];

const WITH_DOTS = [
  ..."/api/v1/x/../transactions /api/v1/./transactions /api/v1/refunds/.. /api/v1/%2e%2E/x".split(" "),
  ..."/api/v1/.%2e/x /api/v1/%252e%252e/x /api/v1/..%2fx /api/v1/..;/x".split(" "),
];

/** The last one is overlong UTF-8. */
const WITH_ENCODED = [
  ..."/api/v1/x%3Fa=1 /api/v1/x%23a /api/v1/x%5c.. /api/v1/x%0d%0a /api/v1/x%00 /api/v1/x%7f".split(" "),
  ..."/api/v1/x%C2%85 /api/v1/%c0%ae%c0%ae/x".split(" "),
];

const WITH_ILLEGAL = [
  ..."/api/v1/x?a=1 /api/v1/x#a /api/v1\\x /api/v1/caf\u00e9 /api/v1/100%".split(" "),
  ...["/api/v1/x y", "/api/v1/x\n"],
];

const NO_SLASH = ["//evil.example/x", "https://evil.example/x", "api/v1/x", "", undefined];

const refusedWith = (message: RegExp | string, paths: readonly unknown[]) =>
  paths.map((path): [unknown, RegExp | string] => [path, message]);

test.each([
  ...refusedWith(KNOWN, SERVED),
  ...refusedWith(DOTS, WITH_DOTS),
  ...refusedWith(ENCODED, WITH_ENCODED),
  ...refusedWith(ILLEGAL, WITH_ILLEGAL),
  ...refusedWith(SLASH, NO_SLASH),
  ...refusedWith("must have at most 2048 characters", [`/${"x".repeat(2_048)}`]),
])("payments.request refuses the path %j", async (path, message) => {
  const { payments, arrivals } = await startMerchant(text(200, ""), { sellersPath: "/custom/sellers/" });

  const error = await failureOf(payments.request({ method: "GET", path: path as string }));

  const matching = typeof message === "string" ? message : expect.stringMatching(message);
  expect(error).toMatchObject({ code: "invalid_request", issues: [{ field: "path", message: matching }] });
  expect(error.message).not.toContain("evil");
  expect(arrivals).toHaveLength(0);
});

test.each([
  ["/api", "/v1/transactions"],
  ["/pay/api", "/v1/%74ransactions"],
  ["/API%2Fv1/", "/card-token/"],
])("a base URL with the path %s does not make the path %s another one", async (base, path) => {
  const { payments } = merchantAt(`https://pay.example${base}`);

  const error = await failureOf(payments.request({ method: "POST", path }));

  const issues = [{ field: "path", message: expect.stringMatching(KNOWN) }];
  expect(error).toMatchObject({ outcome: "not_sent", issues });
});

test.each([
  ["/tenant", "/api/v1/transactions/4021"],
  ["/tenant", "/api/v1/refunds/a%2Fb"],
  ["/tenant", "/api/v1/coupons/100%25"],
  ["/tenant", "/api/v1/caf%C3%A9/@x:y,z=(1)*!'$&+~"],
  ["/tenant", "/api/v1/file..name/.well-known"],
  ["/api", "/v2/transactions"],
  ["", "/v1/transactions"],
  ["", "/x/sellers"],
  ["/myapi", "/v1/transactions"],
])("below a base URL with the path %j, the path %s is sent unchanged", async (base, path) => {
  const { baseUrl, arrivals } = await startServer(text(200, ""));

  await merchantAt(`${baseUrl}${base}`).payments.request({ method: "GET", path });

  expect(arrivals[0]?.url).toBe(`${base}${path}`);
});
