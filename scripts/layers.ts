// Checks who imports whom, by the rules in .dependency-cruiser.mjs: npm run layers [-- <folder of src>]
//
// dependency-cruiser alone passes without having read a file where it finds no TypeScript that it can use.
// Here every file of src must be among those that it read.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";

interface Cruised {
  readonly modules: readonly { readonly source: string }[];
  readonly summary: {
    readonly totalDependenciesCruised: number;
    readonly violations: readonly {
      readonly from: string;
      readonly to: string;
      readonly rule: { readonly name: string };
    }[];
  };
}

const root = resolve(process.argv[2] ?? ".");
const config = join(import.meta.dirname, "../.dependency-cruiser.mjs");
const { stdout, stderr, error } = spawnSync(
  "depcruise",
  ["src", "--config", config, "--output-type", "json"],
  { cwd: root, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 },
);
if (error || stdout === "") throw error ?? new Error(stderr);

const { modules, summary } = JSON.parse(stdout) as Cruised;
const read = new Set(modules.map(({ source }) => source));
const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => `src/${file}`);
const problems = [
  ...files.filter((file) => !read.has(file)).map((file) => `not-read: ${file}`),
  ...summary.violations.map(({ from, to, rule }) => `${rule.name}: ${from} -> ${to}`),
];

for (const problem of problems) console.error(problem);
console.log(
  `${problems.length} problems in ${files.length} files and ${summary.totalDependenciesCruised} imports`,
);
process.exitCode = problems.length === 0 && files.length > 0 ? 0 : 1;
