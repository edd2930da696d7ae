import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");
// Inside the package, so that it finds itself by its name; not in node_modules, where types are not stripped.
const scratch = join(root, "reports/docs");
const tsconfig = {
  extends: "../../tsconfig.json",
  compilerOptions: { noUnusedLocals: false },
  include: ["*.ts", "../../src/sandbox/pages/bundled.d.ts"],
};

/** A page's blocks are one program: a later one uses what an earlier one made. */
const programs = pages()
  .map((page) => ({ page: basename(page), code: blocksOf(readFileSync(page, "utf8")) }))
  .filter(({ code }) => code !== "");

function pages(): string[] {
  const docs = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" });
  return [
    join(root, "README.md"),
    ...docs.filter((file) => file.endsWith(".md")).map((file) => join(root, "docs", file)),
  ];
}

function blocksOf(markdown: string): string {
  return [...markdown.matchAll(/^```ts\n(.*?)^```$/gms)].map((block) => block[1]).join("\n");
}

const fileOf = (page: string) => join(scratch, page.replace(/\.md$/, ".ts"));

beforeAll(() => {
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(scratch, { recursive: true });
  writeFileSync(join(scratch, "tsconfig.json"), JSON.stringify(tsconfig));
  for (const { page, code } of programs) writeFileSync(fileOf(page), code);
});

describe("code in the documentation", () => {
  test("compiles under the strictness of the project", async () => {
    const checked = await run("tsc", ["-p", scratch], { cwd: root }).catch(
      (error: { stdout: string }) => error,
    );

    expect(checked.stdout).toBe("");
  });

  test.each(programs)("$page runs to its end", async ({ page }) => {
    const { stderr } = await run("node", [fileOf(page)], { cwd: scratch, timeout: 20_000 });

    expect(stderr).toBe("");
  });

  test("the README shows what its comments promise", async () => {
    const { stdout } = await run("node", [fileOf("README.md")], { cwd: scratch, timeout: 20_000 });

    expect(stdout.split("\n")).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^000201/),
        "true true",
        "Declined: Insufficient limit",
        "visa 4111 1111 1111 1111",
        expect.stringContaining("did you mean customer?"),
        "Order order-5 is approved",
        "unknown",
        "[ 'approved' ]",
        "1",
      ]),
    );
  });
});
