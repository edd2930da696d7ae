import type { PaymentsClient, PaymentsEvent } from "payments-sdk";
import { describe, expect, test } from "vitest";
import { aGate, json, stall, stallInBody, startServer } from "../support/http-server.ts";
import { aCard, aPix, eventsOf, failureOf, merchantAt } from "../support/merchant.ts";
import { aPixData, created, envelope } from "../support/service-responses.ts";
import { startMerchant } from "../support/start-merchant.ts";
import { TRANSPORTS } from "../support/transports.ts";

const ABORTED = { name: "AbortedError", code: "aborted", actor: "merchant" };

describe.each(TRANSPORTS)("over $name", ({ merchantAt, startMerchant }) => {
  test.each([
    ["before", true],
    ["right after", false],
  ])("an abort %s the call sends nothing, and only the error reports it", async (_when, isBefore) => {
    const { payments, events, arrivals } = await startMerchant(stall);
    const controller = new AbortController();
    if (isBefore) controller.abort();

    const call = payments.transactions.createPix(aPix(), { signal: controller.signal });
    controller.abort();

    const error = await failureOf(call);
    expect(error).toMatchObject({ ...ABORTED, outcome: "not_sent", externalRef: "order-1" });
    expect(error.message).toContain("no one was charged");
    expect(arrivals).toHaveLength(0);
    expect(events.map(({ type }) => type)).toEqual(["error"]);
  });

  test.each([
    ["a read", (payments: PaymentsClient, signal: AbortSignal) => payments.status.retrieve({ signal })],
    [
      "a tokenization",
      (payments: PaymentsClient, signal: AbortSignal) => payments.cardTokens.create(aCard(), { signal }),
    ],
  ])("an abort by a listener of a failed response ends %s without a retry", async (_what, run) => {
    const controller = new AbortController();
    const { payments, arrivals } = await startMerchant(json(503, {}, { "retry-after": "0" }), {
      onEvent: ({ type }) => type === "response" && controller.abort(),
    });

    const error = await failureOf(run(payments, controller.signal));

    expect(error).toMatchObject(ABORTED);
    expect(arrivals).toHaveLength(1);
  });

  describe("an abort after sending leaves the charge unknown", () => {
    test.each([
      ["before the headers", stall],
      ["inside the body", stallInBody(201, '{"success":')],
    ])("%s", async (_when, reply) => {
      const controller = new AbortController();
      const { baseUrl, arrivals } = await startServer((exchange) => {
        reply(exchange);
        setTimeout(() => controller.abort(), 30);
      });
      const { payments } = merchantAt(baseUrl);

      const error = await failureOf(payments.transactions.createPix(aPix(), { signal: controller.signal }));

      expect(error).toMatchObject({ ...ABORTED, outcome: "unknown", externalRef: "order-1" });
      expect(error.message).toContain("do not send it again");
      expect(arrivals).toHaveLength(1);
    });

    test("the connection is closed", async () => {
      const closed = aGate();
      const controller = new AbortController();
      const { baseUrl } = await startServer(({ request }) => {
        request.socket.on("close", () => closed.open());
        controller.abort();
      });
      const { payments } = merchantAt(baseUrl);

      await failureOf(payments.transactions.createPix(aPix(), { signal: controller.signal }));

      await expect(closed.passed).resolves.toBeUndefined();
    });
  });

  test("an abort ends the wait before a retry", async () => {
    const { baseUrl, arrivals } = await startServer(json(503, {}, { "retry-after": "30" }));
    const controller = new AbortController();
    const events: PaymentsEvent[] = [];
    const onEvent = (event: PaymentsEvent) => {
      events.push(event);
      if (event.type === "retry") setTimeout(() => controller.abort(), 20);
    };
    const { payments } = merchantAt(baseUrl, { onEvent });

    const error = await failureOf(payments.status.retrieve({ signal: controller.signal }));

    expect(error).toMatchObject({ ...ABORTED, outcome: "not_applicable" });
    expect(eventsOf(events, "retry")).toMatchObject([{ delayMs: 30_000 }]);
    expect(arrivals).toHaveLength(1);
  });
});

test("an abort by a listener of the request event does not reach a custom fetch, which may ignore its signal", async () => {
  const controller = new AbortController();
  const sent: unknown[] = [];
  const { payments } = merchantAt("https://pay.example", {
    onEvent: ({ type }) => type === "request" && controller.abort(),
    fetch: async (url) => {
      sent.push(url);
      return Response.json(envelope(aPixData()), { status: 201 });
    },
  });

  const error = await failureOf(payments.transactions.createPix(aPix(), { signal: controller.signal }));

  expect(error).toMatchObject({ ...ABORTED, outcome: "not_sent" });
  expect(sent).toEqual([]);
});

test.each<[string, string, (payments: PaymentsClient, signal: AbortSignal) => PromiseLike<unknown>]>([
  ["a create call", "unknown", ({ transactions }, signal) => transactions.createPix(aPix(), { signal })],
  ["a read call", "not_applicable", ({ status }, signal) => status.retrieve({ signal })],
])("a custom fetch that ignores its signal does not keep %s alive", async (_what, outcome, call) => {
  const { payments } = merchantAt("https://pay.example", { fetch: () => new Promise(() => undefined) });

  const error = await failureOf(call(payments, AbortSignal.timeout(30)));

  expect(error).toMatchObject({ ...ABORTED, outcome });
});

test("an abort by a listener of the response event does not hide the result", async () => {
  const controller = new AbortController();
  const { payments } = await startMerchant(created(), {
    onEvent: ({ type }) => type === "response" && controller.abort(),
  });

  const transaction = await payments.transactions.createPix(aPix(), { signal: controller.signal });

  expect(transaction).toMatchObject({ id: 4021 });
});
