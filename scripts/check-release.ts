// Refuses a release that still has placeholders, or that CHANGELOG.md does not have: npm run check:release
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const read = (file: string) => readFileSync(join(root, file), "utf8");

/** Stands for the owner of the repository on GitHub. */
const PLACEHOLDER = "github.com/OWNER/";

const published = [
  "package.json",
  "CHANGELOG.md",
  ...globSync(["README*.md", "docs/**/*.md", ".github/**/*.yml"], { cwd: root }),
];
const problems = published
  .filter((file) => read(file).includes(PLACEHOLDER))
  .map((file) => `${file} contains the placeholder ${PLACEHOLDER}: replace it with the real repository.`);

const { version } = JSON.parse(read("package.json"));
if (!read("CHANGELOG.md").includes(`\n## ${version} - `)) {
  problems.push(`CHANGELOG.md has no section for version ${version}: rename Unreleased, with the date.`);
}

if (problems.length > 0) {
  console.error(problems.join("\n"));
  process.exitCode = 1;
}
