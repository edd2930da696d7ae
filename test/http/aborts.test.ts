import type { PaymentsClient, PaymentsEvent } from "payments-sdk";
import { describe, expect, test, vi } from "vitest";
import { aGate, json, stall, stallInBody } from "../support/http-server.ts";
import { aCard, aPix, failureOf, merchantAt } from "../support/merchant.ts";
import { aPixData, created, envelope } from "../support/service-responses.ts";
import { startMerchant } from "../support/start-merchant.ts";
import { TRANSPORTS } from "../support/transports.ts";

type AbortableCall = (payments: PaymentsClient, signal: AbortSignal) => PromiseLike<unknown>;

const ABORTED = { name: "AbortedError", code: "aborted", actor: "merchant" };

describe.each(TRANSPORTS)("over $name", ({ startMerchant }) => {
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

  test.each<[string, AbortableCall]>([
    ["a read", ({ status }, signal) => status.retrieve({ signal })],
    ["a tokenization", ({ cardTokens }, signal) => cardTokens.create(aCard(), { signal })],
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
      const { payments, arrivals } = await startMerchant((exchange) => {
        reply(exchange);
        setTimeout(() => controller.abort(), 30);
      });

      const error = await failureOf(payments.transactions.createPix(aPix(), { signal: controller.signal }));

      expect(error).toMatchObject({ ...ABORTED, outcome: "unknown", externalRef: "order-1" });
      expect(error.message).toContain("do not send it again");
      expect(arrivals).toHaveLength(1);
    });

    test("the connection is closed", async () => {
      const closed = aGate();
      const controller = new AbortController();
      const { payments } = await startMerchant(({ request }) => {
        request.socket.on("close", () => closed.open());
        controller.abort();
      });

      await failureOf(payments.transactions.createPix(aPix(), { signal: controller.signal }));

      await expect(closed.passed).resolves.toBeUndefined();
    });
  });

  test("an abort ends the wait before a retry", async () => {
    const controller = new AbortController();
    const { payments, arrivals } = await startMerchant(json(503, {}, { "retry-after": "30" }), {
      onEvent: ({ type }) => type === "retry" && setTimeout(() => controller.abort(), 20),
    });

    const error = await failureOf(payments.status.retrieve({ signal: controller.signal }));

    expect(error).toMatchObject({ ...ABORTED, outcome: "not_applicable" });
    expect(arrivals).toHaveLength(1);
  });
});

test("an abort by a listener of the request event does not reach a custom fetch, which may ignore its signal", async () => {
  const controller = new AbortController();
  const fetch = vi.fn(async () => Response.json(envelope(aPixData()), { status: 201 }));
  const onEvent = ({ type }: PaymentsEvent) => type === "request" && controller.abort();
  const { payments } = merchantAt("https://pay.example", { onEvent, fetch });

  const error = await failureOf(payments.transactions.createPix(aPix(), { signal: controller.signal }));

  expect(error).toMatchObject({ ...ABORTED, outcome: "not_sent" });
  expect(fetch).not.toHaveBeenCalled();
});

test.each<[string, string, AbortableCall]>([
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
