import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root, tool } from "../../support/tool.ts";
import { here, useProject } from "./support/matrix.ts";

const project = useProject();

/** A merchant's test: with a gateway as the `fetch` of the client, and with one behind msw. */
const TESTS = `
import { setupServer } from "msw/node";
import { PaymentsClient } from "payments-sdk";
import { handlers } from "payments-sdk/msw";
import { createGateway } from "payments-sdk/sandbox";

const customer = { name: "Maria Exemplo", email: "maria@example.com", document: { type: "cpf", number: "52998224725" } };

test("an order charges once, in process and behind msw", async () => {
  const gateway = createGateway({ baseUrl: "https://api.example.com" });
  const { baseUrl, secretKey, publicKey, fetch } = gateway;
  const server = setupServer(...handlers(gateway));
  server.listen();

  for (const options of [{ fetch }, {}]) {
    const payments = new PaymentsClient({ baseUrl, secretKey, publicKey, ...options });
    await payments.transactions.createPix({ amount: 1990, customer, externalRef: "order-" + Object.keys(options) });
    await payments.company.retrieve();
  }
  server.close();

  expect(gateway.chargesFor("order-").length).toBe(1);
  expect(gateway.chargesFor("order-fetch").length).toBe(1);
});
`;

const ALWAYS: readonly [string, () => Promise<void>][] = [["Vitest", inVitest]];

async function inVitest(): Promise<void> {
  const folder = await project.bring();
  writeFileSync(join(folder, "imported.test.mjs"), TESTS);
  writeFileSync(join(folder, "vitest.config.mjs"), "export default { test: { globals: true } };");

  const { stdout, stderr } = await tool(join(root, "node_modules/.bin/vitest"), ["run"], folder);

  expect(stdout + stderr).toMatch(/Tests +1 passed \(1\)/);
}

async function inJest(): Promise<void> {
  const folder = await project.bring("jest@30.5.2");
  writeFileSync(join(folder, "imported.test.mjs"), TESTS);
  const required = TESTS.replace(/^import (.*) from (.*);$/gm, "const $1 = require($2);");
  writeFileSync(join(folder, "required.test.cjs"), required);
  const config = { testMatch: ["**/*.test.{mjs,cjs}"], rootDir: ".", transform: {} };
  writeFileSync(join(folder, "jest.config.json"), JSON.stringify(config));

  const args = ["--experimental-vm-modules", "node_modules/jest/bin/jest.js"];
  const { stdout, stderr } = await tool(process.execPath, args, folder);

  expect(stdout + stderr).toMatch(/^Tests: +2 passed, 2 total$/m);
}

test.each(here(ALWAYS, [["Jest", inJest]]))("a merchant's tests run in %s", (_runner, run) => run());
