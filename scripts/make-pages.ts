// Writes what is made from the code and from the build into the documentation: npm run pages
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withIntegrity } from "./integrity-in-page.ts";
import { specificationPage } from "./specification-page.ts";

const root = join(import.meta.dirname, "..");
const read = (file: string) => readFileSync(join(root, file), "utf8");
const hashes = JSON.parse(read("dist/sri.json")) as Record<string, string>;

writeFileSync(join(root, "docs/specification.md"), specificationPage());
for (const page of ["docs/tokenization.md", "docs/pci.md"]) {
  writeFileSync(join(root, page), withIntegrity(read(page), hashes));
}
