import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { withIntegrity } from "../../scripts/integrity-in-page.ts";
import { specificationPage } from "../../scripts/specification-page.ts";
import { assumptions } from "../../src/spec/assumptions.ts";

const root = join(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(join(root, file), "utf8");

test("the page of the specification is the one that `npm run pages` makes", () => {
  expect(read("docs/specification.md")).toBe(specificationPage());
});

test.each(["docs/tokenization.md", "docs/pci.md"])(
  "%s shows the hashes of this build; `npm run pages` puts them there",
  (page) => {
    const hashes = JSON.parse(read("dist/sri.json")) as Record<string, string>;

    expect(read(page)).toBe(withIntegrity(read(page), hashes));
  },
);

test("the page of tokenization shows the hash of the file for <script>", () => {
  const { "browser.global.js": hash } = JSON.parse(read("dist/sri.json")) as Record<string, string>;

  expect(read("docs/tokenization.md")).toContain(`src="/browser.global.js" integrity="${hash}"`);
});

test("no two assumptions have one name", () => {
  const names = assumptions.map(({ id }) => id);

  expect(names).toEqual([...new Set(names)]);
});

test.each([
  "sellers-path",
  "sellers-authentication",
  "sellers-pages",
  "test-environment",
  "cancelled",
  "envelope-status",
  "pix-fields",
  "amount-outside-the-limits",
  "second-card-path",
  "names-of-the-postback-url",
  "names-of-the-reference",
  "unsigned-postbacks",
  "event-names",
  "moves-out-of-approved",
  "status-by-method",
  "cnpj-with-letters",
  "boleto",
  "debit-cards",
  "installments",
  "card-token-life",
  "card-token-uses",
  "lengths",
  "key-rotation",
])("the page names the silence about %s", (id) => {
  expect(read("docs/specification.md")).toContain(`### \`${id}\``);
});

const everyPage = [
  ".",
  "docs",
  "docs/decisions",
  "examples",
  "examples/checkout",
  "examples/postbacks",
].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((file) => file.endsWith(".md"))
    .map((file) => join(folder, file)),
);

test("every npm script that a page names exists", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const named = everyPage.flatMap((page) => [
    ...read(page).matchAll(/npm (?:run ([a-z:]+)|(start|test)\b)/g),
  ]);

  expect(named.length).toBeGreaterThan(20);
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named.map((match) => match[1] ?? match[2])));
});

test("every example that a page names exists", () => {
  const examples = readdirSync(join(root, "examples")).map((file) => file.replace(/\.ts$/, ""));
  const named = everyPage.flatMap((page) => [...read(page).matchAll(/npm run example ([a-z]+)/g)]);

  expect(named.length).toBeGreaterThan(5);
  expect(examples).toEqual(expect.arrayContaining(named.map((match) => match[1])));
});
