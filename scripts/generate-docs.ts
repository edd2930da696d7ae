// Writes the hashes of this build into the docs: npm run generate
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const hashes = JSON.parse(readFileSync(join(root, "dist/sri.json"), "utf8")) as Record<string, string>;

for (const page of globSync(join(root, "docs/*.md"))) {
  const text = readFileSync(page, "utf8");
  const updated = text.replaceAll(
    /\/([\w.-]+)" integrity="[^"]*"/g,
    (_tag, file) => `/${file}" integrity="${hashes[file]}"`,
  );
  if (updated !== text) writeFileSync(page, updated);
}
