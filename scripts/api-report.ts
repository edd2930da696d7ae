// Writes the public types of every entry as text, so that a change to them shows in the diff: npm run api
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CompilerState, Extractor, ExtractorConfig } from "@microsoft/api-extractor";

const root = join(import.meta.dirname, "..");
const manifest = join(root, "package.json");
const { exports }: { exports: Record<string, { types?: string }> } = JSON.parse(
  readFileSync(manifest, "utf8"),
);
const files = Object.values(exports).flatMap(({ types }) => (types ? [join(root, types)] : []));
const compilerOptions = {
  module: "nodenext",
  target: "es2023",
  lib: ["es2023", "dom"],
  types: ["node"],
  skipLibCheck: true, // `npm run build` checks our declarations; those of react, vue and svelte take 30 seconds
};

/** Writes a report of every entry into a folder. Its types are taken from `dist`. */
export function writeApiReports(reportFolder: string): void {
  let compilerState: CompilerState | undefined;
  for (const [path, { types }] of Object.entries(exports)) {
    if (types === undefined) continue;
    const entry = `payments-sdk${path.slice(1)}`;
    const reportFileName = `${entry.replaceAll("/", "-")}.api.md`;
    const paths = { reportFileName, reportFolder, reportTempFolder: join(root, "reports/api-temp") };
    const config = ExtractorConfig.prepare({
      configObject: {
        projectFolder: root,
        mainEntryPointFilePath: join(root, types),
        newlineKind: "lf",
        compiler: { overrideTsconfig: { compilerOptions, files } },
        // A type that no entry exports is public, too, if an exported one refers to it.
        apiReport: { enabled: true, includeForgottenExports: true, ...paths },
      },
      configObjectFullPath: undefined,
      packageJsonFullPath: manifest,
    });
    compilerState ??= CompilerState.create(config, { additionalEntryPoints: files });
    const { errorCount } = Extractor.invoke(config, {
      localBuild: true,
      compilerState,
      // The others are about release tags and new reports.
      messageCallback: (message) => Object.assign(message, { handled: message.logLevel !== "error" }),
    });
    if (errorCount > 0) throw new Error(`${reportFileName} could not be written.`);
    const file = join(reportFolder, reportFileName);
    const text = readFileSync(file, "utf8")
      .replace(/^(## API Report File for ).*$/m, `$1"${entry}"`)
      .replaceAll(/ *\/\/ (\(undoc.+\)|\(No @package.+\)\n)\n| \(undocumented\)/g, "");
    writeFileSync(file, text);
  }
}

if (import.meta.main) writeApiReports(join(root, "api"));
