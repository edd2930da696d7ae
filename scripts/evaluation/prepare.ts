// Makes a project for each task, with the skill and without it: node scripts/evaluation/prepare.ts <folder>
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const tasks = join(import.meta.dirname, "tasks");
const folder = resolve(process.argv[2] ?? "reports/evaluation");
mkdirSync(folder, { recursive: true });
const npm = (cwd: string, ...args: string[]) => execFileSync("npm", args, { cwd, encoding: "utf8" });
const packing = ["pack", "--ignore-scripts", "--json", "--pack-destination", folder];
const [{ filename }] = JSON.parse(npm(join(import.meta.dirname, "../.."), ...packing));

for (const file of readdirSync(tasks).filter((name) => /^\d.*\.md$/.test(name))) {
  for (const arm of ["with-skill", "without-skill"]) {
    const task = file.replace(".md", "");
    const project = join(folder, arm, task);
    mkdirSync(project, { recursive: true });
    writeFileSync(join(project, "package.json"), '{ "private": true, "type": "module" }\n');
    const texts = [file, "contract.md"].map((name) => readFileSync(join(tasks, name), "utf8"));
    writeFileSync(join(project, "TASK.md"), texts.join("\n"));
    if (task === "5-fix") copyFileSync(join(tasks, "5-fix.ts"), join(project, "shop.ts"));
    npm(project, "install", "--no-audit", "--no-fund", "--prefer-offline", join(folder, filename));
    if (arm === "without-skill") {
      rmSync(join(project, "node_modules/payments-sdk/skills"), { recursive: true });
    }
  }
}
