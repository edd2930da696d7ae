import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { npm } from "./npm.ts";

export interface Installed {
  /** Packages, with the one that was asked for. */
  readonly packages: number;
  /** Bytes of their files. */
  readonly bytes: number;
  /** Bytes of the one that was asked for, without its dependencies. */
  readonly ownBytes: number;
}

const ROOT = join(import.meta.dirname, "..", "..");

/** The package as it would be published, in a folder. Its build is taken as it is. */
export async function packOurs(folder: string): Promise<string> {
  const [packed] = JSON.parse(await npm(ROOT, "pack", "--json", "--pack-destination", folder)) as [
    { readonly filename: string },
  ];
  return join(folder, packed.filename);
}

/** Installs a package, alone in a new project, and weighs what came; nothing of it is left. */
export async function weighInstall(name: string, spec: string): Promise<Installed> {
  return inFolder(async (folder) => {
    await writeFile(join(folder, "package.json"), '{ "name": "a-shop", "private": true }');
    await npm(folder, "install", spec);
    const modules = join(folder, "node_modules");
    const lock: unknown = JSON.parse(await readFile(join(modules, ".package-lock.json"), "utf8"));
    await rm(join(modules, ".package-lock.json"));
    return {
      packages: Object.keys((lock as { readonly packages: object }).packages).length,
      bytes: await bytesIn(modules),
      ownBytes: await bytesIn(join(modules, name), "node_modules"),
    };
  });
}

/** A folder of its own for some work, which is gone afterwards. */
export async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), "payments-sdk-bench-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function bytesIn(folder: string, without?: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) bytes += entry.name === without ? 0 : await bytesIn(path, without);
    else if (entry.isFile()) bytes += (await stat(path)).size; // links lead to what is counted
  }
  return bytes;
}
