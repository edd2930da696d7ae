import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { sqliteStore } from "payments-sdk/idempotency";
import { startSandbox } from "payments-sdk/sandbox/server";
import { expect, onTestFinished, test } from "vitest";
import { checkNode } from "../../src/cli/doctor.ts";
import { startServer } from "../support/http-server.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { runCli } from "./support/run-cli.ts";

const SECRET = "a-postback-secret-of-thirty-two-bytes";

/** Settings that are fine with a new sandbox. */
async function goodSettings(company: object = {}) {
  const sandbox = await startSandbox({ company });
  onTestFinished(sandbox.close);
  return {
    PAYMENTS_BASE_URL: sandbox.baseUrl,
    PAYMENTS_SECRET_KEY: sandbox.secretKey,
    PAYMENTS_PUBLIC_KEY: sandbox.publicKey,
    PAYMENTS_POSTBACK_SECRET: SECRET,
    PAYMENTS_POSTBACK_URL: `${sandbox.baseUrl}/sandbox/inbox`,
  };
}

/** Runs `payments doctor --json`. */
async function examine(env: Readonly<Record<string, string>>) {
  const { exitCode, stdout } = await runCli(["doctor", "--json"], { env });
  const { checks } = JSON.parse(stdout) as { checks: { check: string; result: string; finding: string }[] };
  return {
    exitCode,
    stdout,
    checks,
    resultOf: (name: string) => checks.find(({ check }) => check === name)?.result,
  };
}

test("good settings pass every check, with a line for each", async () => {
  const { exitCode, stdout, stderr } = await runCli(["doctor"], { env: await goodSettings() });

  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  const rows = stdout
    .trimEnd()
    .split("\n")
    .map((line) => line.split("\t").slice(0, 2).join(": "));
  expect(rows).toEqual([
    ...["Node.js: ok", "Base URL: ok", "Secret key: ok", "Public key: ok", "Service: ok", "Clock: ok"],
    ...["Company: ok", "Store: skipped", "Postback signer: ok", "Postback URL: ok"],
  ]);
});

const LONG_URL = `http://127.0.0.1:9/${"a".repeat(240)}`;

test.each<[settings: Record<string, string>, check: string, result: string]>([
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
  [{ PAYMENTS_POSTBACK_URL: "http://127.0.0.1:9/" }, "Postback URL", "failed"],
  [{ PAYMENTS_POSTBACK_URL: LONG_URL }, "Postback URL", "warning"], // once signed
  [
    { PAYMENTS_BASE_URL: "https://a.invalid", PAYMENTS_POSTBACK_URL: "http://localhost/" },
    "Postback URL",
    "failed",
  ],
])("with %j the check %s is %s", async (settings, check, result) => {
  const { exitCode, resultOf, checks } = await examine({ ...(await goodSettings()), ...settings });

  expect(resultOf(check)).toBe(result);
  expect(exitCode).toBe(checks.some((row) => row.result === "failed") ? 1 : 0);
});

test.each([
  [{ status: "pending" }, "failed"],
  [{ status: "suspended" }, "failed"],
  [{ status: "inactive" }, "failed"],
  [{ paymentMethods: { pix: false } }, "warning"],
  [{ paymentMethods: { pix: false, credit_card: false } }, "failed"],
])("the company %j is %s", async (company, result) => {
  expect((await examine(await goodSettings(company))).resultOf("Company")).toBe(result);
});

test.each([
  [-25_000, "ok"],
  [-60_000, "warning"],
  [60_000, "warning"],
])("a service whose clock differs by %i ms is %s", async (difference, result) => {
  const date = new Date(Date.now() + difference).toUTCString();
  const service = await startServer(({ response }) =>
    response.writeHead(200, { date, "content-type": "application/json" }).end('{"environment":"production"}'),
  );

  expect((await examine({ PAYMENTS_BASE_URL: service.baseUrl })).resultOf("Clock")).toBe(result);
});

test.each([
  [{}, "No problems found."],
  [{ PAYMENTS_POSTBACK_SECRET: "" }, "0 failed, 1 warning."],
  [{ PAYMENTS_SECRET_KEY: "", PAYMENTS_POSTBACK_SECRET: "" }, "1 failed, 1 warning."],
])(
  "in a terminal %j ends with a summary, and each problem has its fix below it",
  async (settings, summary) => {
    const lines: string[] = [];
    const stdout = { isTTY: true, write: (text: string) => lines.push(text) };

    await runCli(["doctor"], { env: { ...(await goodSettings()), ...settings, NO_COLOR: "1" }, stdout });

    const text = lines.join("");
    expect(text).toContain(summary);
    expect(text.match(/ {2}Fix: /g) ?? []).toHaveLength(Object.keys(settings).length);
  },
);

test.each([
  ["20.20.2", "failed"],
  ["22.12.9", "failed"],
  ["22.13.0", "ok"],
  ["26.0.0", "ok"],
])("Node %s is %s", (version, result) => {
  expect(checkNode(version).result).toBe(result);
});

