// Writes the reference of the API as HTML into reports/api: npm run docs
import { join } from "node:path";
import { writeApiReference } from "./api-reference.ts";

const out = join(import.meta.dirname, "../reports/api");
const complaints = await writeApiReference(out);

for (const complaint of complaints) console.error(complaint);
console.log(`${join(out, "index.html")}, ${complaints.length} complaints`);
if (complaints.length > 0) process.exitCode = 1;
