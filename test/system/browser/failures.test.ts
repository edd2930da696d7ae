import { describe, expect, test } from "vitest";
import { useBrowser } from "../../support/browsing.ts";
import { echoOf, NUMBER } from "../../support/canaries.ts";
import {
  closedBaseUrl,
  html,
  json,
  type Reply,
  resetAfterReading,
  resetInside,
  stall,
  stallInside,
  startServer,
  text,
} from "../../support/http-server.ts";
import { startService, tokenizations } from "./support/service.ts";
import { openShop, type ShopPage } from "./support/shop-page.ts";
import { type Form, strictPolicy } from "./support/site.ts";

useBrowser();

/** Quick enough for a test, and never what ends one that does not stall. */
const QUICK = { maxRetries: 0 };

/** After every failure, the console and the page are searched for the card. */
async function failureIn(shop: ShopPage, ...call: Parameters<ShopPage["tokenize"]>) {
  const { error, durationMs } = await shop.tokenize(...call);
  expect(error, "the call failed").toBeDefined();
  expect(await shop.traces()).toEqual([]);
  return { ...error, durationMs };
}

describe.each<Form>(["global", "module"])("why no answer came is told apart, loaded as %s", (form) => {
  test("the browser is offline", async () => {
    const { baseUrl } = await startService(text(200, "tok_1"));
    const shop = await openShop(baseUrl, form);
    await shop.page.context().setOffline(true);

    const error = await failureIn(shop, QUICK);

    expect(error).toMatchObject({ code: "connection_failed", reason: "offline", actor: "network" });
    expect(error.message).toContain("offline");
  });

  test("nobody listens", async () => {
    const shop = await openShop(await closedBaseUrl(), form);

    const error = await failureIn(shop, QUICK);

    expect(error).toMatchObject({ code: "connection_failed", reason: "network", actor: "network" });
  });

  test("the connection breaks", async () => {
    const shop = await openShop((await startServer(resetAfterReading)).baseUrl, form);

    const error = await failureIn(shop, QUICK);

    expect(error).toMatchObject({ code: "connection_failed", reason: "network", actor: "network" });
  });

  test("the service does not allow the page's origin (CORS)", async () => {
    const server = await startServer(text(200, "tok_1"));
    const shop = await openShop(server.baseUrl, form);

    const error = await failureIn(shop, QUICK);

    expect(error).toMatchObject({ code: "connection_failed", reason: "cors", actor: "service" });
    expect(error.message).toContain("CORS");
    expect(server.arrivals.map(({ method }) => method)).toEqual(["OPTIONS", "HEAD"]);
    expect(server.arrivals.at(-1)?.url).toBe("/api/v1/card-token"); // neither key nor card
  });

  test("the page's own policy forbids the call", async () => {
    const server = await startService(text(200, "tok_1"));
    const policy = strictPolicy("https://api.example.com");
    const shop = await openShop(server.baseUrl, form, { policy });

    const error = await failureIn(shop, QUICK);

    expect(error).toMatchObject({
      code: "connection_failed",
      reason: "content_security_policy",
      actor: "merchant",
    });
    expect(error.message).toContain("connect-src");
    expect(server.arrivals).toEqual([]);
  });

  test("the connection breaks after the head of an answer, which forbids nothing", async () => {
    const breaksOff: Reply = (exchange) =>
      exchange.request.method === "POST" ? resetInside(200, "eyJ")(exchange) : text(200, "")(exchange);
    const shop = await openShop((await startService(breaksOff)).baseUrl, form);

    const error = await failureIn(shop, QUICK);

    expect(error).toMatchObject({ code: "connection_failed", reason: "network", actor: "network" });
  });

  test("the connection breaks while the policy forbids something else", async () => {
    const shop = await openShop((await startServer(resetAfterReading)).baseUrl, form);
    await shop.page.evaluate(() => {
      setInterval(() => fetch("https://analytics.example/").catch(() => undefined), 5);
    });

    const error = await failureIn(shop, QUICK);

    expect(await shop.violations()).not.toEqual([]);
    expect(error).toMatchObject({ code: "connection_failed", reason: "network", actor: "network" });
  });

  test.each<[string, Reply]>([
    ["no head", stall],
    ["half a body", stallInside(200, "eyJ")],
  ])("the network stalls: %s", async (_what, reply) => {
    const shop = await openShop((await startService(reply)).baseUrl, form);

    const error = await failureIn(shop, { ...QUICK, timeout: 500 });

    expect(error).toMatchObject({ code: "timed_out", actor: "network" });
    expect(error.durationMs).toBeGreaterThan(490);
    expect(error.durationMs).toBeLessThan(5_000);
  });

  test("the page itself aborts", async () => {
    const shop = await openShop((await startService(stall)).baseUrl, form);

    const error = await failureIn(shop, {}, undefined, 100);

    expect(error).toMatchObject({ code: "aborted", actor: "merchant" });
  });
});

