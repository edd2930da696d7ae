import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { root, script } from "./support/tool.ts";

describe("npm test", () => {
  test("ends with its closing line and a failure where vitest cannot start at all", async () => {
    const { code, stdout } = await script("test", "--config", "nowhere.ts");

    expect(code).toBe(1);
    expect(stdout).toMatch(/\n0 passed, 1 failed\n$/);
  });

  test("counts a run that found no test as a failure", async () => {
    const { code, stdout } = await script("test", "--project", "node", "--coverage.enabled=false", "nowhere");

    expect(code).toBe(1);
    expect(stdout).toMatch(/\n0 passed, 1 failed\n$/);
  });
});

describe("npm run example", () => {
  test.each([
    ["an unknown name", ["no-such-example"], 'There is no example "no-such-example".'],
    ["no name", [], "Which example?"],
    ["a path", ["../scripts/example"], 'There is no example "../scripts/example".'],
  ])("lists the examples when it is given %s", async (_what, args, problem) => {
    const { code, stderr } = await script("example", ...args);

    expect(code).toBe(1);
    expect(stderr).toContain(problem);
    const names = readdirSync(join(root, "examples")).filter((file) => file.endsWith(".ts"));
    for (const name of names) expect(stderr).toContain(`\n  ${name.replace(".ts", "")}\n`);
  });
});
