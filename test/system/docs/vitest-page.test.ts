import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { chromium } from "../../support/chromium.ts";
import { root, tool } from "../../support/running.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** Runs tests in a page. Vite may serve the linked packages to it. */
const BROWSER_MODE = `
import { playwright } from "@vitest/browser-playwright";

const provider = playwright({ launchOptions: { ...${JSON.stringify(await chromium())}, args: ["--no-sandbox"] } });
const browser = { enabled: true, headless: true, provider, instances: [{ browser: "chromium" }] };
export default { test: { browser }, server: { fs: { strict: false } } };
`;

const page = readFileSync(join(root, "docs/testing.md"), "utf8");
const samples = Array.from(page.matchAll(/^```js\n(.*?)^```$/gms), ([, code = ""]) => ({
  title: /^test\("(.*)"/m.exec(code)?.[1],
  code,
  config: code.includes("vitest/browser") ? BROWSER_MODE : "export default {};",
}));

test.each(samples)("the test of docs/testing.md passes in a merchant's project: $title", async (sample) => {
  const folder = temporaryFolder();
  for (const name of ["", "@vitest"]) mkdirSync(join(folder, "node_modules", name));
  symlinkSync(root, join(folder, "node_modules/payments-sdk"));
  for (const name of ["vitest", "@vitest/browser-playwright"]) {
    symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name));
  }
  writeFileSync(join(folder, "vitest.config.mjs"), sample.config);
  writeFileSync(join(folder, "shop.test.js"), sample.code);

  const { code, stdout, stderr } = await tool("vitest", ["run", "--root", folder]);

  expect(stdout, stderr).toMatch(/Tests +1 passed/);
  expect(code).toBe(0);
});
