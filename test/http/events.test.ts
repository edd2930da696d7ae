import { logEvents, type PaymentsEvent } from "payments-sdk";
import { describe, expect, test, vi } from "vitest";
import { json, startServer, text } from "../support/http-server.ts";
import { aCard, aPix, eventsOf, failureOf, merchantAt } from "../support/merchant.ts";
import { aPixData, aStatus, created, envelope } from "../support/service-responses.ts";
import { startMerchant } from "../support/start-merchant.ts";

describe("events in their order", () => {
  test("of a create call that succeeds", async () => {
    const reply = json(201, envelope(aPixData()), { "x-request-id": "req-1" });
    const { payments, events } = await startMerchant(reply);

    await payments.transactions.createPix(aPix());

    const call = { endpoint: "transactions.create", externalRef: "order-1", attempt: 1 };
    expect(events).toEqual([
      { type: "request", ...call, method: "POST", path: "/api/v1/transactions" },
      { type: "response", ...call, status: 201, durationMs: expect.any(Number), requestId: "req-1" },
      {
        ...{ type: "result", endpoint: "transactions.create", externalRef: "order-1" },
        ...{ paymentMethod: "pix", amount: 1990, transactionId: 4021, status: "pending" },
      },
    ]);
  });

  test("of a tokenization: without a reference, and with the path of the endpoint, without its query", async () => {
    const { baseUrl } = await startServer(text(200, "tok_1"));
    const { payments, events } = merchantAt(`${baseUrl}/gateway/tenant-7`);

    await payments.cardTokens.create(aCard());

    const call = { endpoint: "cardTokens.create", attempt: 1 };
    expect(events).toStrictEqual([
      { type: "request", ...call, method: "POST", path: "/api/v1/card-token" },
      { type: "response", ...call, status: 200, durationMs: expect.any(Number) },
      { type: "result", endpoint: "cardTokens.create" },
    ]);
  });

  test("of a call that fails after its retries", async () => {
    const retryNow = { "retry-after": "0" };
    const replies = [text(503, "", retryNow), text(502, "", retryNow), text(500, "")];
    const { payments, events } = await startMerchant(replies);

    const error = await failureOf(payments.status.retrieve());

    expect(events).toMatchObject([
      { type: "request", attempt: 1 },
      { type: "response", attempt: 1, status: 503 },
      { type: "retry", attempt: 1, status: 503, delayMs: 0, retryAfterMs: 0 },
      { type: "request", attempt: 2 },
      { type: "response", attempt: 2, status: 502 },
      { type: "retry", attempt: 2, status: 502, delayMs: 0 },
      { type: "request", attempt: 3 },
      { type: "response", attempt: 3, status: 500 },
      { type: "error", endpoint: "status.retrieve" },
    ]);
    expect(eventsOf(events, "error")[0]?.error).toBe(error);
  });

  test("of invalid parameters: only the error, with the reference", async () => {
    const { payments, events } = merchantAt("https://pay.example");

    const error = await failureOf(payments.transactions.createPix(aPix({ amount: 0 })));

    expect(events).toEqual([
      { type: "error", endpoint: "transactions.create", externalRef: "order-1", error },
    ]);
  });

  test("of a response that differs from the specification: drift after the response", async () => {
    const { payments, events } = await startMerchant(json(200, aStatus({ version: 3, environment: null })));

    await payments.status.retrieve();

    expect(events.slice(2)).toEqual([
      { type: "drift", endpoint: "status.retrieve", field: "version", message: "is a number" },
      { type: "drift", endpoint: "status.retrieve", field: "environment", message: "is null" },
      { type: "result", endpoint: "status.retrieve" },
    ]);
  });

  test("of unusual parameters: a warning before the request", async () => {
    const { payments, events } = await startMerchant(created());

    await payments.transactions.createPix(aPix({ pix: { expiresInDays: 31 } }));

    expect(events[0]).toEqual({
      type: "warning",
      endpoint: "transactions.create",
      externalRef: "order-1",
      field: "pix.expiresInDays",
      message: expect.stringContaining("30 days"),
    });
    expect(events[1]).toMatchObject({ type: "request" });
  });
});

