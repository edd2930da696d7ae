import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "../../support/running.ts";

/** The TypeScript of a page, or of one of its sections. */
export function codeOf(page: string, section?: string): string {
  const text = readFileSync(join(root, "docs", `${page}.md`), "utf8");
  const part = section === undefined ? text : (text.split(`\n## ${section}\n`)[1]?.split("\n## ")[0] ?? "");
  return Array.from(part.matchAll(/^```(?:ts|typescript)\n(.*?)^```$/gms), ([, code]) => code).join("\n");
}

/** Imports code from a folder, in whose `node_modules` its packages are looked up. */
export async function importCode<Exports>(code: string, folder: string, name: string): Promise<Exports> {
  const file = join(folder, `${name}.ts`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, code);
  return import(file);
}

/** Writes the files that sections of a page show, whose code begins with their names. */
export function writeFilesOf(page: string, sections: readonly string[], folder: string): void {
  const parts = readFileSync(join(root, "docs", `${page}.md`), "utf8").split("\n## ");
  for (const part of parts.filter((text) => sections.some((title) => text.startsWith(title)))) {
    const files = part.matchAll(/^```(?:ts|typescript|jsonc)\n\/\/ (\S+)\n(.*?)^```$/gms);
    for (const [, name = "", code = ""] of files) {
      mkdirSync(join(folder, dirname(name)), { recursive: true });
      writeFileSync(join(folder, name), code);
    }
  }
}

/** The file `src/worker.ts` of docs/workers.md, with one of its databases. */
export function codeOfWorker(database: "D1" | "PostgreSQL"): string {
  const code = codeOf("workers", "D1");
  return database === "D1" ? code : codeOf("workers", database) + code.slice(code.indexOf("const app ="));
}
