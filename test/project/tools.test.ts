import { expect, inject, test } from "vitest";
import { QUIET, script, tool } from "./support/tool.ts";

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
  expect(JSON.parse(stdout)).toEqual([
    expect.objectContaining({ name: "payments-sdk", passed: true }),
    expect.objectContaining({ name: "payments-sdk/postbacks", passed: true }),
  ]);
});
