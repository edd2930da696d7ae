import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sqliteStore } from "payments-sdk/idempotency";
import { startSandbox } from "payments-sdk/sandbox/server";
import { expect, onTestFinished, test } from "vitest";
import { checkNode } from "../../src/cli/doctor.ts";
import { startServer } from "../support/http-server.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { folderWithDriver, runCli } from "./support/run-cli.ts";

/** Settings that pass with a new sandbox. */
async function goodSettings() {
  const sandbox = await startSandbox();
  onTestFinished(sandbox.close);
  return {
    PAYMENTS_BASE_URL: sandbox.baseUrl,
    PAYMENTS_SECRET_KEY: sandbox.secretKey,
    PAYMENTS_PUBLIC_KEY: sandbox.publicKey,
    PAYMENTS_POSTBACK_SECRET: "a-postback-secret-of-thirty-two-bytes",
    PAYMENTS_POSTBACK_URL: `${sandbox.baseUrl}/sandbox/inbox`,
  };
}

/** Runs `payments doctor --json` with good settings and these. */
async function examine(settings: Readonly<Record<string, string>>) {
  const env = { ...(await goodSettings()), ...settings };
  const { exitCode, stdout } = await runCli(["doctor", "--json"], { env });
  const { checks } = JSON.parse(stdout) as { checks: { check: string; result: string; finding: string }[] };
  expect(exitCode).toBe(checks.some(({ result }) => result === "failed") ? 1 : 0);
  return { stdout, find: (name: string) => checks.find(({ check }) => check === name) };
}

/** A payment service that returns this status, and this company. */
async function startService(status: object, company: object = { id: 7, status: "active" }, date?: string) {
  const { baseUrl } = await startServer(({ request, response }) => {
    response.sendDate = false;
    const body = request.url?.includes("status") ? status : { success: true, data: company };
    response.writeHead(200, { "content-type": "application/json", ...(date && { date }) });
    response.end(JSON.stringify(body));
  });
  return { PAYMENTS_BASE_URL: baseUrl };
}

test("good settings pass every check, with a line for each", async () => {
  const { exitCode, stdout, stderr } = await runCli(["doctor"], { env: await goodSettings() });

  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(
    stdout
      .trimEnd()
      .replaceAll(/^([^\t]+)\t([^\t]+)\t.*$/gm, "$1: $2")
      .split("\n"),
  ).toEqual([
    ...["Node.js: ok", "Base URL: ok", "Secret key: ok", "Public key: ok", "Service: ok", "Clock: ok"],
    ...["Company: ok", "Store: skipped", "Postbacks: skipped", "Postback signer: ok", "Postback URL: ok"],
  ]);
});

test("--header names the columns, with that of the fixes, also outside of a terminal", async () => {
  const { stdout } = await runCli(["doctor", "--header"]);

  const [header, ...rows] = stdout.split("\n").slice(0, -1);
  expect(header).toBe("check\tresult\tfinding\tfix");
  for (const row of rows) expect(row.split("\t")).toHaveLength(4);
});

const LONG_URL = `http://127.0.0.1:9/${"a".repeat(240)}`;
const PUBLIC_SERVICE = "https://pay.invalid";

test.each<[settings: Record<string, string>, check: string, result: string, finding?: string]>([
  [{ PAYMENTS_BASE_URL: "" }, "Base URL", "failed"],
  [{ PAYMENTS_BASE_URL: "http://pay.example" }, "Base URL", "failed"],
  [{ PAYMENTS_BASE_URL: "http://127.0.0.1:9" }, "Service", "failed"],
  [{ PAYMENTS_BASE_URL: "http://127.0.0.1:9" }, "Company", "skipped"],
  [{ PAYMENTS_SECRET_KEY: "" }, "Secret key", "failed"],
  [{ PAYMENTS_SECRET_KEY: "sk_of_another_company" }, "Company", "failed"],
  [{ PAYMENTS_PUBLIC_KEY: "sk_swapped" }, "Public key", "failed"],
  [{ PAYMENTS_PUBLIC_KEY: "sk_swapped" }, "Company", "skipped"],
  [{ PAYMENTS_POSTBACK_SECRET: "" }, "Postback signer", "warning"],
  [{ PAYMENTS_POSTBACK_SECRET: "", PAYMENTS_POSTBACK_URL: LONG_URL }, "Postback URL", "warning"],
  [{ PAYMENTS_POSTBACK_SECRET: "short" }, "Postback signer", "failed"],
  [{ PAYMENTS_POSTBACK_URL: "" }, "Postback URL", "skipped"],
  [{ PAYMENTS_POSTBACK_URL: "/postbacks" }, "Postback URL", "failed"],
  [{ PAYMENTS_POSTBACK_URL: "http://127.0.0.1:9/" }, "Postback URL", "failed", "does not respond"],
  [{ PAYMENTS_POSTBACK_URL: LONG_URL }, "Postback URL", "warning"], // once signed
  ...[
    ["http://localhost/", "is on this machine"],
    ["http://shop.invalid/postbacks", "is http"],
    ["https://shop.invalid/postbacks", "does not respond"],
    ["https://user:password@shop.invalid/", "must not contain a user"],
  ].map(([url = "", finding = ""]): [Record<string, string>, string, string, string] => {
    const settings = { PAYMENTS_BASE_URL: PUBLIC_SERVICE, PAYMENTS_POSTBACK_URL: url };
    return [settings, "Postback URL", "failed", finding];
  }),
])("with %j the check %s is %s", async (settings, check, result, finding = "") => {
  const { find, stdout } = await examine(settings);

  expect(find(check)).toMatchObject({ result, finding: expect.stringContaining(finding) });
  expect(stdout).not.toContain("password@");
});

