// Updates the generated parts of the pages: npm run pages
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createOpenApiDocument } from "../src/openapi/document.ts";
import { specificationPage } from "./specification-page.ts";

const root = join(import.meta.dirname, "..");
const { "browser.global.js": hash } = JSON.parse(readFileSync(join(root, "dist/sri.json"), "utf8"));
const tokenization = join(root, "docs/tokenization.md");

writeFileSync(join(root, "docs/specification.md"), specificationPage());
writeFileSync(join(root, "docs/openapi.json"), `${JSON.stringify(createOpenApiDocument(), null, 2)}\n`);
writeFileSync(tokenization, readFileSync(tokenization, "utf8").replaceAll(/sha384-[\w+/=]+/g, hash));
