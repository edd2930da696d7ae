import { playwright } from "@vitest/browser-playwright";
import { defineConfig } from "vitest/config";
import { bundledTextForVite } from "./scripts/bundled-text.ts";
import { chromium } from "./test/support/chromium.ts";
import { BROWSER_TESTS, NODE_TESTS, PROJECT_TESTS, SOURCE_BY_NAME } from "./vitest.shared.ts";

const browser = await chromium();

export default defineConfig({
  plugins: [bundledTextForVite],
  resolve: { alias: SOURCE_BY_NAME },
  test: {
    maxWorkers: "100%", // many tests wait, for a server or a browser: leave no core idle
    reporters: ["default", "./vitest.reporter.ts"],
    coverage: {
      provider: "v8",
      include: ["src/**/*.ts"],
      // What runs in the pages only: a real browser loads it bundled, and its tests look at the pages.
      exclude: ["src/sandbox/pages/{shared,dashboard,checkout}/**"],
      reporter: [["text", { skipFull: true }], "html"],
      reportOnFailure: true,
      thresholds: { lines: 95, branches: 95 },
    },
    projects: [
      {
        extends: true,
        test: {
          name: "node",
          environment: "node",
          ...NODE_TESTS,
        },
      },
      {
        extends: true,
        test: {
          name: "project",
          environment: "node",
          include: PROJECT_TESTS,
          globalSetup: "test/project/support/build.ts",
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: "browser",
          include: BROWSER_TESTS,
          globalSetup: "test/browser/support/servers.ts",
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            // A root user, as in a container, has no other way to start it.
            provider: playwright({ launchOptions: { ...browser, args: ["--no-sandbox"] } }),
            instances: [{ browser: "chromium" }],
          },
        },
      },
      {
        extends: true,
        test: {
          name: "types",
          include: [],
          typecheck: {
            enabled: true,
            only: true,
            tsconfig: "tsconfig.types.json",
            include: ["test/types/**/*.test-d.ts"],
          },
        },
      },
    ],
  },
});
