import { execFile } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { freePort } from "../support/free-port.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");
// Inside the package, so that it finds itself by its name; not in node_modules, where types are not stripped.
const scratch = join(root, "reports/docs");
const tsconfig = {
  extends: "../../tsconfig.json",
  compilerOptions: { noUnusedLocals: false },
  include: ["*.ts", "../../src/sandbox/pages/bundled.d.ts"],
};
const READMES = ["README.md", "README.pt-BR.md"] as const;

/** A page's blocks are one program: a later one uses what an earlier one made. */
const programs = globSync(["*.md", "docs/**/*.md", "examples/**/*.md"], { cwd: root })
  .map((page) => ({ page, code: codeOf(page) }))
  .filter(({ code }) => code !== "");

function codeOf(page: string): string {
  const blocks = readFileSync(join(root, page), "utf8").matchAll(/^```ts\n(.*?)^```$/gms);
  return Array.from(blocks, ([, code]) => code).join("\n");
}

const fileOf = (page: string) => join(scratch, page.replaceAll("/", "-").replace(/\.md$/, ".ts"));

/** Runs a page's program to its end, in a folder of its own, and returns the lines that it printed. */
async function linesOf(page: string): Promise<string[]> {
  const cwd = mkdtempSync(join(scratch, "run-"));
  const env = { ...process.env, PORT: String(await freePort()) };
  const { stdout, stderr } = await run("node", [fileOf(page)], { cwd, env, timeout: 30_000 });
  expect(stderr).toBe("");
  return stdout.split("\n");
}

/** What the comments beside `console.log` say that it prints. */
function promisedIn(code: string): string[] {
  return Array.from(code.matchAll(/\bconsole\.log\(.*\);? \/\/ (.+)$/gm), ([, printed = ""]) => printed);
}

/** Code without its comments, and without the words of its log lines. */
function bare(code: string): string {
  const lines = code.split("\n").map((line) => line.replace(/ *(?<!:)\/\/.*$/, ""));
  return lines
    .map((line) => (line.includes("console.log") ? line.replaceAll(/"[^"]*"/g, '""') : line))
    .join("\n");
}

beforeAll(() => {
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(scratch, { recursive: true });
  writeFileSync(join(scratch, "tsconfig.json"), JSON.stringify(tsconfig));
  for (const { page, code } of programs) writeFileSync(fileOf(page), code);
});

describe.concurrent("the code of the documentation", () => {
  test("compiles under the strictness of the project", async ({ expect }) => {
    const checked = await run("tsc", ["-p", scratch], { cwd: root }).catch(
      (error: { stdout: string }) => error,
    );

    expect(checked.stdout).toBe("");
  });

  test.for(programs.filter(({ page }) => !page.startsWith("README")))(
    "$page runs to its end, and prints what the comments beside console.log say",
    async ({ page, code }, { expect }) => {
      const promised = promisedIn(code);

      const lines = await linesOf(page);

      expect(lines.filter((line) => promised.includes(line))).toEqual(promised);
    },
  );

  test.for(READMES)("%s prints what its comments say", async (page, { expect }) => {
    const lines = await linesOf(page);

    expect(lines.slice(0, 11)).toEqual([
      expect.stringMatching(/^pending 000201/),
      expect.stringMatching(/: http:\/\/127\.0\.0\.1:\d+$/),
      "connection_failed unknown",
      expect.stringContaining("do not send it again"),
      "true true",
      expect.stringMatching(/^(Declined|Recusado): Insufficient limit$/),
      expect.stringMatching(/^order-4 (is|está) approved$/),
      "false true",
      "1",
      expect.stringMatching(/^The request is not valid: costumer is not a known field/),
      expect.stringMatching(/^payments-sdk request company.retrieve: attempt 1 \{$/),
    ]);
  });
});

test("both READMEs hold the same code, but for comments and the words that they print", () => {
  const [english, portuguese] = READMES;

  expect(bare(codeOf(portuguese))).toBe(bare(codeOf(english)));
});
