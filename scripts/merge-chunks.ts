import { globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { build } from "esbuild";

/**
 * Entries that are loaded together. esbuild creates a chunk for each set of entries that share code, and the number of
 * files is half the time of an import: here the chunks that the same groups share become one.
 */
const GROUPS: readonly RegExp[] = [
  /^index\.js$/,
  /^run-/, // the command line
  /^(?:browser|elements|elements-react)\.js$/, // in a page, which loads nothing that only a server needs
  /^(?:msw|sandbox)\.js$/, // in a page, too, where they need only the facts of the specification
  /^(?:idempotency|node|postbacks|testing)\.js$/,
];

/** Only their chunks are merged: a chunk that they do not load may be large, and its entries differ. */
const [INDEX, COMMAND_LINE] = GROUPS;

const listFiles = () =>
  globSync("dist/*.js", { exclude: ["dist/*.global.js"] }).map((path) => basename(path));
const read = (file: string) => readFileSync(`dist/${file}`, "utf8");
const importsOf = (file: string) =>
  [...read(file).matchAll(/^(?:import|\} from|export \* from).*"\.\/(chunk-\w+\.js)";$/gm)].map(([, name]) =>
    String(name),
  );

/** Merges the chunks that tsup has written. */
export async function mergeChunks(): Promise<void> {
  const files = listFiles();
  const loadedBy = (group: RegExp | undefined) => {
    const loaded = new Set(files.filter((file) => group?.test(file)));
    for (const file of loaded) for (const chunk of importsOf(file)) loaded.add(chunk);
    return loaded;
  };
  const loaded = GROUPS.map(loadedBy);
  const merged = new Set([...loadedBy(INDEX), ...loadedBy(COMMAND_LINE)]);
  const chunks = files.filter((file) => file.startsWith("chunk-") && merged.has(file));
  const byGroups = new Map<string, string[]>();
  for (const chunk of chunks) {
    const groups = loaded.map((files) => files.has(chunk)).join();
    byGroups.set(groups, [...(byGroups.get(groups) ?? []), chunk]);
  }
  for (const members of byGroups.values()) await merge(members);
}

async function merge(members: readonly string[]): Promise<void> {
  const [name] = members;
  if (name === undefined || members.length === 1) return;
  await build({
    stdin: { contents: members.map((file) => `export * from "./${file}";`).join("\n"), resolveDir: "dist" },
    outfile: `dist/${name}`,
    allowOverwrite: true,
    bundle: true,
    format: "esm",
    target: "es2022",
    packages: "external",
    external: listFiles()
      .filter((file) => !members.includes(file))
      .map((file) => `./${file}`),
  });
  const others = new RegExp(`"\\./(?:${members.slice(1).join("|")})"`, "g");
  for (const file of listFiles()) writeFileSync(`dist/${file}`, read(file).replaceAll(others, `"./${name}"`));
  for (const file of members.slice(1)) rmSync(`dist/${file}`);
}