test("a page that stops loading fails like a network that broke, and not for ever", async () => {
  const server = await startService(stall, text(200, "tok_1"));
  const shop = await openShop(server.baseUrl, "module");

  const outcome = shop.tokenize({ maxRetries: 1 });
  await expect.poll(() => tokenizations(server).length).toBe(1);
  await shop.page.evaluate(() => window.stop());

  const { token, durationMs } = await outcome;
  expect(token?.value).toBe("tok_1");
  expect(durationMs).toBeLessThan(5_000); // its half of the time would have been ten seconds
});

describe("what the service answers names who can mend it", () => {
  test.each<[string, Reply, object]>([
    [
      "400 with fields of its own spelling",
      json(400, {
        success: false,
        message: "Validation Error",
        errors: [{ field: "card.expiration_month", message: "is past" }],
      }),
      { code: "validation_failed", actor: "customer", issues: [{ field: "expirationMonth" }] },
    ],
    [
      "401",
      json(401, { success: false, message: "Unauthorized" }),
      { code: "authentication_failed", actor: "merchant" },
    ],
    ["404", text(404, ""), { code: "not_found", actor: "merchant" }],
    ["429", text(429, ""), { code: "rate_limited", actor: "service" }],
    ["500", text(500, ""), { code: "server_error", actor: "service" }],
    [
      "a redirect",
      ({ response }) => response.writeHead(307, { location: "/x" }).end(),
      { code: "redirected", actor: "merchant" },
    ],
    [
      "a page instead of a token",
      html(200, "<title>Sign in</title>"),
      { code: "unexpected_response", actor: "service" },
    ],
    ["nothing instead of a token", text(200, ""), { code: "unexpected_response", actor: "service" }],
    [
      "a 400 that repeats the card",
      text(400, echoOf([NUMBER])),
      { code: "validation_failed", actor: "customer" },
    ],
    ["a 500 that repeats the card", text(500, echoOf([NUMBER])), { code: "server_error", actor: "service" }],
    [
      "a 200 that repeats the card",
      html(200, `<p>${echoOf([NUMBER])}`),
      { code: "unexpected_response", actor: "service" },
    ],
  ])("%s", async (_what, reply, expected) => {
    const shop = await openShop((await startService(reply)).baseUrl, "global");

    const error = await failureIn(shop, QUICK);

    expect(error).toMatchObject(expected);
  });
});

describe("a token charges nobody, so it is tried again", () => {
  test("twice at most", async () => {
    const server = await startService(text(503, ""));
    const shop = await openShop(server.baseUrl, "module");

    const error = await failureIn(shop, {});

    expect(error).toMatchObject({ code: "server_error" });
    expect(tokenizations(server)).toHaveLength(3);
  });

  test("until there is one", async () => {
    const server = await startService(text(503, ""), resetAfterReading, text(200, "tok_1"));
    const shop = await openShop(server.baseUrl, "module");

    const { token } = await shop.tokenize({});

    expect(token?.value).toBe("tok_1");
  });

  test("within the deadline, which is that of all attempts together", async () => {
    const server = await startService(stall);
    const shop = await openShop(server.baseUrl, "module");

    const error = await failureIn(shop, { timeout: 2_000 });

    expect(error).toMatchObject({ code: "timed_out" });
    expect(error.durationMs).toBeLessThan(3_500);
    expect(tokenizations(server).length).toBeGreaterThan(1);
  });
});
