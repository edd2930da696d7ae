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
import { aCardPayment, aPix, failureOf } from "../support/merchant.ts";
import { created } from "../support/service-responses.ts";
import { TRANSPORTS } from "../support/transports.ts";

const BROKEN = { code: "connection_failed", outcome: "unknown", actor: "network" };
const FAILED = { code: "server_error", outcome: "unknown" };
/** More retries than a create could ever use. */
const EAGER: PaymentsClientOptions = { maxRetries: 5 };

/** The transport needs a moment to see that an answer is over, or that the other side hung up. */
const connectionIsIdle = () => new Promise((resolve) => setTimeout(resolve, 30));

describe.each(TRANSPORTS)("over $name", ({ merchantAt }) => {
  describe("a create is on the wire at most once, whatever fails", () => {
    test.each<[string, Reply, object]>([
      ["the connection is reset before the body was read", resetAtOnce, BROKEN],
      ["the connection is reset after the request was read", resetAfterReading, BROKEN],
      ["the connection is reset inside the answer", resetInBody(201, '{"success":true,'), BROKEN],
      ["the connection is closed without an answer", closeSilently, BROKEN],
      ["500", text(500, "oops"), FAILED],
      ["503 that asks to come back", text(503, "", { "retry-after": "0" }), FAILED],
      ["408", text(408, "", { "retry-after": "0" }), FAILED],
      ["429 that asks to come back", text(429, "", { "retry-after": "0" }), { outcome: "rejected" }],
      ["409", text(409, ""), { outcome: "unknown" }],
      ["an empty 200", text(200, ""), { code: "unexpected_response", outcome: "unknown" }],
    ])("%s", async (_what, reply, ending) => {
      const { baseUrl, arrivals } = await startServer(reply, created());
      const { payments, events } = merchantAt(baseUrl, EAGER);

      const error = await failureOf(payments.transactions.createPix(aPix()));

      expect(error).toMatchObject({ ...ending, externalRef: "order-1" });
      expect(arrivals).toHaveLength(1);
      expect(events.map(({ type }) => type)).not.toContain("retry");
    });

    test("a card payment as well as a pix", async () => {
      const { baseUrl, arrivals } = await startServer(resetAfterReading, created());
      const { payments } = merchantAt(baseUrl, EAGER);

      const error = await failureOf(payments.transactions.createCard(aCardPayment()));

      expect(error).toMatchObject(BROKEN);
      expect(arrivals).toHaveLength(1);
    });
  });

  describe("a kept connection that breaks under the second create", () => {
    test.each<[string, Reply]>([
      ["closed after it was read", closeSilently],
      ["reset after it was read", resetAfterReading],
      ["reset at its head", resetAtOnce],
    ])("%s: that create arrives exactly once", async (_how, fault) => {
      const { baseUrl, arrivals, connections } = await startServer(created(), fault, created());
      const { payments } = merchantAt(baseUrl, { maxRetries: 5 });
      await payments.transactions.createPix(aPix({ externalRef: "first" }));
      await connectionIsIdle();

      const error = await failureOf(payments.transactions.createPix(aPix({ externalRef: "second" })));

      expect(error).toMatchObject({ ...BROKEN, externalRef: "second" });
      expect(connections()).toBe(1);
      expect(arrivals).toHaveLength(2);
    });

    test("closed while it was idle: the next create arrives once and succeeds", async () => {
      const closesAfterwards: Reply = async (exchange) => {
        const { request, response } = exchange;
        created()(exchange);
        response.on("finish", () => setImmediate(() => request.socket.destroy()));
      };
      const { baseUrl, arrivals } = await startServer(closesAfterwards, created());
      const { payments } = merchantAt(baseUrl, { maxRetries: 5 });
      await payments.transactions.createPix(aPix({ externalRef: "first" }));
      await connectionIsIdle();

      await payments.transactions.createPix(aPix({ externalRef: "second" }));

      const references = arrivals.map(({ body }) => JSON.parse(body).externalRef);
      expect(references).toEqual(["first", "second"]);
    });
  });

  test("two creates of the same order are two requests: only a store joins them", async () => {
    const { baseUrl, arrivals } = await startServer(created());
    const { payments } = merchantAt(baseUrl);

    await Promise.all([payments.transactions.createPix(aPix()), payments.transactions.createPix(aPix())]);

    expect(arrivals).toHaveLength(2);
  });
});
