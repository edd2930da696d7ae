import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, vi } from "vitest";
import { npmInstall, unpack } from "./consumer.ts";

/** Set by `npm run matrix`: then other versions and tools are installed from npm. */
const isMatrix = process.env["MATRIX"] !== undefined;

/** Adds the items that only `npm run matrix` tests. */
export function withMatrix<Item>(always: readonly Item[], matrix: readonly Item[]): readonly Item[] {
  return isMatrix ? [...always, ...matrix] : always;
}

/** Creates a merchant's project with the packed package, for the tests of a file. */
export function useProject() {
  vi.setConfig({ testTimeout: isMatrix ? 300_000 : 60_000 });
  const folder = mkdtempSync(join(tmpdir(), "payments-sdk-runtimes-"));
  const project = {
    folder,
    tarball: "",
    /** Installs tools in a subfolder, from which the package can be imported. Returns the subfolder. */
    installTools: (...packages: readonly string[]) => installTools(folder, packages),
  };
  beforeAll(async () => {
    project.tarball = (await unpack(folder)).tarball;
    return () => rmSync(folder, { recursive: true, force: true });
  });
  return project;
}

async function installTools(project: string, packages: readonly string[]): Promise<string> {
  const folder = mkdtempSync(join(project, "tool-"));
  const allowed = packages.map((one) => [one.slice(0, one.lastIndexOf("@")), true]);
  // npm 12 runs only install scripts that are allowed, and `node` and `bun` need theirs.
  const manifest = { private: true, type: "module", allowScripts: Object.fromEntries(allowed) };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  if (packages.length > 0) await npmInstall(folder, ...packages);
  return folder;
}
