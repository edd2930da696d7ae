import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "../support/tool.ts";

const folder = join(root, "docs/decisions");
const read = (file: string) => readFileSync(join(folder, file), "utf8");
const records = readdirSync(folder).filter((file) => file !== "README.md");

describe.each(records)("%s", (file) => {
  test("says what, why, and when it may be touched, in a screen at most", () => {
    const text = read(file);

    expect(text).toMatch(/^# \S.+\n\n\*\*What\.\*\* /);
    expect(text).toContain("\n**Why.** ");
    expect(text).toMatch(/\n\*\*(Do not\*\*|When to look again\.\*\*) /);
    expect(text.split("\n").length).toBeLessThanOrEqual(30);
  });

  test("names what guards it, and that is there", () => {
    const guards = /\n\*\*Guarded by\*\* (.+)$/s.exec(read(file))?.[1] ?? "";

    const paths = Array.from(guards.matchAll(/`([^`]+\.\w+)`/g), ([, path]) => path ?? "");
    expect(paths.length).toBeGreaterThan(0);
    for (const path of paths) expect(existsSync(join(root, path)), path).toBe(true);
  });
});

test("the index has each record, under its own title", () => {
  const listed = Array.from(read("README.md").matchAll(/^- \[(.+)\]\((.+)\)$/gm), ([, title, file]) => [
    file,
    title,
  ]);

  const titles = records.map((file) => [file, /^# (.+)/.exec(read(file))?.[1]]);
  expect(listed.sort()).toEqual(titles.sort());
});

describe("the decisions that a tool can see hold:", () => {
  const tests = globSync("test/**/*.ts", { cwd: root });
  const importsOf = (file: string) =>
    Array.from(readFileSync(join(root, file), "utf8").matchAll(/ from "([^"]+)"/g), ([, from]) => from ?? "");

  test("tests take no path, limit or value of the specification from src", () => {
    const takers = tests.filter((file) =>
      importsOf(file).some((from) => /\/src\/spec\/(endpoints|limits|values)\.ts$/.test(from)),
    );

    // These compare what src says with what they have typed in.
    const comparing = ["endpoints", "limits", "values"].map((name) => `test/spec/${name}.test.ts`);
    expect(takers.sort()).toEqual(comparing);
  });

  test("the package has no CommonJS of its own, and keeps the condition that require() takes", () => {
    const { type, main, exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
      type: string;
      main?: string;
      exports: Record<string, string | Record<string, unknown>>;
    };
    const entries = Object.values(exports).filter((entry) => typeof entry === "object");

    expect([type, main]).toEqual(["module", undefined]);
    expect(entries.length).toBeGreaterThan(0);
    for (const entry of entries) {
      expect(entry).toHaveProperty("default");
      expect(entry).not.toHaveProperty("import");
      expect(entry).not.toHaveProperty("require");
    }
  });
});
