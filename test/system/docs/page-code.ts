import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../support/running.ts";

/** The TypeScript of a section of a page. */
export function codeOf(page: string, section: string): string {
  const text = readFileSync(join(root, "docs", `${page}.md`), "utf8");
  const part = text.split(`\n## ${section}\n`)[1]?.split("\n## ")[0] ?? "";
  return Array.from(part.matchAll(/^```(?:ts|typescript)\n(.*?)^```$/gms), ([, code]) => code).join("\n");
}

/** Imports code from a folder, in whose `node_modules` its packages are looked up. */
export async function importCode<Exports>(code: string, folder: string, name: string): Promise<Exports> {
  const file = join(folder, `${name}.ts`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, code);
  return import(file);
}
