import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { playwright } from "@vitest/browser-playwright";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { bundledTextForVite } from "./scripts/bundled-text.ts";
import { chromium } from "./test/support/chromium.ts";

const source = (file: string) => fileURLToPath(new URL(`./src/${file}`, import.meta.url));

/** Tests import the package by its name and get its source. */
const SOURCE_BY_NAME = [
  { find: /^payments-sdk$/, replacement: source("index.ts") },
  { find: /^payments-sdk\/browser$/, replacement: source("browser.ts") },
  { find: /^payments-sdk\/elements$/, replacement: source("elements.ts") },
  { find: /^payments-sdk\/elements\/(react|vue|svelte)$/, replacement: source("elements-$1.ts") },
  { find: /^payments-sdk\/postbacks$/, replacement: source("postbacks.ts") },
  { find: /^payments-sdk\/idempotency$/, replacement: source("idempotency.ts") },
  { find: /^payments-sdk\/idempotency\/testing$/, replacement: source("idempotency-testing.ts") },
  { find: /^payments-sdk\/testing$/, replacement: source("testing.ts") },
  { find: /^payments-sdk\/node$/, replacement: source("node.ts") },
  { find: /^payments-sdk\/sandbox$/, replacement: source("sandbox.ts") },
  { find: /^payments-sdk\/sandbox\/server$/, replacement: source("sandbox-server.ts") },
  { find: /^payments-sdk\/msw$/, replacement: source("msw.ts") },
];

/** Run by Stryker, which breaks the client and not the sandbox: only quick tests of the client, and no browser. */
const isMutationTest = process.env["STRYKER"] !== undefined;

/** Run against the build. They start processes and share one build. */
const built = {
  globalSetup: "test/support/build.ts",
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 10_000 } },
};

/** The tests of the pages that `npm test` runs. */
const DOCS = ["test/system/docs/{code-blocks,pages}.test.ts"];

/** They run inside of the page. */
const IN_PAGE = ["test/system/elements-in-page/*.test.ts"];

/** All of their tests install packages: only `npm run matrix` runs them. A file without tests would fail. */
const IN_MATRIX = ["test/system/runtimes/next-app.test.ts", "test/system/docs/other-databases.test.ts"];

/** Small files that take a minute: started last, they would leave all cores but one idle. */
const LONGEST =
  /system\/(crash|truth|engines\/pix|docs\/(elements-pages|rehearse-page|lost-connections))\.test\.ts$/;

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => Number(LONGEST.test(moduleId));
    return (await super.sort(files)).sort((a, b) => isLong(b) - isLong(a));
  }
}

const unit = {
  extends: true as const,
  test: {
    name: "unit",
    include: ["test/**/*.test.ts"],
    exclude: ["test/system/**", ...(isMutationTest ? ["test/sandbox/**"] : [])],
    isolate: false, // the files share a process and its modules: three times as fast
    testTimeout: 40_000, // stops a test that hangs; machines may be busy
    expect: { poll: { timeout: 10_000 } },
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
  },
};

const browser = {
  extends: true as const,
  test: {
    name: "browser",
    include: IN_PAGE,
    globalSetup: "test/system/support/sandbox-for-pages.ts",
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      // Chromium has no sandbox for root, the user of most containers.
      provider: playwright({ launchOptions: { ...(await chromium()), args: ["--no-sandbox"] } }),
      instances: [{ browser: "chromium" as const }],
    },
  },
};

export default defineConfig({
  plugins: [bundledTextForVite],
  resolve: { alias: SOURCE_BY_NAME },
  test: {
    maxWorkers: availableParallelism() + 1, // many tests wait for a server or a browser: leave no core idle
    sequence: { sequencer: LongestFirst },
    coverage: {
      provider: "v8",
      include: ["src/**/*.ts"],
      // Runs in the pages only: a real browser loads it bundled, and its tests look at the pages.
      exclude: ["src/sandbox/pages/{shared,dashboard,checkout}/**"],
      reporter: [["text", { skipFull: true }], "html"],
      reportOnFailure: true,
      thresholds: { lines: 95, branches: 95 },
    },
    projects: isMutationTest
      ? [unit]
      : [
          unit,
          browser,
          { extends: true, test: { name: "docs", include: DOCS, ...built } },
          {
            extends: true,
            test: {
              name: "system",
              include: ["test/system/**/*.test.ts"],
              exclude: [...DOCS, ...IN_PAGE, ...(process.env["MATRIX"] === undefined ? IN_MATRIX : [])],
              ...built,
            },
          },
        ],
  },
});
