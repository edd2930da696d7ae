import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { D1_SCHEMA } from "../../../src/idempotency/stores/d1-store.ts";
import { MYSQL_TABLES } from "../../../src/idempotency/stores/mysql-sql.ts";
import { POSTGRES_TABLES } from "../../../src/idempotency/stores/postgres-sql.ts";
import { root } from "../../support/running.ts";

const read = (file: string) => readFileSync(join(root, file), "utf8");

test("pages have the hashes of this build, which `npm run generate` writes", () => {
  const text = globSync("docs/*.md", { cwd: root }).map(read).join("\n");
  const shown = Array.from(text.matchAll(/\/([\w.]+)" integrity="([^"]*)"/g), ([, file, hash]) => [
    file,
    hash,
  ]);

  expect(shown.length).toBeGreaterThan(0);
  expect(JSON.parse(read("dist/sri.json"))).toMatchObject(Object.fromEntries(shown));
});

/** Samples, examples and the code blocks of pages. */
const copied = [
  ...globSync(["docs/samples/**/*.*", "examples/**/*.{ts,tsx}"], { cwd: root }).map((file) => [
    file,
    read(file),
  ]),
  ...globSync(["*.md", "docs/**/*.md", "examples/**/*.md"], { cwd: root }).flatMap((page) =>
    Array.from(read(page).matchAll(/^```(?!sh|http)\w+\n(.*?)^```$/gms), ([, code]) => [page, code]),
  ),
] as [file: string, code: string][];

test.each([
  ["sends a form in the URL, if its script is missing", /<form(?!\s+(?:method="post"|action=\{)).*/g],
  ["listens for other machines", /\.listen\((?!\{ onUnhandled)(?![^()\n]*(?:"127\.0\.0\.1"|\bHOST\b)).*/g],
  // The body of a response can contain the customer's data: log `error.toJSON()`, or the message.
  [
    "logs a whole error",
    /console\.\w+\((?:[^()\n]*, )?(?:e|err|error|cause)\).*|(?:\.catch\(|"error", )console\..*/g,
  ],
])("nothing that readers copy %s", (_what, pattern) => {
  const found = copied.flatMap(([file, code]) =>
    (code.match(pattern) ?? []).map((line) => `${file}: ${line}`),
  );

  expect(copied.length).toBeGreaterThan(100);
  expect(found).toEqual([]);
});

test.each([
  ["postgres.sql", POSTGRES_TABLES],
  ["mysql.sql", MYSQL_TABLES],
  ["d1.sql", D1_SCHEMA],
])("docs/samples/%s creates the same tables as migrate()", (file, schema) => {
  expect(read(`docs/samples/${file}`)).toBe(`${schema}\n`);
});
