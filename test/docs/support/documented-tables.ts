import { pageOf } from "./documented-site.ts";

/** The rows of the table under a heading of a page, as cells without their marks. */
export function tableOf(page: string, heading: string): string[][] {
  const section = pageOf(page).split(`## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
  const rows = section.split("\n").filter((line) => line.startsWith("|") && !line.startsWith("|---"));
  return rows.slice(1).map((row) =>
    row
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll(/`|\*\*/g, "")),
  );
}
