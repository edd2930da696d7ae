// The licences of the packages that are compiled into the build, which ask to go with every copy.
import { globSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sourcesOfTexts } from "./bundled-text.ts";

const FILE = "dist/third-party-licenses.txt";

/** Writes the licence of every package that is in `dist`. Paths are those of the root, where npm runs. */
export async function writeLicenses(): Promise<void> {
  const sources = [...sourcesOfTexts, ...(await sourcesOfMaps())];
  const packages = sources.flatMap(
    (source) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1] ?? [],
  );
  const licenses = await Promise.all([...new Set(packages)].sort().map(licenseOf));
  await writeFile(FILE, licenses.join(`\n${"-".repeat(80)}\n\n`));
}

async function sourcesOfMaps(): Promise<string[]> {
  const maps = await Promise.all(globSync("dist/**/*.js.map").map((map) => readFile(map, "utf8")));
  return maps.flatMap((map) => (JSON.parse(map) as { sources: string[] }).sources);
}

async function licenseOf(name: string): Promise<string> {
  const folder = join("node_modules", name);
  const about = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as { version: string };
  const [file] = globSync(join(folder, "LICEN[CS]E*"));
  if (file === undefined) throw new Error(`${name} is compiled in, and has no licence to go with it.`);
  return `${name} ${about.version}\n\n${(await readFile(file, "utf8")).trim()}\n`;
}