test.each([
  [{ environment: "production", status: "online", services: { database: "offline" } }, "database offline"],
  [{ environment: "sandbox", status: "degraded" }, "degraded"],
  [{ services: { gateway: "online" } }, "unknown environment"],
])("a service that reports %j is a warning, and no company is no reason for it", async (status, text) => {
  const service = await startServer(({ request, response }) => {
    response.sendDate = false;
    const body = request.url?.includes("status")
      ? status
      : { success: true, data: { id: 7, status: "active" } };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  const env = { ...(await goodSettings()), PAYMENTS_BASE_URL: service.baseUrl };

  const { checks, resultOf } = await examine(env);

  expect(checks.find(({ check }) => check === "Service")).toMatchObject({ result: "warning" });
  expect(checks.find(({ check }) => check === "Service")?.finding).toContain(text);
  expect([resultOf("Clock"), resultOf("Company")]).toEqual(["skipped", "ok"]);
});

test.each([{ status: "in_review" }, {}])(
  "a company with %j is a warning: whether it can take payments is not known",
  async (data) => {
    const service = await startServer(({ request, response }) => {
      const isStatus = request.url?.includes("status");
      const body = isStatus ? { environment: "sandbox" } : { success: true, data: { id: 7, ...data } };
      response.writeHead(200).end(JSON.stringify(body));
    });
    const { resultOf } = await examine({ ...(await goodSettings()), PAYMENTS_BASE_URL: service.baseUrl });

    expect(resultOf("Company")).toBe("warning");
  },
);

test.each([
  [302, "warning"],
  [404, "warning"],
  [503, "warning"],
  [405, "ok"],
])("a postback URL that answers %i is %s", async (status, result) => {
  const receiver = await startServer(({ response }) => response.writeHead(status).end());

  const { resultOf } = await examine({ ...(await goodSettings()), PAYMENTS_POSTBACK_URL: receiver.baseUrl });

  expect(resultOf("Postback URL")).toBe(result);
});

test.each([
  ["http://shop.invalid/postbacks", "is http"],
  ["https://shop.invalid/postbacks", "does not respond"],
  ["https://user:password@shop.invalid/", "must not contain a user"],
])("with a service on the internet, the postback URL %s fails: it %s", async (url, problem) => {
  const { checks, stdout } = await examine({
    PAYMENTS_BASE_URL: "https://pay.invalid",
    PAYMENTS_POSTBACK_URL: url,
  });

  const row = checks.find(({ check }) => check === "Postback URL");
  expect(row).toMatchObject({ result: "failed", finding: expect.stringContaining(problem) });
  expect(stdout).not.toContain("password@");
});

test("no key is sent to a server whose status is not that of a payment service", async () => {
  const server = await startServer(({ response }) =>
    response.writeHead(200, { "content-type": "application/json" }).end('{"status":"ok"}'),
  );

  const { resultOf } = await examine({ ...(await goodSettings()), PAYMENTS_BASE_URL: server.baseUrl });

  expect(resultOf("Service")).toBe("failed");
  expect(server.arrivals).toMatchObject([{ url: "/api/v1/status" }]);
});

test.each([
  [["--store", "payments.db", "--namespace", "shop-2"], "ok", "no unresolved orders"],
  [["--store", "payments.db"], "warning", "1 unresolved order"],
  [["--store", "payments.db", "--namespace", "other"], "warning", "--namespace <name>"],
  [["--store", "missing.db"], "failed", "there is no such file"],
  [["--store", "mysql://localhost/shop"], "failed", "begins with redis://"],
  [["--store", "redis://127.0.0.1:9"], "failed", "no server is listening"],
])("the store of %j is %s: %s", async (flags, result, text) => {
  const cwd = temporaryFolder();
  for (const [namespace, outcome] of [
    ["default", "unknown"],
    ["shop-2", "not_created"],
  ] as const) {
    const store = sqliteStore(join(cwd, "payments.db"), { namespace });
    const order = { externalRef: "order-1", amount: 1990, paymentMethod: "pix", owner: "1" } as const;
    await store.claim(order, 60_000);
    await store.end(order, { outcome });
    store.close();
  }

  const { stdout } = await runCli(["doctor", ...flags], { cwd });

  const row = stdout.split("\n").find((line) => line.startsWith("Store\t"));
  expect(row).toContain(`Store\t${result}\t`);
  expect(row).toContain(text);
});

test("settings also come from .env, which does not override the environment, and no secret is printed", async () => {
  const { PAYMENTS_BASE_URL, ...good } = await goodSettings();
  const cwd = temporaryFolder();
  const file = {
    ...good,
    PAYMENTS_SECRET_KEY: "sk_secret_of_the_file",
    PAYMENTS_PUBLIC_KEY: "pk_public_of_file",
  };
  writeFileSync(
    join(cwd, ".env"),
    `\ufeff${Object.entries(file)
      .map(([name, value]) => `${name}=${value}\r\n`)
      .join("")}`, // as editors on Windows write it
  );
  const env = { PAYMENTS_BASE_URL, PAYMENTS_PUBLIC_KEY: "pk_public_of_environment" };

  const { stdout } = await runCli(["doctor"], { cwd, env });

  expect(stdout).toContain("Secret key\tok\tsk_...file\t");
  expect(stdout).toContain("Public key\tok\tpk_...ment\t");
  expect(stdout).not.toMatch(/_of_|postback-secret|pbsig/);
});
