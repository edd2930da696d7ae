import { existsSync, globSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { type Link, linksOf, read } from "./support/links-of-page.ts";

const root = join(import.meta.dirname, "../..");
/** What is made, or comes from others. */
const FOREIGN = ["node_modules", "coverage", "dist", "reports"];

const pages = globSync(["*.md", ".github/**/*.md", "{docs,examples,bench,test}/**/*.md"], {
  cwd: root,
  exclude: (path) => path.split("/").some((part) => FOREIGN.includes(part)),
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
    const times = seen.get(anchor) ?? 0;
    seen.set(anchor, times + 1);
    return times === 0 ? anchor : `${anchor}-${times}`;
  });
}

/** Why a link leads nowhere. */
function problemWith({ path, anchor }: Link): string | undefined {
  if (relative(root, join(root, path)).startsWith("..")) return "leaves the repository";
  if (!existsSync(join(root, path))) return "there is no such file";
  if (anchor === undefined) return undefined;
  if (!path.endsWith(".md")) return "only a page has anchors";
  return anchorsOf(path).includes(anchor) ? undefined : `${path} has no such heading`;
}

/** The page that a link to a folder shows. */
function pageAt(path: string): string {
  const isFolder = existsSync(join(root, path)) && statSync(join(root, path)).isDirectory();
  return isFolder ? join(path, "README.md") : path;
}

function reachedFrom(start: string): Set<string> {
  const reached = new Set<string>();
  const open = [start];
  for (let page = open.pop(); page !== undefined; page = open.pop()) {
    if (reached.has(page) || !pages.includes(page)) continue;
    reached.add(page);
    open.push(...linksOf(page).map(({ path }) => pageAt(path)));
  }
  return reached;
}

describe.each(pages)("%s", (page) => {
  test("has links that lead somewhere", () => {
    const broken = linksOf(page)
      .map((link) => `${link.target}: ${problemWith(link)}`)
      .filter((line) => !line.endsWith(": undefined"));

    expect(broken).toEqual([]);
  });
});

test("links are found, to files, to headings and to both", () => {
  const links = pages.flatMap(linksOf);

  expect(links.some(({ anchor }) => anchor === undefined)).toBe(true);
  expect(links.some(({ target }) => target.startsWith("#"))).toBe(true);
  expect(links.some(({ target }) => /^[^#]+\.md#/.test(target))).toBe(true);
});

test.each([
  ["docs/timeouts.md", "what-settles-it"],
  ["docs/timeouts.md", "three-ends"],
  ["docs/pci.md", "what-the-sdk-never-stores-or-logs"],
  ["docs/specification.md", "card-token-uses"], // a heading in code marks
])("%s has the anchor %s", (page, anchor) => {
  expect(anchorsOf(page)).toContain(anchor);
});

test("every page of the documentation is reached from the README", () => {
  const reached = reachedFrom("README.md");

  const alone = pages.filter((page) => page.startsWith("docs/") && !reached.has(page));

  expect(pages.filter((page) => page.startsWith("docs/")).length).toBeGreaterThan(10);
  expect(alone).toEqual([]);
});
