import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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

/** A page's blocks are one program: a later one uses what an earlier one made. */
const programs = pages()
  .map((page) => ({ page, code: blocksOf(readFileSync(join(root, page), "utf8")) }))
  .filter(({ code }) => code !== "");

function pages(): string[] {
  const inFolder = (folder: string) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((file) => join(folder, file));
  const all = [...readdirSync(root), ...inFolder("docs"), ...inFolder("examples")];
  return all.filter((file) => file.endsWith(".md")).sort();
}

function blocksOf(markdown: string): string {
  return [...markdown.matchAll(/^```ts\n(.*?)^```$/gms)].map((block) => block[1]).join("\n");
}

const fileOf = (page: string) => join(scratch, page.replaceAll("/", "-").replace(/\.md$/, ".ts"));

/** Runs a page's program to its end, in a folder of its own, so that no page finds the files of another. */
async function runPage(page: string) {
  const cwd = mkdtempSync(join(scratch, "run-"));
  const env = { ...process.env, PORT: String(await freePort()) };
  return run("node", [fileOf(page)], { cwd, env, timeout: 20_000 });
}

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

  test.each(programs.filter(({ page }) => !page.startsWith("README")))(
    "$page runs to its end, and prints what the comments beside console.log say, in their order",
    async ({ page, code }) => {
      const promised = promisedIn(code);

      const { stdout, stderr } = await runPage(page);

      expect(stderr).toBe("");
      expect(stdout.split("\n").filter((line) => promised.includes(line))).toEqual(promised);
    },
  );

  test("enough of the pages promise something", () => {
    const promises = programs.map(({ code }) => promisedIn(code).length);

    expect(promises.filter((count) => count >= 3).length).toBeGreaterThanOrEqual(5);
  });

  test.each(["README.md", "README.pt-BR.md"])("%s shows what its comments promise", async (page) => {
    const { stdout, stderr } = await runPage(page);

    expect(stderr).toBe("");
    const lines = stdout.split("\n");
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
      expect.stringMatching(
        /^The request is not valid: costumer is not a known field \(did you mean customer\?\); amount/,
      ),
      expect.stringMatching(/^payments-sdk request company.retrieve: attempt 1 \{$/),
    ]);
  });

  test("both READMEs hold the same code, but for comments and what is said to people", () => {
    const [english, portuguese] = ["README.md", "README.pt-BR.md"].map((page) =>
      readFileSync(join(root, page), "utf8"),
    );

    expect(bare(blocksOf(portuguese ?? ""))).toBe(bare(blocksOf(english ?? "")));
  });
});

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
