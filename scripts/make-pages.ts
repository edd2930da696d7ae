// Writes what is made from the code and from the build into the documentation: npm run pages
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { errorsPage, withErrorCodes } from "./errors-page.ts";
import { withIntegrity } from "./integrity-in-page.ts";
import { specificationPage } from "./specification-page.ts";

const root = join(import.meta.dirname, "..");
const read = (file: string) => readFileSync(join(root, file), "utf8");
const write = (file: string, text: string) => writeFileSync(join(root, file), text);
const hashes = JSON.parse(read("dist/sri.json")) as Record<string, string>;

write("docs/specification.md", specificationPage());
write("docs/errors.md", await errorsPage());
write("README.pt-BR.md", withErrorCodes(read("README.pt-BR.md")));
for (const page of ["docs/tokenization.md", "docs/pci.md"]) write(page, withIntegrity(read(page), hashes));
