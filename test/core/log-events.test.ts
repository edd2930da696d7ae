import { logEvents } from "payments-sdk";
import { expect, test } from "vitest";
import { json, startServer, text } from "../support/http-server.ts";
import { aPix, failureOf, merchantAt } from "../support/merchant.ts";
import { aStatus } from "../support/service-answers.ts";

type Line = [level: string, message: string, details: object];

function aLogger() {
  const lines: Line[] = [];
  const write = (level: string) => (message: string, details: object) =>
    lines.push([level, message, details]);
  const logger = { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
  return { lines, logger };
}

test("each event is one line at its level", async () => {
  const { lines, logger } = aLogger();
  const { baseUrl } = await startServer(
    text(503, "", { "retry-after": "0" }),
    json(200, aStatus({ version: 3 })),
  );
  const { payments } = merchantAt(baseUrl, { onEvent: logEvents(logger) });

  await payments.status.retrieve({ headers: { "content-type": "text/plain" } });

  const timeless = lines.map(
    ([level, message]) => `${level}: ${message.replace(/after \d+ ms/, "after N ms")}`,
  );
  expect(timeless).toEqual([
    "warn: payments-sdk warning status.retrieve: headers.content-type is the SDK's own and was left out",
    "debug: payments-sdk request status.retrieve: attempt 1",
    "info: payments-sdk response status.retrieve: status 503 after N ms",
    "warn: payments-sdk retry status.retrieve: again in 0 ms",
    "debug: payments-sdk request status.retrieve: attempt 2",
    "info: payments-sdk response status.retrieve: status 200 after N ms",
    "warn: payments-sdk drift status.retrieve: version came as a number",
  ]);
});

test("an error is written as plain data", async () => {
  const { lines, logger } = aLogger();
  const { baseUrl } = await startServer(text(500, "<html>"));
  const { payments } = merchantAt(baseUrl, { onEvent: logEvents(logger) });

  const error = await failureOf(payments.transactions.createPix(aPix()));

  expect(lines.at(-1)).toEqual([
    "error",
    "payments-sdk error transactions.create order-1: server_error, outcome unknown",
    { type: "error", endpoint: "transactions.create", externalRef: "order-1", error: error.toJSON() },
  ]);
});

test("the details are the event's own fields", async () => {
  const { lines, logger } = aLogger();
  const { baseUrl } = await startServer(json(200, aStatus()));
  const { payments } = merchantAt(baseUrl, { onEvent: logEvents(logger) });

  await payments.status.retrieve();

  expect(lines[0]?.[2]).toEqual({
    type: "request",
    endpoint: "status.retrieve",
    method: "GET",
    path: "/api/v1/status",
    attempt: 1,
  });
});
