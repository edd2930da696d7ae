import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { root } from "../support/tool.ts";

interface Rule {
  readonly from: { readonly path?: string; readonly pathNot?: string };
  readonly to: { readonly path?: string; readonly pathNot?: string };
}

const read = (file: string) => readFileSync(join(root, file), "utf8");
const page = read("CONTRIBUTING.md");
const [house = "", wayOfACall = ""] = Array.from(
  page.matchAll(/^```mermaid\n(.+?)^```$/gms),
  ([, picture]) => picture,
);
const { scripts, exports } = JSON.parse(read("package.json")) as {
  scripts: Record<string, string>;
  exports: Record<string, string | { types?: string; default?: string }>;
};
const folders = readdirSync(join(root, "src"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

describe("the picture of the house", async () => {
  const config = pathToFileURL(join(root, ".dependency-cruiser.mjs")).href;
  const { default: cruiser } = (await import(config)) as { default: { forbidden: readonly Rule[] } };
  /** Those about who imports whom in `src`; the others are about packages, Node and circles. */
  const rules = cruiser.forbidden.filter(({ to }) => to.path?.startsWith("^src/"));

  const isOf = ({ path = "", pathNot }: Rule["from"], file: string) =>
    new RegExp(path).test(file) && !(pathNot !== undefined && new RegExp(pathNot).test(file));
  const mayImport = (from: string, to: string) =>
    !rules.some((rule) => isOf(rule.from, from) && isOf(rule.to, to));

  /** How much of a folder a file or folder may import the values of. */
  function shareOf(from: string, folder: string): "all" | "some" | "none" {
    const files = globSync(`src/${folder}/**/*.{ts,tsx}`, { cwd: root });
    const allowed = files.filter((file) => mayImport(from, file));
    if (allowed.length === 0) return "none";
    return allowed.length === files.length ? "all" : "some";
  }

  const arrows = Array.from(
    house.matchAll(/^ {2}(\w+) (-->|-\.->) (\w+)$/gm),
    ([, from = "", kind, to = ""]) => ({
      from,
      to,
      share: kind === "-->" ? "all" : "some",
    }),
  );
  const between = arrows.filter(({ from }) => !from.startsWith("e_"));
  const entries = Array.from(house.matchAll(/^ {4}(e_\w+)\["(.+)"\]$/gm), ([, id = "", label = ""]) => ({
    id,
    names: label.split(", ").map((name) => name.replace(/^payments-sdk\/?/, "")),
  }));

  /** Where the arrows lead from a folder, by any number of steps. */
  function reachableFrom(folder: string): string[] {
    const next = between.flatMap(({ from, to }) => (from === folder ? [to, ...reachableFrom(to)] : []));
    return [...new Set(next)];
  }

  test("has every folder of src, and so has the table", () => {
    const drawn = Array.from(house.matchAll(/^ {4}(\w+)$/gm), ([, folder]) => folder);
    const explained = Array.from(page.matchAll(/^\| `src\/(\w+)` \|/gm), ([, folder]) => folder);

    expect(drawn.sort()).toEqual(folders.sort());
    expect(explained.sort()).toEqual(folders.sort());
  });

  test("has every entry of the package", () => {
    const named = entries.flatMap(({ names }) => names.map((name) => (name === "" ? "." : `./${name}`)));

    const typed = Object.entries(exports).filter(
      ([, entry]) => typeof entry === "object" && "types" in entry,
    );
    expect(named.sort()).toEqual(typed.map(([name]) => name).sort());
  });

  test.each(between)("$from may import $share of $to", ({ from, to, share }) => {
    expect(shareOf(`src/${from}/any.ts`, to)).toBe(share);
  });

  test.each(folders)("leads from %s to every folder that it may import", (folder) => {
    const allowed = folders.filter((to) => to !== folder && shareOf(`src/${folder}/any.ts`, to) !== "none");

    expect(reachableFrom(folder).sort()).toEqual(allowed.sort());
  });

  test.each(entries)("leads from $names to a folder that they list", ({ id, names }) => {
    const [arrow] = arrows.filter(({ from }) => from === id);

    for (const name of names) {
      const entry = name === "" ? "index" : name.replace("/", "-");
      expect(shareOf(`src/${entry}.ts`, arrow?.to ?? "")).not.toBe("none");
    }
  });
});

test("the picture of a call names files that are there", () => {
  const files = Array.from(wayOfACall.matchAll(/[\w-]+\.ts/g), ([file]) => file);

  expect(files.length).toBeGreaterThan(5);
  for (const file of files) {
    expect(globSync(`src/{client,core}/${file}`, { cwd: root }), file).toHaveLength(1);
  }
});

test("the table of commands has every script of package.json but npm's own hooks", () => {
  const rows = page.split("\n").filter((line) => line.startsWith("| `npm "));
  const named = rows.flatMap((row) =>
    Array.from(row.matchAll(/`npm (?:run )?([\w:]+)/g), ([, name]) => name ?? ""),
  );

  const own = Object.keys(scripts).filter((name) => !/^(pre|post)/.test(name));
  expect([...new Set(named)].sort()).toEqual(own.sort());
});

describe.each(["CONTRIBUTING.md", "SECURITY.md", "AGENTS.md"])("%s", (file) => {
  const text = read(file);

  test("names files and folders that are there", () => {
    const paths = Array.from(
      text.matchAll(/`((?:src|test|scripts|docs|bench|examples|\.github)\/[\w./-]+|\.[\w.-]+\.\w+)`/g),
      ([, path]) => path ?? "",
    );

    expect(paths.length).toBeGreaterThan(0);
    for (const path of paths) expect(existsSync(join(root, path)), path).toBe(true);
  });

  test("names npm scripts that there are", () => {
    const named = Array.from(text.matchAll(/npm run ([\w:]+)/g), ([, name]) => name ?? "");

    for (const name of named) expect(scripts).toHaveProperty([name]);
  });
});
