// Writes the pages of the documentation that are made from the code: npm run pages
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { specificationPage } from "./specification-page.ts";

writeFileSync(join(import.meta.dirname, "../docs/specification.md"), specificationPage());
