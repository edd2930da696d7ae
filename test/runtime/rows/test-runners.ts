import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { succeed } from "../matrix/finish.ts";
import type { Row } from "../matrix/row.ts";
import { exactly, VERSIONS } from "../versions.ts";

const ENTRIES = ["payments-sdk", "sandbox", "msw"] as const;

/** A merchant's test: once with a gateway as the client's `fetch`, once with one behind msw. */
const TESTS = `
import { setupServer } from "msw/node";
import { PaymentsClient } from "payments-sdk";
import { handlers } from "payments-sdk/msw";
import { createGateway } from "payments-sdk/sandbox";

const customer = { name: "Maria Exemplo", email: "maria@example.com", document: { type: "cpf", number: "52998224725" } };

test("an order charges once, in process", async () => {
  const gateway = createGateway();
  const { baseUrl, secretKey, publicKey, fetch } = gateway;
  const payments = new PaymentsClient({ baseUrl, secretKey, publicKey, fetch });

  await payments.transactions.createPix({ amount: 1990, customer, externalRef: "order-1" });
  await payments.company.retrieve();

  expect(gateway.chargesFor("order-1").length).toBe(1);
});

test("an order charges once, behind msw", async () => {
  const gateway = createGateway({ baseUrl: "https://api.example.com" });
  const server = setupServer(...handlers(gateway));
  server.listen();
  const { baseUrl, secretKey, publicKey } = gateway;
  const payments = new PaymentsClient({ baseUrl, secretKey, publicKey });

  await payments.transactions.createPix({ amount: 1990, customer, externalRef: "order-2" });
  server.close();

  expect(gateway.chargesFor("order-2").length).toBe(1);
});
`;

const required = TESTS.replace(/^import (.*) from (.*);$/gm, "const $1 = require($2);");

const jest: Row = {
  name: "jest",
  group: "test runners",
  label: "Jest",
  version: VERSIONS.jest,
  entries: ENTRIES,
  run: async (workshop) => {
    const tool = await workshop.bring("jest", [exactly("jest", VERSIONS.jest)]);
    await workshop.consumer();
    writeFileSync(join(tool.folder, "imported.test.mjs"), TESTS);
    writeFileSync(join(tool.folder, "required.test.cjs"), required);
    const config = { testMatch: ["**/*.test.{mjs,cjs}"], rootDir: ".", transform: {} };
    writeFileSync(join(tool.folder, "jest.config.json"), JSON.stringify(config));
    const bin = "node_modules/jest/bin/jest.js";
    const output = await succeed(process.execPath, ["--experimental-vm-modules", bin], tool.folder);
    counts(output, /^Tests: +4 passed, 4 total$/m);
    tool.remove();
    return ["by import and by require(), with --experimental-vm-modules"];
  },
};

const vitest: Row = {
  name: "vitest",
  group: "test runners",
  label: "Vitest",
  version: VERSIONS.vitest,
  entries: ENTRIES,
  run: async (workshop) => {
    const tool = await workshop.bring("vitest", [exactly("vitest", VERSIONS.vitest)]);
    await workshop.consumer();
    writeFileSync(join(tool.folder, "imported.test.mjs"), TESTS);
    // A folder above has another configuration, or none: this one is the project's own.
    writeFileSync(join(tool.folder, "vitest.config.mjs"), "export default { test: { globals: true } };");
    const output = await succeed(process.execPath, [tool.bin("vitest"), "run"], tool.folder);
    counts(output, /Tests +2 passed \(2\)/);
    tool.remove();
    return [];
  },
};

/** A runner that found no test is content, too. */
function counts(output: string, line: RegExp): void {
  if (!line.test(output)) throw new Error(`Not all tests ran:\n${output}`);
}

export const TEST_RUNNER_ROWS: readonly Row[] = [jest, vitest];
