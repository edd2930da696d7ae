import type { PaymentsClientOptions } from "payments-sdk";
import { describe, expect, test } from "vitest";
import {
  closeSilently,
  type Reply,
  resetAfterReading,
  resetAtOnce,
  resetInBody,
  startServer,
  text,
} from "../support/http-server.ts";
import { aCard, aPix, failureOf, type Merchant, merchantAt } from "../support/merchant.ts";
import { created } from "../support/service-responses.ts";
import { TRANSPORTS } from "../support/transports.ts";

const BROKEN = { code: "connection_failed", outcome: "unknown", actor: "network" };
const FAILED = { code: "server_error", outcome: "unknown" };
/** Retries that a create call must not use. */
const WITH_RETRIES: PaymentsClientOptions = { maxRetries: 5 };

/** The transport needs a moment to notice the end of a response, or that the server closed the connection. */
const waitForIdleConnection = () => new Promise((resolve) => setTimeout(resolve, 30));

const CALLS: [string, (merchant: Merchant) => PromiseLike<unknown>][] = [
  ["a create call", ({ payments }) => payments.transactions.createPix(aPix())],
  ["a tokenization, with its card data,", ({ payments }) => payments.cardTokens.create(aCard())],
  ["a read call", ({ payments }) => payments.status.retrieve()],
];

describe.each(TRANSPORTS)("over $name", ({ startMerchant }) => {
  describe.each([301, 302, 303, 307, 308])("a redirect is never followed: %i", (status) => {
    test.each(CALLS)("%s reaches no other server and is not repeated", async (_what, call) => {
      const target = await startServer(created());
      const location = `${target.baseUrl}/api/v1/transactions`;
      const origin = await startMerchant(text(status, "", { location }));

      const error = await failureOf(call(origin));

      expect(error).toMatchObject({ code: "redirected", status });
      expect(origin.arrivals).toHaveLength(1);
      expect(target.arrivals).toHaveLength(0);
    });
  });

  describe("a create request is sent at most once if", () => {
    test.each<[string, Reply, object]>([
      ["the connection is reset before the body is read", resetAtOnce, BROKEN],
      ["the connection is reset after the request is read", resetAfterReading, BROKEN],
      ["the connection is reset inside the response", resetInBody(201, '{"success":true,'), BROKEN],
      ["the connection is closed without a response", closeSilently, BROKEN],
      ["the status is 500", text(500, "oops"), FAILED],
      ["the status is 503 with Retry-After", text(503, "", { "retry-after": "0" }), FAILED],
      ["the status is 408", text(408, "", { "retry-after": "0" }), FAILED],
      ["the status is 429 with Retry-After", text(429, "", { "retry-after": "0" }), { outcome: "rejected" }],
      ["the status is 409", text(409, ""), { outcome: "unknown" }],
      ["the response is an empty 200", text(200, ""), { code: "unexpected_response", outcome: "unknown" }],
    ])("%s", async (_what, reply, expected) => {
      const { payments, events, arrivals } = await startMerchant([reply, created()], WITH_RETRIES);

      const error = await failureOf(payments.transactions.createPix(aPix()));

      expect(error).toMatchObject({ ...expected, externalRef: "order-1" });
      expect(arrivals).toHaveLength(1);
      expect(events.map(({ type }) => type)).not.toContain("retry");
    });
  });

  describe("if a keep-alive connection breaks during the second create call:", () => {
    test.each<[string, Reply]>([
      ["closed after the request was read", closeSilently],
      ["reset after the request was read", resetAfterReading],
      ["reset before the body was read", resetAtOnce],
    ])("%s: that request arrives exactly once", async (_how, fault) => {
      const replies = [created(), fault, created()];
      const { payments, arrivals, connections } = await startMerchant(replies, WITH_RETRIES);
      await payments.transactions.createPix(aPix({ externalRef: "first" }));
      await waitForIdleConnection();

      const error = await failureOf(payments.transactions.createPix(aPix({ externalRef: "second" })));

      expect(error).toMatchObject({ ...BROKEN, externalRef: "second" });
      expect(connections()).toBe(1);
      expect(arrivals).toHaveLength(2);
    });

    test("closed while it was idle: the next request arrives once and succeeds", async () => {
      const closeAfterResponse: Reply = (exchange) => {
        exchange.response.on("finish", () => setImmediate(() => exchange.request.socket.destroy()));
        created()(exchange);
      };
      const { payments, arrivals } = await startMerchant([closeAfterResponse, created()], WITH_RETRIES);
      await payments.transactions.createPix(aPix({ externalRef: "first" }));
      await waitForIdleConnection();

      await payments.transactions.createPix(aPix({ externalRef: "second" }));

      const references = arrivals.map(({ body }) => JSON.parse(body).externalRef);
      expect(references).toEqual(["first", "second"]);
    });
  });
});

test("a redirect that a browser hides (status 0) leaves the outcome unknown", async () => {
  // The only way to create a Response with status 0 in Node; a browser's has the type `opaqueredirect`.
  const opaque = Response.error();
  const { payments } = merchantAt("http://127.0.0.1:1", { fetch: async () => opaque });

  const error = await failureOf(payments.transactions.createPix(aPix()));

  expect(error).toMatchObject({ code: "redirected", outcome: "unknown", status: 0 });
  expect(error.message).toContain("responded with a redirect, which is never followed");
});
