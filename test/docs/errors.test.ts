import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as sdk from "payments-sdk";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(join(root, file), "utf8");

/** The code of every exported error class, by class name. */
function exportedErrors(): Record<string, string | undefined> {
  const codes = new Map<string | undefined, string | undefined>();
  for (const file of readdirSync(join(root, "src/errors"))) {
    const [, name, code] =
      /class (\w+) extends .*?readonly code.*? = "(\w+)"/s.exec(read(`src/errors/${file}`)) ?? [];
    codes.set(name, code);
  }
  const isError = (value: unknown) =>
    typeof value === "function" && value.prototype instanceof sdk.PaymentsError;
  const names = Object.entries(sdk).flatMap(([name, value]) => (isError(value) ? [name] : []));
  return Object.fromEntries(names.map((name) => [name, codes.get(name)]));
}

test("docs/errors.md lists each exported error class, with its code and a section", () => {
  const page = read("docs/errors.md");
  const rows = [...page.matchAll(/^\| \[`(\w+)`\]\(#(\w+)\) \| `(\w+)` \|/gm)];
  const sections = Array.from(page.matchAll(/^### (\w+)$/gm), ([, code]) => code);

  expect(Object.fromEntries(rows.map(([, code, , name]) => [name, code]))).toEqual(exportedErrors());
  expect(rows.map(([, , anchor]) => anchor)).toEqual(sections);
});

test("docs/pt/erros.md lists each error code", () => {
  const rows = Array.from(
    read("docs/pt/erros.md").matchAll(/^\| \[`(\w+)`\]\(\.\.\/errors\.md#\1\) \|/gm),
    ([, code]) => code,
  );

  expect(rows.sort()).toEqual(Object.values(exportedErrors()).sort());
});
