import { expect, inject, test } from "vitest";
import { QUIET, script, tool } from "../support/tool.ts";

test("the package can be built, and quietly", () => {
  expect(inject("build")).toEqual(QUIET);
});

test("source, tests, examples and scripts are well typed", async () => {
  expect(await script("typecheck")).toEqual(QUIET);
});

test("everything is formatted and free of lint", async () => {
  const { code, stdout, stderr } = await script("lint");

  expect(code, stdout + stderr).toBe(0);
  expect(stdout).toMatch(/^Checked \d{3,} files/m);
});

test("no file, export or dependency is unused", async () => {
  const { code, stdout, stderr } = await script("unused");

  expect(code, stdout + stderr).toBe(0);
});

test("no entry costs a page more bytes than its limit", async () => {
  const { code, stdout, stderr } = await tool("size-limit", ["--json"]);

  expect(code, stdout + stderr).toBe(0);
  const sizes = JSON.parse(stdout) as { name: string; passed: boolean; sizeLimit: number }[];
  expect(sizes.map(({ name, passed, sizeLimit }) => [name, passed, sizeLimit])).toEqual([
    ["payments-sdk", true, 39_300],
    ["payments-sdk/browser", true, 13_000],
    ["payments-sdk/browser: CardTokenizer alone", true, 11_700],
    ["payments-sdk/browser.global.js", true, 13_000],
    ["payments-sdk/postbacks", true, 16_200],
    ["payments-sdk/idempotency", true, 15_000],
    ["payments-sdk/node", true, 7_100],
    ["payments-sdk/sandbox", true, 16_000],
    ["payments-sdk/sandbox/server", true, 36_000],
    ["payments-sdk/msw", true, 16_000],
  ]);
});
