import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { root } from "../../support/tool.ts";

/** The program of a merchant's process, ready to start. */
export interface Program {
  readonly command: readonly string[];
  remove(): void;
}

/**
 * Puts the built package and what uses it into one file, as a deployment may do: a thousand processes start from it, each
 * in half the time. It lies in the project, where the drivers are found.
 */
export async function compileMerchant(): Promise<Program> {
  mkdirSync(join(root, "reports"), { recursive: true });
  const folder = mkdtempSync(join(root, "reports/crash-"));
  const outfile = join(folder, "merchant.mjs");
  await build({
    entryPoints: [join(import.meta.dirname, "merchant-process.ts")],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    external: ["pg", "ioredis"],
    tsconfigRaw: {}, // else the package's name would lead to its source
    logLevel: "error",
  });
  return {
    command: ["env", `NODE_COMPILE_CACHE=${join(folder, "compiled")}`, process.execPath, outfile],
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
