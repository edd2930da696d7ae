// Writes the generated parts of the docs: npm run generate
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withAssumptionNotes } from "./assumption-notes.ts";

const root = join(import.meta.dirname, "..");
const hashes = JSON.parse(readFileSync(join(root, "dist/sri.json"), "utf8")) as Record<string, string>;

const openApi = join(root, "docs/openapi.json");
const document = withAssumptionNotes(JSON.parse(readFileSync(openApi, "utf8")));
writeFileSync(openApi, `${JSON.stringify(document, null, 2)}\n`);
for (const page of globSync(join(root, "docs/*.md"))) {
  const text = readFileSync(page, "utf8");
  const updated = text.replaceAll(
    /\/([\w.-]+)" integrity="[^"]*"/g,
    (_tag, file) => `/${file}" integrity="${hashes[file]}"`,
  );
  if (updated !== text) writeFileSync(page, updated);
}
