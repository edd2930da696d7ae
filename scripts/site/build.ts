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
const { repository } = JSON.parse(read("package.json"));
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

/** The text of a page in which links to files lead to pages of the site, or to GitHub. */
function pageText(file: string): string {
  const codeOrLink =
    /(^[ \t]*(`{3,})[\s\S]*?^[ \t]*\2|`(?:[^`\n]|\n(?!\n))*`)|(\]\(|\b(?:src|srcset|href)=")([^)\s"]+)/gm;
  return read(file).replaceAll(codeOrLink, (match, code, _fence, before, target) =>
    code === undefined ? before + linkTo(target, file) : match,
  );
}

function linkTo(target: string, from: string): string {
  const [, path = "", anchor = ""] = /^([^#]*)(.*)$/.exec(target.replace(`${github}/blob/main/`, "/")) ?? [];
  if (path === "" || /^\w+:/.test(path)) return target;
  const file = path.startsWith("/") ? path.slice(1) : join(dirname(from), path);
  const page = [file, join(file, "README.md")].find((candidate) => files.includes(candidate));
  if (page !== undefined) return `/${routeOf(page)}${anchor}`;
  if (!existsSync(join(root, file))) return target; // VitePress reports it
  if (file === "docs/openapi.json") return "/openapi.json";
  if (!/\.(png|svg|jpe?g|webp)$/.test(file)) {
    return `${github}/${statSync(join(root, file)).isDirectory() ? "tree" : "blob"}/main/${file}${anchor}`;
  }
  cpSync(join(root, file), join(pages, "public", file));
  return `/${file}`;
}

function run(script: string, ...args: string[]): void {
  const { status } = spawnSync(process.execPath, [join(tools, script), ...args], { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

rmSync(pages, { recursive: true, force: true });
run("typedoc/bin/typedoc", "--options", join(import.meta.dirname, "typedoc.json"), "--logLevel", "Warn");
for (const file of files) write(routeOf(file), pageText(file));
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