test.each([
  [{ status: "pending" }, "failed"],
  [{ status: "suspended" }, "failed"],
  [{ status: "inactive" }, "failed"],
  [{ status: "in_review" }, "warning"],
  [{}, "warning"],
  [{ status: "active", paymentMethods: { pix: false, credit_card: true } }, "warning"],
  [{ status: "active", paymentMethods: { pix: false, credit_card: false } }, "failed"],
])("the company %j is %s", async (company, result) => {
  const { find } = await examine(await startService({ environment: "sandbox" }, { id: 7, ...company }));

  expect(find("Company")).toMatchObject({ result });
});

test.each([
  [-25_000, "ok"],
  [-60_000, "warning"],
  [60_000, "warning"],
])("a service whose clock differs by %i ms is %s", async (difference, result) => {
  const date = new Date(Date.now() + difference).toUTCString();
  const service = await startService({ environment: "production" }, {}, date);

  expect((await examine(service)).find("Clock")).toMatchObject({ result });
});

test.each([
  [{}, "No problems found."],
  [{ PAYMENTS_POSTBACK_SECRET: "" }, "0 failed, 1 warning."],
  [{ PAYMENTS_SECRET_KEY: "", PAYMENTS_POSTBACK_SECRET: "" }, "1 failed, 1 warning."],
])("in a terminal %j prints a fix for each problem, and ends with a summary", async (settings, summary) => {
  let text = "";
  const stdout = { isTTY: true, write: (piece: string) => (text += piece) };

  await runCli(["doctor"], { env: { ...(await goodSettings()), ...settings, NO_COLOR: "1" }, stdout });

  expect(text).toContain(summary);
  expect(text.match(/ {2}Fix: /g) ?? []).toHaveLength(Object.keys(settings).length);
});

test("Node 22.13 is the oldest that passes", () => {
  const results = ["20.20.2", "22.12.9", "22.13.0", "26.0.0"].map((version) => checkNode(version).result);

  expect(results).toEqual(["failed", "failed", "ok", "ok"]);
});

test.each([
  [{ environment: "production", status: "online", services: { database: "offline" } }, "database offline"],
  [{ environment: "sandbox", status: "degraded" }, "degraded"],
  [{ services: { gateway: "online" } }, "unknown environment"],
])("a service that reports %j is a warning, and the company is still checked", async (status, text) => {
  const { find } = await examine(await startService(status));

  expect(find("Service")).toMatchObject({ result: "warning", finding: expect.stringContaining(text) });
  expect([find("Clock")?.result, find("Company")?.result]).toEqual(["skipped", "ok"]);
});

test.each([
  [302, "warning"],
  [404, "warning"],
  [503, "warning"],
  [405, "ok"],
])("a postback URL that returns %i is %s", async (status, result) => {
  const receiver = await startServer(({ response }) => response.writeHead(status).end());

  const { find } = await examine({ PAYMENTS_POSTBACK_URL: receiver.baseUrl });

  expect(find("Postback URL")).toMatchObject({ result });
});

