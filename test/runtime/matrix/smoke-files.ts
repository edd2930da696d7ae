import { join } from "node:path";
import { build } from "esbuild";

const smoke = join(import.meta.dirname, "../smoke");

/** The compiler of this repository would lead the package's name to its source. */
const ELSEWHERE = { tsconfigRaw: {}, bundle: true, target: "es2022", logLevel: "silent" } as const;

/** Compiles a file of the smoke test for a folder in which the package is installed; imports by name stay. */
export async function compileSmoke(name: string, file: string, format: "esm" | "cjs"): Promise<void> {
  await build({
    ...ELSEWHERE,
    entryPoints: [join(smoke, name)],
    outfile: file,
    format,
    platform: "node",
    packages: "external",
    // In CommonJS it is `require` that is tried.
    supported: { "dynamic-import": format === "esm" },
  });
}

/** Bundles a file of the smoke test with the package as it is installed in a folder. */
export async function bundleSmoke(
  name: string,
  folder: string,
  options: { readonly format: "esm" | "iife"; readonly conditions: readonly string[] },
): Promise<string> {
  const compiled = join(folder, name.replace(/\.ts$/, ".compiled.mjs"));
  await compileSmoke(name, compiled, "esm");
  const { outputFiles } = await build({
    ...ELSEWHERE,
    entryPoints: [compiled],
    format: options.format,
    platform: "neutral",
    mainFields: ["module", "main"],
    conditions: [...options.conditions],
    write: false,
  });
  const [bundle] = outputFiles;
  if (bundle === undefined) throw new Error(`${name} was not bundled`);
  return bundle.text;
}
