import { fileURLToPath } from "node:url";

const source = (file: string) => fileURLToPath(new URL(`./src/${file}`, import.meta.url));

/** Tests of what is built and shipped, and of the tools: they start processes and share one build. */
export const PROJECT_TESTS = [
  "test/project/**/*.test.ts",
  "test/examples/**/*.test.ts",
  "test/docs/**/*.test.ts",
];

export const BROWSER_TESTS = ["test/browser/**/*.test.ts"];

/** All others run on Node alone, against the source. */
export const NODE_TESTS = {
  include: ["test/**/*.test.ts"],
  exclude: [...PROJECT_TESTS, ...BROWSER_TESTS],
  isolate: false, // the files share a process and its modules: three times as fast
  testTimeout: 40_000, // a guard against what never ends, not a claim of speed: machines may be busy
  expect: { poll: { timeout: 10_000 } },
  restoreMocks: true,
  unstubEnvs: true,
  unstubGlobals: true,
};

/** Tests import the package by its name, and get its source. */
export const SOURCE_BY_NAME = [
  { find: /^payments-sdk$/, replacement: source("index.ts") },
  { find: /^payments-sdk\/browser$/, replacement: source("browser.ts") },
  { find: /^payments-sdk\/postbacks$/, replacement: source("postbacks.ts") },
  { find: /^payments-sdk\/idempotency$/, replacement: source("idempotency.ts") },
  { find: /^payments-sdk\/node$/, replacement: source("node.ts") },
  { find: /^payments-sdk\/sandbox$/, replacement: source("sandbox.ts") },
  { find: /^payments-sdk\/sandbox\/server$/, replacement: source("sandbox-server.ts") },
  { find: /^payments-sdk\/msw$/, replacement: source("msw.ts") },
];
