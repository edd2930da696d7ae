import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root, tool } from "../../support/running.ts";

/** The result of `npm pack`. */
export interface Packed {
  readonly tarball: string;
  /** The paths in the tarball, sorted. */
  readonly files: readonly string[];
}

export async function pack(folder: string): Promise<Packed> {
  const args = ["pack", "--ignore-scripts", "--json", "--pack-destination", folder];
  const [packed] = JSON.parse(await succeed("npm", args, root)) as [
    { filename: string; files: { path: string }[] },
  ];
  const files = packed.files.map(({ path }) => path).sort();
  return { tarball: join(folder, packed.filename), files };
}

/** Runs `npm install` in a folder with a package.json, for which a private one is written if it is new. */
export async function npmInstall(folder: string, ...args: readonly string[]): Promise<void> {
  const options = ["--no-audit", "--no-fund", "--no-update-notifier", "--prefer-offline", "--loglevel=error"];
  mkdirSync(folder, { recursive: true });
  const manifest = join(folder, "package.json");
  if (!existsSync(manifest)) writeFileSync(manifest, '{ "private": true, "type": "module" }');
  await succeed("npm", ["install", ...options, ...args], folder);
}

/** Installs a tarball as a merchant does. */
export async function install(tarball: string, folder: string): Promise<void> {
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "consumer", private: true }));
  await npmInstall(folder, tarball);
}

/** The same without npm, which is faster. Also adds this project's msw and Node's types. */
export async function unpack(folder: string): Promise<Packed> {
  const packed = await pack(folder);
  const modules = join(folder, "node_modules");
  mkdirSync(join(modules, "payments-sdk"), { recursive: true });
  mkdirSync(join(modules, "@types"));
  await succeed(
    "tar",
    ["-xzf", packed.tarball, "-C", join(modules, "payments-sdk"), "--strip-components=1"],
    folder,
  );
  const manifest = readFileSync(join(modules, "payments-sdk/package.json"), "utf8");
  for (const name of Object.keys(JSON.parse(manifest).dependencies))
    cpSync(join(root, "node_modules", name), join(modules, name), { recursive: true });
  for (const name of ["msw", "@types/node"])
    symlinkSync(join(root, "node_modules", name), join(modules, name));
  return packed;
}

/** Runs a command and returns its output. Rejects if it fails. */
export async function succeed(command: string, args: readonly string[], cwd: string): Promise<string> {
  const { code, stdout, stderr } = await tool(command, args, cwd);
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${code}:\n${stdout}${stderr}`);
  return stdout;
}
