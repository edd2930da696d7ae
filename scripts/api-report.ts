import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CompilerState, Extractor, ExtractorConfig, type ExtractorMessage } from "@microsoft/api-extractor";

const root = join(import.meta.dirname, "..");

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, string | { readonly types?: string }>>;
}

interface Entry {
  /** Its public name, such as `payments-sdk/browser`. */
  readonly name: string;
  readonly declarations: string;
}

function entriesOfPackage(): Entry[] {
  const { name, exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Manifest;
  return Object.entries(exports).flatMap(([path, target]) => {
    if (typeof target === "string" || target.types === undefined) return [];
    return [{ name: `${name}${path.slice(1)}`, declarations: join(root, target.types) }];
  });
}

/** A name of an entry has slashes, a file has none. */
const reportOf = ({ name }: Entry): string => `${name.replaceAll("/", "-")}.api.md`;

const compilerOptions = {
  module: "nodenext",
  moduleResolution: "nodenext",
  target: "es2023",
  lib: ["es2023", "dom", "dom.iterable"],
  types: ["node"],
  strict: true,
  skipLibCheck: true,
};

function configOf(entry: Entry, files: readonly string[], folder: string): ExtractorConfig {
  return ExtractorConfig.prepare({
    configObject: {
      projectFolder: root,
      mainEntryPointFilePath: entry.declarations,
      newlineKind: "lf",
      compiler: { overrideTsconfig: { compilerOptions, files } },
      apiReport: {
        enabled: true,
        reportFileName: reportOf(entry),
        reportFolder: folder,
        reportTempFolder: join(folder, "temporary"),
        // A type that no entry exports is public all the same where one that is exported refers to it.
        includeForgottenExports: true,
      },
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: join(root, "package.json"),
  });
}

/** Its messages speak of release tags and of reports that are new; neither is a finding here. */
const quietly = (message: ExtractorMessage): void => {
  if (message.logLevel !== "error") message.handled = true;
};

/** The public types of every entry as text, by the name of the report's file; made of what was built. */
export function apiReports(): Map<string, string> {
  const folder = mkdtempSync(join(tmpdir(), "payments-sdk-api-"));
  try {
    const entries = entriesOfPackage();
    const files = entries.map(({ declarations }) => declarations);
    const configs = entries.map((entry) => configOf(entry, files, folder));
    const [first] = configs as [ExtractorConfig, ...ExtractorConfig[]];
    const compilerState = CompilerState.create(first, { additionalEntryPoints: files });
    for (const config of configs) {
      const how = { localBuild: true, compilerState, messageCallback: quietly };
      const { errorCount } = Extractor.invoke(config, how);
      if (errorCount > 0) throw new Error(`No report could be made of ${config.mainEntryPointFilePath}.`);
    }
    return new Map(
      entries.map((entry) => {
        const text = readFileSync(join(folder, reportOf(entry)), "utf8");
        return [reportOf(entry), typesAlone(text, entry)];
      }),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Whether all of it is documented is asked where the reference is made. */
function typesAlone(report: string, { name }: Entry): string {
  return report
    .replace(/^(## API Report File for ).*$/m, `$1"${name}"`)
    .replaceAll(/^ *\/\/ \(undocumented\)\n/gm, "")
    .replaceAll(" (undocumented)", "")
    .replace("// (No @packageDocumentation comment for this package)\n\n", "");
}
