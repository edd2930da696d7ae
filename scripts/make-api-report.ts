// Writes what a change to the public types has to change, too: npm run api
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { apiReports } from "./api-report.ts";

const folder = join(import.meta.dirname, "../api");
const reports = apiReports();

mkdirSync(folder, { recursive: true });
for (const file of readdirSync(folder)) if (!reports.has(file)) rmSync(join(folder, file));
for (const [file, text] of reports) writeFileSync(join(folder, file), text);
