import { EventEmitter, once } from "node:events";
import { PaymentsClient } from "payments-sdk";
import { describe, expect, test } from "vitest";
import { start } from "../../sandbox/support/running.ts";
import { useBrowser } from "../../support/browsing.ts";
import {
  closedBaseUrl,
  type Reply,
  resetAfterReading,
  resetInBody,
  startServer,
  text,
} from "../../support/http-server.ts";
import { aCardPayment } from "../runtimes/smoke/orders.ts";
import { CANARY_CARD, type Form, openShop, strictPolicy } from "../support/tokenizing-shop.ts";

useBrowser();

const FORMS: readonly Form[] = ["global", "module"];

test.each(FORMS)(
  "loaded as %s, a page with a strict policy and its Web Worker create tokens that can be charged",
  async (form) => {
    const { baseUrl, publicKey, secretKey } = await start();
    const shop = await openShop(baseUrl, form);

    const { token } = await shop.tokenize({ publicKey });
    const tokenOfWorker = await shop.page.evaluate(
      ([path, options, card]) =>
        new Promise<string>((resolve, reject) => {
          const worker = new Worker(path);
          worker.onmessage = ({ data }) => resolve(data.token);
          worker.onerror = ({ message }) => reject(new Error(message));
          worker.postMessage([options, card]);
        }),
      [`/worker-${form}.js`, { baseUrl, publicKey }, CANARY_CARD] as const,
    );

    const { transactions } = new PaymentsClient({ baseUrl, publicKey, secretKey });
    for (const hash of [token ?? "", tokenOfWorker]) {
      expect((await transactions.createCard(aCardPayment("order-1", hash))).status).toBe("approved");
    }
    expect(await shop.page.evaluate(() => window.violations)).toEqual([]);
    expect(await shop.traces()).toEqual([]);
  },
);

test("a token does not show its value in the browser's console", async () => {
  const { baseUrl } = await start();
  const { page } = await openShop(baseUrl, "module");
  const devTools = await page.context().newCDPSession(page);
  await devTools.send("Runtime.enable");
  const logged = new Promise<unknown>((resolve) =>
    devTools.once("Runtime.consoleAPICalled", ({ args }) => resolve(args)),
  );

  await page.evaluate(() => console.log(new window.sdk.CardToken("tok_canary")));

  const shown = JSON.stringify(await logged);
  expect(shown).toContain("expiresAt");
  expect(shown).not.toContain("tok_canary");
});

const ANY_ORIGIN = { "access-control-allow-origin": "*", "access-control-allow-headers": "*" };

/** A service that any page may call. Each tokenization gets the next reply; the last reply repeats. */
async function startService(...replies: readonly Reply[]): Promise<string> {
  let calls = 0;
  const { baseUrl } = await startServer((exchange) => {
    const { request, response } = exchange;
    for (const [name, value] of Object.entries(ANY_ORIGIN)) response.setHeader(name, value);
    if (request.method !== "POST") return response.writeHead(204).end();
    calls += 1;
    return replies[Math.min(calls, replies.length) - 1]?.(exchange);
  });
  return baseUrl;
}

const NETWORK = { code: "connection_failed", reason: "network", actor: "network" };
const ONCE = { maxRetries: 0 };

describe("a page learns why there was no response:", () => {
  test("the browser is offline", async () => {
    const shop = await openShop(await startService(text(200, "tok_1")), "global");
    await shop.page.context().setOffline(true);

    expect(await shop.failure(ONCE)).toMatchObject({ ...NETWORK, reason: "offline" });
  });

  test.each([
    ["no server listens", closedBaseUrl],
    ["the connection breaks", async () => (await startServer(resetAfterReading)).baseUrl],
    ["the connection breaks after the headers of a response", () => startService(resetInBody(200, "eyJ"))],
  ])("%s", async (_what, start) => {
    const shop = await openShop(await start(), "global");

    expect(await shop.failure(ONCE)).toMatchObject(NETWORK);
  });

  test("the connection breaks while the page's policy blocks another request", async () => {
    const shop = await openShop((await startServer(resetAfterReading)).baseUrl, "global");
    await shop.page.evaluate(() => {
      setInterval(() => fetch("https://analytics.example/").catch(() => undefined), 5);
    });

    expect(await shop.failure(ONCE)).toMatchObject(NETWORK);
    expect(await shop.page.evaluate(() => window.violations)).not.toEqual([]);
  });

  test("the service does not allow the page's origin", async () => {
    const server = await startServer(text(200, "tok_1"));
    const shop = await openShop(server.baseUrl, "global");

    const error = await shop.failure(ONCE);

    expect(error).toMatchObject({ code: "connection_failed", reason: "cors", actor: "service" });
    expect(error.message).toContain("CORS");
    expect(server.arrivals.map(({ method }) => method)).toEqual(["OPTIONS", "HEAD"]);
    expect(server.arrivals.at(-1)?.url).toBe("/api/v1/card-token"); // neither key nor card
  });

  test("the page's own policy blocks the call", async () => {
    const policy = strictPolicy("https://api.example.com");
    const server = await startServer(text(200, "tok_1"));
    const shop = await openShop(server.baseUrl, "global", policy);

    const error = await shop.failure(ONCE);

    expect(error).toMatchObject({ reason: "content_security_policy", actor: "merchant" });
    expect(error.message).toContain("connect-src");
    expect(server.arrivals).toEqual([]);
  });
});

test("creating a token charges nothing, so a page retries, also after it stopped loading", async () => {
  const events = new EventEmitter();
  const service = await startService(() => events.emit("sent"), text(503, ""), text(200, "tok_1"));
  const shop = await openShop(service, "module");

  const [{ token, durationMs }] = await Promise.all([
    shop.tokenize(),
    once(events, "sent").then(() => shop.page.evaluate(() => window.stop())),
  ]);

  expect(token).toBe("tok_1");
  expect(durationMs).toBeLessThan(6_000); // a third attempt would have taken longer
});
