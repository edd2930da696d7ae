import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../../support/running.ts";

/** A folder with docs/samples/loja.mjs, and the packages that its reader installs. */
export function createLojaFolder(change = (code: string) => code): string {
  const folder = mkdtempSync(join(tmpdir(), "loja-"));
  const code = readFileSync(join(root, "docs/samples/loja.mjs"), "utf8");
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(root, join(folder, "node_modules/payments-sdk"));
  symlinkSync(join(root, "node_modules/express"), join(folder, "node_modules/express"));
  writeFileSync(join(folder, "loja.mjs"), change(code));
  return folder;
}
