import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root, tool } from "../../support/tool.ts";

/** A project of somebody else that has installed the package from its tarball. */
export interface Consumer {
  readonly folder: string;
  readonly tarball: string;
  /** The paths in the tarball, sorted. */
  readonly files: readonly string[];
  write(file: string, text: string): void;
  /** Runs code there; what it prints as JSON. */
  evaluate(code: string, inputType: "module" | "commonjs"): Promise<unknown>;
  remove(): void;
}

interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

export interface ConsumerOptions {
  /** Default: a new one. */
  readonly folder?: string;
  /**
   * What is installed besides, as `name@version`. Default: msw and the types of Node, which are then those of this
   * project.
   */
  readonly others?: readonly string[];
}

/** Packs what was built, and installs it outside of this project. */
export async function installPackage({
  folder = mkdtempSync(join(tmpdir(), "payments-sdk-consumer-")),
  others,
}: ConsumerOptions = {}): Promise<Consumer> {
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
  const run = async (command: string, args: readonly string[], cwd = folder) => {
    const { code, stdout, stderr } = await tool(command, args, cwd);
    if (code !== 0) throw new Error(`${command} ${args.join(" ")}\n${stdout}${stderr}`);
    return stdout;
  };

  const packed = JSON.parse(
    await run("npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", folder], root),
  ) as Packed[];
  const [{ filename, files }] = packed as [Packed];
  const tarball = join(folder, filename);

  write("package.json", JSON.stringify({ name: "consumer", private: true }));
  const quietly = ["--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"];
  await run("npm", ["install", ...quietly, tarball, ...(others ?? [])]);
  for (const name of others === undefined ? ["msw", "@types/node"] : []) {
    mkdirSync(join(folder, "node_modules/@types"), { recursive: true });
    symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name));
  }

  return {
    folder,
    tarball,
    files: files.map(({ path }) => path).sort(),
    write,
    evaluate: async (code, inputType) =>
      JSON.parse(await run("node", [`--input-type=${inputType}`, "--eval", code])),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
