import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { specificationPage } from "../../scripts/specification-page.ts";
import { POSTGRES_TABLES } from "../../src/idempotency/stores/postgres-sql.ts";
import { createOpenApiDocument } from "../../src/openapi/document.ts";

const root = join(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(join(root, file), "utf8");

test("docs/specification.md is the output of `npm run pages` for src/spec", () => {
  expect(read("docs/specification.md")).toBe(specificationPage());
});

test("docs/openapi.json is the output of `npm run pages` for src/openapi", () => {
  expect(read("docs/openapi.json")).toBe(`${JSON.stringify(createOpenApiDocument(), null, 2)}\n`);
});

test("pages have the hashes of this build, which `npm run pages` writes", () => {
  const text = globSync("docs/*.md", { cwd: root }).map(read).join("\n");
  const shown = Array.from(text.matchAll(/\/([\w.]+)" integrity="([^"]*)"/g), ([, file, hash]) => [
    file,
    hash,
  ]);

  expect(shown.length).toBeGreaterThan(0);
  expect(JSON.parse(read("dist/sri.json"))).toMatchObject(Object.fromEntries(shown));
});

test("the SQL of docs/stores.md creates the same tables as migrate()", () => {
  const [, tables] = /^```sql\n(CREATE.*?)\n```$/ms.exec(read("docs/stores.md")) ?? [];

  expect(tables).toBe(POSTGRES_TABLES);
});

test("every npm script and every example that a page mentions exists", () => {
  const pages = globSync(["*.md", "docs/**/*.md", "examples/**/*.md"], { cwd: root });
  const text = pages.map(read).join("\n");
  const scripts = Object.keys(JSON.parse(read("package.json")).scripts);
  const examples = globSync("*.ts", { cwd: join(root, "examples") }).map((file) => file.slice(0, -3));
  const named = (pattern: RegExp) => Array.from(text.matchAll(pattern), ([, name]) => name);

  expect(scripts).toEqual(expect.arrayContaining(named(/npm run ([a-z:]+)/g)));
  expect(examples).toEqual(expect.arrayContaining(named(/npm run example ([a-z]+)/g)));
});
