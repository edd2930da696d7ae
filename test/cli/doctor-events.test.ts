import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { logEvents, PaymentsClient } from "payments-sdk";
import { createGateway } from "payments-sdk/sandbox";
import { expect, test } from "vitest";
import { aPix } from "../support/merchant.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { runCli } from "./support/run-cli.ts";

const NOON = Date.parse("2026-12-04T12:00:00.000Z");

/** Runs `payments doctor --events app.log`, without any settings. */
async function examine(log: string, ...options: string[]) {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, "app.log"), log);
  return runCli(["doctor", "--events", "app.log", ...options], { cwd });
}

async function optionsIn(log: string): Promise<unknown> {
  const { stdout, stderr } = await examine(log, "--json");
  expect(stderr).toBe("");
  return JSON.parse(stdout).sandboxOptions;
}

/** The log of a shop that creates a pix, as pino writes it. */
async function logOfPino(): Promise<string> {
  const lines: string[] = [];
  const write = (msg: string, data: object) =>
    lines.push(JSON.stringify({ level: 30, time: NOON, ...data, msg }));
  const logger = { debug: write, info: write, warn: write, error: write };
  const { baseUrl, secretKey, publicKey, fetch } = createGateway({ envelopeStatus: 1, echo: "documented" });
  const onEvent = logEvents(logger);
  const payments = new PaymentsClient({ baseUrl, secretKey, publicKey, fetch, onEvent });
  await payments.transactions.createPix(aPix());
  return lines.join("\n");
}

test("a log of pino shows the options of the service, without keys or settings", async () => {
  const log = await logOfPino();

  expect(await optionsIn(`not JSON {\n${log}\n{"level":30}\n\n[1`)).toEqual({
    envelopeStatus: 1,
    echo: "documented",
  });

  const { exitCode, stdout } = await examine(log);
  expect(exitCode).toBe(0);
  expect(stdout).toContain("envelope-status: confirmed 0, contradicted 1. Seen: 1 (1)\n");
  expect(stdout).not.toMatch(/order-1|Ana|1990/);
});

const RESULT = { type: "result", endpoint: "transactions.create", envelopeStatus: 1 };
const text = JSON.stringify;

test.each([
  text({ event: RESULT }),
  text({ level: "info", details: { data: RESULT } }),
  text({ log: `${text(RESULT)}\n`, stream: "stdout" }), // Docker
  `${"x".repeat(3_000_000)}\n${text(RESULT)}\r\n`,
  `\uFEFF${text(RESULT)}`,
  `2026-12-04T12:00:00.000Z stdout F ${text(RESULT)}`, // Kubernetes
  `shop-1  | [info] ${text(RESULT)}`,
])("an event is found inside of other data", async (log) => {
  expect(await optionsIn(log)).toEqual({ envelopeStatus: 1 });
});

test.each([
  text([RESULT, RESULT, RESULT]),
  text({ events: [RESULT, RESULT, RESULT].map((event) => ({ timestamp: NOON, message: text(event) })) }), // CloudWatch
])("every event in a line is counted", async (log) => {
  const { stdout } = await examine(log, "--json");

  expect(JSON.parse(stdout)).toMatchObject({ events: 3, assumptions: { "envelope-status": { 1: 3 } } });
});

const aDelivery = (status: number, type: string) => ({
  ...{ type, status },
  postback: { id: 7, status: "approved", rawStatus: "approved", amount: 1990 },
});

test.each<[string, (seconds: number) => object]>([
  ["time in milliseconds", (seconds) => ({ time: NOON + seconds * 1_000 })],
  ["time in seconds", (seconds) => ({ ts: NOON / 1_000 + seconds })],
  ["time as text", (seconds) => ({ "@timestamp": new Date(NOON + seconds * 1_000) })],
])("the pause before a retry of a postback is that of the log, with its %s", async (_what, at) => {
  const first = { ...at(0), event: aDelivery(500, "failed") };
  const second = { ...at(60.2), event: aDelivery(200, "handled") };

  const options = await optionsIn(`${text(first)}\n${text(second)}`);

  expect(options).toEqual({ postbacks: { retries: 1, backoffMs: 60_000 } });
});

test("a log without times shows the retries, but no pause", async () => {
  const log = [aDelivery(500, "failed"), aDelivery(200, "handled")].map((event) => text(event)).join("\n");

  expect(await optionsIn(log)).toEqual({ postbacks: { retries: 1 } });
});

test("with - the log is read from the standard input", async () => {
  const stdin = new PassThrough();
  stdin.end(text(RESULT));

  const { stdout } = await runCli(["doctor", "--events", "-"], { stdin });

  expect(stdout).toContain("envelope-status");
});

test("the log of another program with the names of other endpoints is not counted", async () => {
  const others = ["transactions.list", "company.users", "status.check"];
  const log = [RESULT, ...others.map((endpoint) => ({ type: "response", endpoint, status: 500 }))];

  const { stdout } = await examine(log.map((event) => text(event)).join("\n"), "--json");

  expect(JSON.parse(stdout).events).toBe(1);
});

test.each([
  ["nothing.log", "The file cannot be read (ENOENT)."],
  ["app.log", "The file contains no events."],
])("%s: %s", async (file, problem) => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, "app.log"), `${text({ type: "response", endpoint: "/users", status: 500 })}\n`);

  const { exitCode, stderr } = await runCli(["doctor", "--events", file], { cwd });

  expect(exitCode).toBe(1);
  expect(stderr).toContain(problem);
});
