import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createOpenApiDocument } from "../../../scripts/openapi/document.ts";
import { POSTGRES_TABLES } from "../../../src/idempotency/stores/postgres-sql.ts";
import { root } from "../../support/running.ts";

const read = (file: string) => readFileSync(join(root, file), "utf8");

test("docs/openapi.json is the output of `npm run generate` for scripts/openapi", () => {
  expect(read("docs/openapi.json")).toBe(`${JSON.stringify(createOpenApiDocument(), null, 2)}\n`);
});

test("pages have the hashes of this build, which `npm run generate` writes", () => {
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