test("no key is sent to a server whose status is not that of a payment service", async () => {
  const server = await startServer(({ response }) =>
    response.writeHead(200, { "content-type": "application/json" }).end('{"status":"ok"}'),
  );

  const { find } = await examine({ PAYMENTS_BASE_URL: server.baseUrl });

  expect(find("Service")).toMatchObject({ result: "failed" });
  expect(server.arrivals).toMatchObject([{ url: "/api/v1/status" }]);
});

test.each([
  [["--store", "payments.db", "--namespace", "shop-2"], "ok", "no unresolved orders"],
  [["--store", "payments.db"], "warning", "1 unresolved order"],
  [["--store", "payments.db", "--namespace", "other"], "warning", "--namespace <name>"],
  [["--store", "file:payments.db"], "warning", "/payments.db, namespace"],
  [["--store", "link.db"], "warning", "/payments.db, namespace"],
  [["--store", "missing.db"], "failed", "there is no such file"],
  [["--store", "oracle://localhost/shop"], "failed", "begins with redis://"],
  [["--store", "postgres://user:a/b@localhost/shop"], "failed", "postgres://... cannot be parsed"],
  [["--store", "redis://127.0.0.1:9"], "failed", "no server is listening"],
])("the store of %j is %s: %s", async (flags, result, text) => {
  const cwd = temporaryFolder();
  symlinkSync("payments.db", join(cwd, "link.db"));
  for (const [namespace, outcome] of [
    ["default", "unknown"],
    ["shop-2", "not_created"],
  ] as const) {
    const store = sqliteStore(join(cwd, "payments.db"), { namespace });
    const order = { externalRef: "order-1", amount: 1990, paymentMethod: "pix", owner: "1" } as const;
    await store.claim(order, 60_000);
    await store.recordOutcome(order, { outcome });
    store.close();
  }

  const { stdout } = await runCli(["doctor", ...flags], { cwd });

  const row = stdout.split("\n").find((line) => line.startsWith(`Store\t${result}\t`));
  expect(row).toContain(text);
});

const inScripts = (message: string) =>
  `client.EVAL = async () => { throw new Error(${JSON.stringify(message)}); };`;

test.each([
  [
    "its check",
    inScripts("NOPERM no permission to run 'eval'. Grant it."),
    /permission to run 'eval'\tGrant it\.$/,
  ],
  ["doctor", inScripts("NOPERM no permission to run 'eval'"), /permission to run 'eval'\t.*permissions/],
  [
    "its driver, without the password",
    'throw new Error("Too many clients of hunter2. Close some of them.")',
    /redis:\/\/127\.0\.0\.1: Too many clients of \[redacted\]\tClose some of them\.$/,
  ],
])("a store that cannot be used has failed, with the advice of %s", async (_of, connect, line) => {
  const cwd = folderWithDriver(connect);

  const { exitCode, stdout } = await runCli(["doctor", "--store", "redis://:hunter2@127.0.0.1"], { cwd });

  expect(exitCode).toBe(1);
  expect(stdout.split("\n").find((text) => text.startsWith("Store\tfailed\t"))).toMatch(line);
});

test("a damaged record is not counted as an unresolved order", async () => {
  const path = join(temporaryFolder(), "payments.db");
  const store = sqliteStore(path);
  await store.claim({ externalRef: "order-1", amount: 1990, paymentMethod: "pix", owner: "1" }, 60_000);
  store.close();
  const database = new DatabaseSync(path);
  database.exec("UPDATE payments_orders SET body = '{'");
  database.close();

  const { stdout } = await runCli(["doctor", "--store", path]);

  expect(stdout).toMatch(/no unresolved orders, damaged records: 1\t.*orders list/);
});

test("settings also come from .env, which does not override the environment, and no secret is printed", async () => {
  const { PAYMENTS_BASE_URL, ...good } = await goodSettings();
  const keys = { PAYMENTS_SECRET_KEY: "sk_secret_of_the_file", PAYMENTS_PUBLIC_KEY: "pk_public_of_file" };
  const lines = Object.entries({ ...good, ...keys }).map(([name, value]) => `${name}=${value}\r\n`);
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, ".env"), `\ufeff${lines.join("")}`); // as editors on Windows write it
  const env = { PAYMENTS_BASE_URL, PAYMENTS_PUBLIC_KEY: "pk_public_of_environment" };

  const { stdout } = await runCli(["doctor"], { cwd, env });

  expect(stdout).toContain("Secret key\tok\tsk_...file\t");
  expect(stdout).toContain("Public key\tok\tpk_...ment\t");
  expect(stdout).not.toMatch(/_of_|postback-secret|pbsig/);
});
