import { execFile } from "node:child_process";
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { freePort, root } from "../../support/running.ts";

const run = promisify(execFile);
// Inside the package, so that code can import it by its name; not in node_modules, where Node strips no types.
const scratch = join(root, "reports/docs");
const strictSandbox = join(root, "test/support/strict-sandbox.ts");
const tsconfig = {
  extends: "../../tsconfig.json",
  compilerOptions: { noUnusedLocals: false },
  include: ["*/*.ts", "../../src/sandbox/pages/bundled.d.ts"],
};
const READMES = ["README.md", "README.pt-BR.md"] as const;

/** A page's blocks are one program: later blocks use variables of earlier ones, and import nothing from their files. */
const programs = globSync(["*.md", "docs/**/*.md", "examples/**/*.md", "skills/**/*.md"], { cwd: root })
  .map((page) => ({ page, code: codeOf(page) }))
  .filter(({ code }) => code !== "");

function codeOf(page: string): string {
  const blocks = readFileSync(join(root, page), "utf8").matchAll(/^```ts\n(.*?)^```$/gms);
  const program = Array.from(blocks, ([, code]) => code).join("\n");
  return program.replaceAll(/^import .* from "\.\/.*";\n/gm, "");
}

const folderOf = (page: string) => join(scratch, page.replaceAll("/", "-").replace(/\.md$/, ""));
const fileOf = (page: string) => join(folderOf(page), "program.ts");

/** The first order of a new store. */
const NEW_STORE = /^payments-sdk: the idempotency store had no orders when it was opened .*\n/;

/**
 * Runs a page's program in its own folder, and returns the lines that it prints. Its sandboxes require all fields of a
 * pix, so that what a merchant copies is valid by both descriptions in the specification.
 */
async function linesOf(page: string): Promise<string[]> {
  const cwd = folderOf(page);
  const env = { ...process.env, PORT: String(await freePort()) };
  const { stdout, stderr } = await run("node", ["--import", strictSandbox, fileOf(page)], {
    cwd,
    env,
    timeout: 50_000,
  });
  expect(stderr.replace(NEW_STORE, "")).toBe("");
  return stdout.split("\n");
}

/** The output that the comments next to `console.log` document. */
function documentedOutputOf(code: string): string[] {
  return Array.from(code.matchAll(/\bconsole\.log\(.*\);? \/\/ (.+)$/gm), ([, printed = ""]) => printed);
}

/** Code without comments and without the strings in its log lines. */
function withoutTexts(code: string): string {
  const lines = code.split("\n").map((line) => line.replace(/ *(?<!:)\/\/.*$/, ""));
  return lines
    .map((line) => (line.includes("console.log") ? line.replaceAll(/"[^"]*"/g, '""') : line))
    .join("\n");
}

beforeAll(() => {
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(scratch, { recursive: true });
  writeFileSync(join(scratch, "tsconfig.json"), JSON.stringify(tsconfig));
  for (const { page, code } of programs) {
    mkdirSync(folderOf(page));
    writeFileSync(fileOf(page), code);
  }
});

describe.concurrent("the code of the documentation", () => {
  test("compiles with the strict settings of the project", async ({ expect }) => {
    const compiled = await run("tsc", ["-p", scratch], { cwd: root }).catch(
      (error: { stdout: string }) => error,
    );

    expect(compiled.stdout).toBe("");
  });

  test.for(programs)(
    "$page runs and prints the output that its comments document",
    async ({ page, code }, { expect }) => {
      const documented = documentedOutputOf(code);

      const lines = await linesOf(page);

      expect(lines.filter((line) => documented.includes(line))).toEqual(documented);
    },
  );
});

test("both READMEs have the same code, except comments and printed texts", () => {
  const [english, portuguese] = READMES;

  expect(withoutTexts(codeOf(portuguese))).toBe(withoutTexts(codeOf(english)));
});
