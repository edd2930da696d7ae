import { startSandbox } from "payments-sdk/sandbox/server";
import { expect, onTestFinished, test } from "vitest";
import { PUBLIC, SECRET, tracesIn } from "../support/canaries.ts";
import { runExample } from "./support/run-example.ts";

const BASE_URL = { PAYMENTS_BASE_URL: "https://pay.example.com" };
const SECRET_KEY = { PAYMENTS_SECRET_KEY: SECRET };
const PUBLIC_KEY = { PAYMENTS_PUBLIC_KEY: PUBLIC };

test.each([
  ["quickstart", BASE_URL, "PAYMENTS_SECRET_KEY, PAYMENTS_PUBLIC_KEY"],
  ["card", { ...BASE_URL, ...SECRET_KEY }, "PAYMENTS_PUBLIC_KEY"],
  ["company", { ...SECRET_KEY, ...PUBLIC_KEY }, "PAYMENTS_BASE_URL"],
  ["status", SECRET_KEY, "PAYMENTS_BASE_URL"],
  ["tokenize", BASE_URL, "PAYMENTS_PUBLIC_KEY"],
  ["tokenize", PUBLIC_KEY, "PAYMENTS_BASE_URL"],
  ["reconcile", BASE_URL, "PAYMENTS_SECRET_KEY, PAYMENTS_PUBLIC_KEY"],
])("%s asks no sandbox where the service is named by half: %j", async (name, env, missing) => {
  const args = name === "reconcile" ? ["--orders", "test/examples/support/orders.csv"] : [];

  const { code, stdout, stderr } = await runExample(name, [...args, "--json"], { env });

  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toBe(
    `Not set: ${missing}. Set what names the service, or none of it. Usage: npm run example ${name} -- --help\n`,
  );
  expect(tracesIn(stderr)).toEqual([]);
});

test("status needs no key", async () => {
  const service = await startSandbox({ environment: "production" });
  onTestFinished(() => service.close());
  const env = { PAYMENTS_BASE_URL: service.baseUrl };

  const { code, stderr } = await runExample("status", ["--expect", "sandbox"], { env });

  expect(code).toBe(1);
  expect(stderr).toMatch(/^EnvironmentMismatchError: .*production.*\n$/);
});

test("tokenize needs no secret key", async () => {
  const service = await startSandbox({ publicKey: "pk_of_a_merchant" });
  onTestFinished(() => service.close());
  const env = { PAYMENTS_BASE_URL: service.baseUrl, PAYMENTS_PUBLIC_KEY: "pk_of_a_merchant" };

  const { code, stdout } = await runExample("tokenize", [], { env });

  expect(code).toBe(0);
  expect(stdout).toContain(`  Service      ${service.baseUrl}\n`);
});

test.each([
  ["https://user:hunter2@pay.example.com/v2", "https://pay.example.com/v2"],
  ["https://pay.example.com?token=hunter2", "https://pay.example.com"],
  ["hunter2", "not a URL"],
])("the address %s is printed as %s", async (baseUrl, printed) => {
  const env = { PAYMENTS_BASE_URL: baseUrl };

  const { code, stdout, stderr } = await runExample("status", [], { env });

  expect(code).toBe(1);
  expect(stdout).toBe(`  Service      ${printed}\n`);
  expect(stderr).toMatch(/^ConfigurationError: .+\n$/);
  expect(stderr).not.toContain("hunter2");
});
