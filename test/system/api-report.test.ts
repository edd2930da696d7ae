import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeApiReports } from "../../scripts/api-report.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const committed = join(import.meta.dirname, "../../api");
const reportsIn = (folder: string) =>
  Object.fromEntries(readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), "utf8")]));

test("a change to the public types of an entry is a change to its report, which `npm run api` writes", () => {
  const made = temporaryFolder();

  writeApiReports(made);

  expect(Object.keys(reportsIn(made))).toHaveLength(8);
  expect(reportsIn(committed)).toEqual(reportsIn(made));
}, 120_000);
