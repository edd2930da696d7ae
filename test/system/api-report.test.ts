import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeApiReports } from "../../scripts/api-report.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const committed = join(import.meta.dirname, "../../api");
const reportsIn = (folder: string) =>
  Object.fromEntries(readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), "utf8")]));

test("the committed API reports are the output of `npm run api`", () => {
  const generated = temporaryFolder();

  writeApiReports(generated);

  expect(Object.keys(reportsIn(generated))).toHaveLength(14);
  expect(reportsIn(committed)).toEqual(reportsIn(generated));
}, 120_000);
