import { copyFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, test } from "vitest";
import { chromium } from "../../support/chromium.ts";
import { root, tool } from "../../support/running.ts";
import { unpack } from "../support/consumer.ts";

/** A merchant's folder with the package, and with the tools that the recipes need. */
const project = mkdtempSync(join(tmpdir(), "payments-sdk-rehearse-"));
const TOOLS = ["express", "playwright", "vitest", "@types/express"];

const TSCONFIG = {
  compilerOptions: {
    ...{ target: "es2023", module: "esnext", moduleResolution: "bundler", types: ["node"], noEmit: true },
    ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
    ...{ rewriteRelativeImportExtensions: true, isolatedModules: true, skipLibCheck: true },
  },
};

beforeAll(async () => {
  await unpack(project);
  for (const name of TOOLS)
    symlinkSync(join(root, "node_modules", name), join(project, "node_modules", name));
  return () => rmSync(project, { recursive: true, force: true });
});

const SETUP_FOR_BROWSERS = async () => `
  import { chromium } from "playwright";
  const launch = chromium.launch.bind(chromium);
  const installed = ${JSON.stringify({ ...(await chromium()), args: ["--no-sandbox"] })};
  chromium.launch = (options) => launch({ ...options, ...installed });`;

test.concurrent.for([
  ["express.test.ts", "node", "--test"],
  ["page.test.ts", "vitest", "run"],
] as const)(
  "the shop of docs/samples/rehearse/%s passes its rehearsal, and compiles",
  { timeout: 180_000 },
  async ([test, ...command], { expect }) => {
    const folder = mkdtempSync(join(project, "recipe-"));
    for (const file of ["shop.ts", "adapter.ts", test])
      copyFileSync(join(root, "docs/samples/rehearse", file), join(folder, file));
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(TSCONFIG));
    writeFileSync(join(folder, "setup.js"), test === "page.test.ts" ? await SETUP_FOR_BROWSERS() : "");
    writeFileSync(join(folder, "vitest.config.js"), 'export default { test: { setupFiles: "setup.js" } };');
    symlinkSync(join(project, "node_modules"), join(folder, "node_modules")); // its page serves files from it

    const compiled = await tool("tsc", ["-p", "."], folder);
    const [name, ...args] = command;
    const { code, stdout, stderr } = await tool(name, args, folder);

    expect(compiled.stdout).toBe("");
    expect({ code, stdout, stderr }).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/Tests +\d\d passed \(\d\d\)|^. pass \d\d$/m),
    });
  },
);
