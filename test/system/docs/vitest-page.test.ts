import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root, tool } from "../../support/running.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

test("the test of docs/testing.md passes in a merchant's project", async () => {
  const [, code = ""] =
    /^```js\n(.*?)^```$/ms.exec(readFileSync(join(root, "docs/testing.md"), "utf8")) ?? [];
  const folder = temporaryFolder();
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(root, join(folder, "node_modules/payments-sdk"));
  symlinkSync(join(root, "node_modules/vitest"), join(folder, "node_modules/vitest"));
  writeFileSync(join(folder, "vitest.config.js"), "export default {};\n");
  writeFileSync(join(folder, "shop.test.js"), code);

  const { code: exitCode, stdout } = await tool("vitest", ["run", "--root", folder]);

  expect(stdout).toMatch(/Tests +1 passed/);
  expect(exitCode).toBe(0);
});
