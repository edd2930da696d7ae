import { beforeEach, describe, expect, test, vi } from "vitest";
import {
  closedBaseUrl,
  json,
  type Reply,
  resetAfterReading,
  resetInBody,
  stall,
  stallInBody,
  startServer,
  text,
} from "../support/http-server.ts";
import { aCard, eventsOf, failureOf, merchantAt } from "../support/merchant.ts";
import { aCompany, aRevenue, aSeller, envelope, healthy } from "../support/service-responses.ts";
import { TRANSPORTS } from "../support/transports.ts";

const RETRY_NOW = { "retry-after": "0" };

// A delay is half of its step plus a random part of the other half. A "random" -0.9 makes it a twentieth of
// the step: 25 ms for the first delay and 50 ms for the second, which keeps these tests fast.
beforeEach(() => {
  vi.spyOn(Math, "random").mockReturnValue(-0.9);
  return () => vi.restoreAllMocks();
});

describe.each(TRANSPORTS)("over $name", ({ merchantAt, tokenizerAt, startMerchant }) => {
  describe("a read call is retried", () => {
    test.each([408, 429, 500, 503])("after %i", async (status) => {
      const { payments, arrivals } = await startMerchant([json(status, {}, RETRY_NOW), healthy]);

      await payments.status.retrieve();

      expect(arrivals).toHaveLength(2);
    });

    test.each<[string, Reply]>([
      ["a reset after the request", resetAfterReading],
      ["a reset inside the response", resetInBody(200, "{")],
      ["a timeout", stall],
      ["a timeout inside the body", stallInBody(200, "{")],
    ])("after %s", async (_what, fault) => {
      const { payments, events, arrivals } = await startMerchant([fault, healthy], { timeout: 150 });

      const status = await payments.status.retrieve();

      expect(status.version).toBe("1.4.2");
      expect(arrivals).toHaveLength(2);
      expect(eventsOf(events, "retry")).toEqual([
        { type: "retry", endpoint: "status.retrieve", attempt: 1, delayMs: 25 },
      ]);
    });

    test("after a refused connection", async () => {
      const { payments, events } = merchantAt(await closedBaseUrl(), { maxRetries: 1 });

      const error = await failureOf(payments.status.retrieve());

      expect(error).toMatchObject({ code: "connection_failed", outcome: "not_applicable" });
      expect(eventsOf(events, "request")).toHaveLength(2);
    });
  });

  // A token does not charge the card.
  test.each<[string, Reply, (baseUrl: string) => PromiseLike<unknown>]>([
    ["company", json(200, envelope(aCompany())), (url) => merchantAt(url).payments.company.retrieve()],
    ["sellers", json(200, [aSeller()]), (url) => merchantAt(url).payments.sellers.list()],
    ["revenue", json(200, [aRevenue()]), (url) => merchantAt(url).payments.sellers.revenue()],
    ["status", healthy, (url) => merchantAt(url).payments.status.assertEnvironment("sandbox")],
    ["card token", text(200, "tok_1"), (url) => merchantAt(url).payments.cardTokens.create(aCard())],
    ["tokenizer", text(200, "tok_1"), (url) => tokenizerAt(url, { maxRetries: 2 }).tokenize(aCard())],
  ])("a call that charges no one is retried with the same request: %s", async (_which, reply, call) => {
    const { baseUrl, arrivals } = await startServer(text(500, "", RETRY_NOW), resetAfterReading, reply);

    await call(baseUrl);

    expect(arrivals).toHaveLength(3);
    expect(new Set(arrivals.map(({ body, url }) => url + body)).size).toBe(1);
  });

  describe("the number of retries", () => {
    test.each([
      [undefined, 3], // two retries are the default
      [0, 1],
      [1, 2],
      [3, 4],
    ])("maxRetries %s sends at most %i requests", async (maxRetries, requests) => {
      const { payments, events, arrivals } = await startMerchant(json(503, {}, RETRY_NOW), { maxRetries });

      const error = await failureOf(payments.status.retrieve());

      expect(error).toMatchObject({ code: "server_error", status: 503 });
      expect(arrivals).toHaveLength(requests);
      expect(eventsOf(events, "retry").map(({ attempt }) => attempt)).toEqual(
        Array.from({ length: requests - 1 }, (_, index) => index + 1),
      );
    });
  });

  describe("a read call is not retried", () => {
    // A 200 without JSON cannot be used.
    test.each([200, 301, 400, 401, 404, 409, 422, 499])("after %i", async (status) => {
      const { payments, arrivals } = await startMerchant([text(status, "<html>", RETRY_NOW), healthy]);

      await failureOf(payments.status.retrieve());

      expect(arrivals).toHaveLength(1);
    });
  });
});

test.each([Number.NaN, 99, 204.5, 600, 999])(
  "a custom fetch that returns status %d is called once, or retried as a 5xx is",
  async (status) => {
    let calls = 0;
    const fetch = async () => {
      calls += 1;
      return { status, headers: new Headers({ "retry-after": "0" }), text: async () => "{}" } as Response;
    };
    const { payments } = merchantAt("https://pay.example", { fetch, maxRetries: 1 });

    const error = await failureOf(payments.company.retrieve());

    expect(error.code).not.toBe("connection_failed");
    expect(calls).toBe(status >= 500 ? 2 : 1);
  },
);
