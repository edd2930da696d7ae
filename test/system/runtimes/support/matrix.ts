import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, onTestFinished, vi } from "vitest";
import { succeed, unpack } from "../../support/consumer.ts";

/** `npm run matrix` sets it: then other versions and tools come from npm. */
const isMatrix = process.env["MATRIX"] !== undefined;

/** What is tried on every machine, and what is fetched from npm by `npm run matrix`. */
export function here<Item>(always: readonly Item[], fetched: readonly Item[]): readonly Item[] {
  return isMatrix ? [...always, ...fetched] : always;
}

/** A project of a merchant, in which the packed package is installed. */
export interface Project {
  readonly folder: string;
  tarball: string;
  /** Installs tools in a folder below, from which the package is found. Gives the folder. */
  bring(...packages: readonly string[]): Promise<string>;
}

/** One project for the tests of a file. */
export function useProject(): Project {
  vi.setConfig({ testTimeout: isMatrix ? 300_000 : 60_000 });
  const folder = mkdtempSync(join(tmpdir(), "payments-sdk-runtimes-"));
  const project: Project = { folder, tarball: "", bring: (...packages) => bring(folder, packages) };
  beforeAll(async () => {
    project.tarball = (await unpack(folder)).tarball;
    return () => rmSync(folder, { recursive: true, force: true });
  });
  return project;
}

async function bring(project: string, packages: readonly string[]): Promise<string> {
  const folder = mkdtempSync(join(project, "tool-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const allowed = packages.map((one) => [one.slice(0, one.lastIndexOf("@")), true]);
  // npm 12 runs no install scripts but those that are allowed, and `node` and `bun` come by one.
  const manifest = { private: true, type: "module", allowScripts: Object.fromEntries(allowed) };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  const quietly = ["--no-audit", "--no-fund", "--no-update-notifier", "--prefer-offline", "--loglevel=error"];
  if (packages.length > 0) await succeed("npm", ["install", ...quietly, ...packages], folder);
  return folder;
}
