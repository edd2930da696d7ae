import { existsSync, globSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import { type Link, linksOf, read } from "./support/links-of-page.ts";

const root = join(import.meta.dirname, "../..");
const pages = globSync(["*.md", ".github/**/*.md", "{docs,examples,bench,test}/**/*.md"], {
  cwd: root,
  exclude: (path) => path.split("/").includes("node_modules"),
}).sort();

/** The anchors that GitHub gives the headings of a page. */
function anchorsOf(page: string): string[] {
  const seen = new Map<string, number>();
  const headings = read(page)
    .replaceAll(/^( *)(```+).*?^\1\2$/gms, "")
    .matchAll(/^#{1,6} +(.+?) *#*$/gm);
  return Array.from(headings, ([, heading = ""]) => {
    const text = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
    const anchor = text.replaceAll(/[^\p{L}\p{N}\s_-]/gu, "").replaceAll(" ", "-");
    const count = seen.get(anchor) ?? 0;
    seen.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  });
}

function isBroken({ path, anchor }: Link): boolean {
  if (relative(root, join(root, path)).startsWith("..") || !existsSync(join(root, path))) return true;
  return anchor !== undefined && !(path.endsWith(".md") && anchorsOf(path).includes(anchor));
}

test("every link to a file or a heading in the repository has a target", () => {
  const links = pages.flatMap((page) => linksOf(page).map((link) => ({ page, ...link })));

  expect(links.filter(({ anchor }) => anchor !== undefined).length).toBeGreaterThan(20);
  expect(links.filter(isBroken).map(({ page, target }) => `${page}: ${target}`)).toEqual([]);
});
