import { readFileSync } from "node:fs";
import { join } from "node:path";
import { shopTests } from "payments-sdk/testing";
import { test, vi } from "vitest";
import { root } from "../../support/running.ts";
import { createJsonShop } from "./support/json-shop.ts";
import { nextPort, startProgram } from "./support/program.ts";

vi.setConfig({ maxConcurrency: 8 }); // most of a test starts processes

const SAMPLE = readFileSync(join(root, "docs/samples/checkout-server.mjs"), "utf8");

const tests = shopTests({
  start: async (service) =>
    createJsonShop(async (amount) => {
      const code = SAMPLE.replaceAll("1990", String(amount));
      const args = ["--input-type=module", "--eval", code];
      const { url, stdout, stop } = await startProgram(args, service, { port: await nextPort() });
      return { url, printed: stdout, stop };
    }),
  timeoutMs: 10_000,
}).filter(({ name }) => !/restarts|fails to record/.test(name));

// The others do not apply: the sample keeps nothing, and its work cannot fail.
for (const { name, run } of tests) test.concurrent(name, run);
