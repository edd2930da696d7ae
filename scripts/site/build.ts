// Builds the documentation site into reports/site: npm run docs (-- --serve). DOCS_URL is where it will be published.
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path/posix";
import { ENGLISH, PORTUGUESE, routeOf } from "./sidebar.ts";

const root = join(import.meta.dirname, "../..");
const tools = join(import.meta.dirname, "node_modules");
const pages = join(root, "reports/pages");
const url = process.env["DOCS_URL"] ?? "/";
const { name, description, repository } = JSON.parse(read("package.json"));
const github = (repository?.url ?? "https://github.com/OWNER/payments-sdk").replace(/^git\+|\.git$/g, "");

const sources = ["README*.md", "CHANGELOG.md", "docs/**/*.md", "examples/**/README.md", "bench/*.md"];
const files = globSync(sources, { cwd: root });

function read(file: string): string {
  return readFileSync(join(root, file), "utf8");
}

function write(file: string, text: string): void {
  mkdirSync(dirname(join(pages, file)), { recursive: true });
  writeFileSync(join(pages, file), text);
}

/** The text of a page in which links to files lead to pages below `site`, or to GitHub. */
function pageText(file: string, site: string): string {
  const codeOrLink =
    /(^[ \t]*(`{3,})[\s\S]*?^[ \t]*\2|`(?:[^`\n]|\n(?!\n))*`)|(\]\(|\b(?:src|srcset|href)=")([^)\s"]+)/gm;
  return read(file).replaceAll(codeOrLink, (match, code, _fence, before, target) =>
    code === undefined ? before + linkTo(target, file, site) : match,
  );
}

function linkTo(target: string, from: string, site: string): string {
  const [, path = "", anchor = ""] = /^([^#]*)(.*)$/.exec(target.replace(`${github}/blob/main/`, "/")) ?? [];
  if (path === "" || /^\w+:/.test(path)) return target;
  const file = path.startsWith("/") ? path.slice(1) : join(dirname(from), path);
  const page = [file, join(file, "README.md")].find((candidate) => files.includes(candidate));
  if (page !== undefined) return site + routeOf(page) + anchor;
  if (!existsSync(join(root, file))) return target; // VitePress reports it
  if (file === "docs/openapi.json") return `${site}openapi.json`;
  if (!/\.(png|svg|jpe?g|webp)$/.test(file)) {
    return `${github}/${statSync(join(root, file)).isDirectory() ? "tree" : "blob"}/main/${file}${anchor}`;
  }
  cpSync(join(root, file), join(pages, "public", file));
  return `${site}${file}`;
}

/** `- [Title](url): what the first sentences of the page say`. */
function lineOf(file: string, text: string): string {
  const [title, ...paragraphs] = text.split(/\n{2,}/);
  const prose = paragraphs.find((paragraph) => /^(?!```)[A-Z`*].{40}/.test(paragraph)) ?? "";
  const plain = prose
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll("**", "")
    .replaceAll("\n", " ");
  const sentences = /^.{60,}?\.(?=\s|$)/.exec(plain)?.[0] ?? plain;
  return `- [${title?.replace("# ", "")}](${url}${routeOf(file)})${sentences && `: ${sentences}`}`;
}

/** https://llmstxt.org */
function writeForLanguageModels(): void {
  const index = [`# ${name}`, `> ${description}`];
  const full: string[] = [];
  for (const group of ENGLISH) {
    const lines = group.files
      .filter((file) => files.includes(file))
      .map((file) => {
        const text = pageText(file, url);
        full.push(text);
        write(`public/${routeOf(file)}`, text);
        return lineOf(file, text);
      });
    index.push(`## ${group.text}`, lines.join("\n"));
  }
  index.push(
    "## Optional",
    `- [All pages in one file](${url}llms-full.txt)\n- [OpenAPI 3.1](${url}openapi.json)`,
  );
  write("public/llms.txt", `${index.join("\n\n")}\n`);
  write("public/llms-full.txt", full.join("\n\n"));
}

function run(script: string, ...args: string[]): void {
  const { status } = spawnSync(process.execPath, [join(tools, script), ...args], { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

rmSync(pages, { recursive: true, force: true });
run("typedoc/bin/typedoc", "--options", join(import.meta.dirname, "typedoc.json"), "--logLevel", "Warn");
for (const file of files) write(routeOf(file), pageText(file, "/"));
writeForLanguageModels();
cpSync(join(import.meta.dirname, "openapi.html"), join(pages, "public/openapi.html"));
cpSync(join(root, "docs/openapi.json"), join(pages, "public/openapi.json"));
// Without the picture that it would fetch from its maker.
const redoc = readFileSync(join(tools, "redoc/bundles/redoc.standalone.js"), "utf8");
write("public/redoc.js", redoc.replace("https://cdn.redoc.ly/redoc/logo-mini-full.svg", "data:,"));

const listed = [...ENGLISH, ...PORTUGUESE].flatMap((group) => group.files);
for (const file of files) if (!listed.includes(file)) console.warn(`Not in scripts/site/sidebar.ts: ${file}`);
for (const file of listed)
  if (!files.includes(file)) console.warn(`In scripts/site/sidebar.ts, but missing: ${file}`);

process.env["DOCS_BASE"] = new URL(url, "http://localhost").pathname;
process.env["DOCS_REPOSITORY"] = github;
run("vitepress/bin/vitepress.js", "build", import.meta.dirname);
console.log(
  "The site is in reports/site. `npm run docs -- --serve` builds it and serves it on http://localhost:4173.",
);
if (process.argv.includes("--serve")) run("vitepress/bin/vitepress.js", "preview", import.meta.dirname);