test.each<[string, (event: PaymentsEvent) => unknown]>([
  ["throws", () => JSON.parse("sk_live_1")],
  ["rejects", () => Promise.reject(new TypeError("4111 1111 1111 1111"))],
])("a listener that %s changes no result, and is reported once per client", async (_what, onEvent) => {
  const write = vi.spyOn(console, "error").mockImplementation(() => {
    throw new Error("from console.error"); // must not reach the call
  });
  const { payments, arrivals } = await startMerchant([created(), text(500, "")], { onEvent });

  const transaction = await payments.transactions.createPix(aPix());
  const error = await failureOf(payments.transactions.createPix(aPix()));

  expect(transaction.id).toBe(4021);
  expect(error).toMatchObject({ code: "server_error", outcome: "unknown" });
  expect(arrivals).toHaveLength(2);
  expect(write.mock.calls).toEqual([[expect.stringMatching(/onEvent threw (SyntaxError|TypeError) /)]]);
  expect(JSON.stringify(write.mock.calls)).not.toMatch(/sk_live_1|4111/);
});

test("a listener that changes an event changes no error", async () => {
  const onEvent = (event: PaymentsEvent) => Object.assign(event, { type: "other", endpoint: "nowhere" });
  const { payments } = await startMerchant(text(500, ""), { onEvent });

  const error = await failureOf(payments.transactions.createPix(aPix()));

  expect(error).toMatchObject({ code: "server_error", endpoint: "transactions.create" });
});

function aLogger() {
  const lines: [level: string, message: string, details: object][] = [];
  const write = (level: string) => (message: string, details: object) =>
    lines.push([level, message, details]);
  const logger = { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
  return { lines, logger };
}

test("logEvents writes each event as one line at its level", async () => {
  const { lines, logger } = aLogger();
  const { payments } = await startMerchant(
    [text(503, "", { "retry-after": "0" }), json(200, aStatus({ version: 3 }))],
    { onEvent: logEvents(logger) },
  );

  await payments.status.retrieve({ headers: { "content-type": "text/plain" } });

  const withoutDurations = lines.map(
    ([level, message]) => `${level}: ${message.replace(/after \d+ ms/, "after N ms")}`,
  );
  expect(withoutDurations).toEqual([
    "warn: payments-sdk warning status.retrieve: headers.content-type is set by the SDK and was ignored",
    "debug: payments-sdk request status.retrieve: attempt 1",
    "info: payments-sdk response status.retrieve: status 503 after N ms",
    "warn: payments-sdk retry status.retrieve: next attempt in 0 ms",
    "debug: payments-sdk request status.retrieve: attempt 2",
    "info: payments-sdk response status.retrieve: status 200 after N ms",
    "warn: payments-sdk drift status.retrieve: version is a number",
    "info: payments-sdk result status.retrieve: succeeded",
  ]);
  expect(lines[1]?.[2]).toMatchObject({ type: "request", endpoint: "status.retrieve", attempt: 1 });
});

test("logEvents writes an error as plain data, and responses to `log` if the logger has no `info`", async () => {
  const { lines, logger } = aLogger();
  const { info: log, ...others } = logger;
  const { payments } = await startMerchant(text(500, ""), { onEvent: logEvents({ ...others, log }) });

  const error = await failureOf(payments.transactions.createPix(aPix()));

  expect(lines.map(([level]) => level)).toEqual(["debug", "info", "error"]);
  expect(lines.at(-1)).toEqual([
    "error",
    "payments-sdk error transactions.create order-1: server_error, outcome unknown",
    {
      ...{ type: "error", endpoint: "transactions.create", externalRef: "order-1", error: error.toJSON() },
      ...{ paymentMethod: "pix", amount: 1990 },
    },
  ]);
});
