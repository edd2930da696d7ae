import { afterEach, describe, expect, test, vi } from "vitest";
import { aPromise } from "../support/a-promise.ts";
import { json, type Reply, stall, stallInside, startServer } from "../support/http-server.ts";
import { aCard, aPix, failureOf, merchantAt } from "../support/merchant.ts";
import { aStatus, created } from "../support/service-answers.ts";
import { TRANSPORTS } from "../support/transports.ts";

afterEach(() => vi.useRealTimers());

/** A dot at a time: never quiet for long, never done. */
const drip: Reply = async ({ request, response, whole }) => {
  await whole;
  response.writeHead(201);
  const timer = setInterval(() => response.write(" "), 20);
  request.socket.on("close", () => clearInterval(timer));
};

describe.each(TRANSPORTS)("over $name", ({ merchantAt }) => {
  describe("the deadline covers the head and the body", () => {
    test.each<[string, Reply]>([
      ["no head", stall],
      ["a body that stops", stallInside(201, '{"success":true')],
      ["a body of known length that stops", stallInside(201, "{", { "content-length": "99" })],
      ["a body that drips", drip],
    ])("%s: a create ends soon after its timeout", async (_what, reply) => {
      const { baseUrl } = await startServer(reply);
      const { payments } = merchantAt(baseUrl, { timeout: 600 });
      const startedAt = performance.now();

      const error = await failureOf(payments.transactions.createPix(aPix()));

      const took = performance.now() - startedAt;
      expect(error).toMatchObject({
        name: "TimeoutError",
        code: "timed_out",
        outcome: "unknown",
        timeoutMs: 600,
      });
      expect(error.message).toContain("did not answer within 600 ms");
      expect(error.toJSON()).toMatchObject({ timeoutMs: 600, externalRef: "order-1" });
      expect(took).toBeGreaterThan(590);
      expect(took).toBeLessThan(5_000);
    });

    test("a read that times out has no outcome", async () => {
      const { baseUrl } = await startServer(stall);
      const { payments } = merchantAt(baseUrl, { timeout: 50, maxRetries: 0 });

      const error = await failureOf(payments.company.retrieve());

      expect(error).toMatchObject({
        code: "timed_out",
        outcome: "not_applicable",
        endpoint: "company.retrieve",
      });
    });

    test("the connection is given back when the deadline passes", async () => {
      const closed = aPromise();
      const { baseUrl } = await startServer((exchange) => {
        exchange.request.socket.on("close", () => closed.resolve());
      });
      const { payments } = merchantAt(baseUrl, { timeout: 500 });

      await failureOf(payments.transactions.createPix(aPix()));

      await expect(closed.promise).resolves.toBeUndefined();
    });
  });

  test("a call's own timeout goes before the client's", async () => {
    const { baseUrl } = await startServer(stall);
    const { payments } = merchantAt(baseUrl, { timeout: 60_000 });

    const error = await failureOf(payments.transactions.createPix(aPix(), { timeout: 50 }));

    expect(error).toMatchObject({ code: "timed_out", timeoutMs: 50 });
  });

  test("the timeout is that of one attempt, not of all of them together", async () => {
    const slow: Reply = (exchange) => setTimeout(() => json(200, aStatus())(exchange), 100);
    const refused = json(503, {}, { "retry-after": "0" });
    const slowRefusal: Reply = (exchange) => setTimeout(() => refused(exchange), 100);
    const { baseUrl, arrivals } = await startServer(slowRefusal, slowRefusal, slow);
    const { payments } = merchantAt(baseUrl, { timeout: 280 });

    const status = await payments.status.retrieve();

    expect(status.version).toBe("1.4.2");
    expect(arrivals).toHaveLength(3);
  });

  test("a timeout leaves no timer behind when the answer came", async () => {
    const { baseUrl } = await startServer(created());
    const { payments } = merchantAt(baseUrl, { timeout: 60_000 });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });

    await payments.transactions.createPix(aPix());

    expect(vi.getTimerCount()).toBe(0);
  });

  test("a card that is being tokenized is given up in time", async () => {
    const { baseUrl } = await startServer(stallInside(200, "eyJ"));
    const { payments } = merchantAt(baseUrl, { timeout: 50, maxRetries: 0 });

    const error = await failureOf(payments.cardTokens.create(aCard()));

    expect(error).toMatchObject({ code: "timed_out", endpoint: "cardTokens.create" });
  });
});

test("a timeout is 30 seconds unless told otherwise", async () => {
  vi.useFakeTimers();
  const fetch = () => new Promise<never>(() => undefined);
  const { payments } = merchantAt("https://pay.example", { fetch, timeout: undefined });

  const failure = failureOf(payments.transactions.createPix(aPix()));
  await vi.advanceTimersByTimeAsync(29_999);
  const early = await Promise.race([failure, Promise.resolve("still waiting")]);
  await vi.advanceTimersByTimeAsync(1);

  expect(early).toBe("still waiting");
  expect(await failure).toMatchObject({ code: "timed_out", timeoutMs: 30_000 });
});
