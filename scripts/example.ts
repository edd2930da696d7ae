// Builds the package and runs an example: npm run example <name> [-- <its arguments>]
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folder = join(import.meta.dirname, "../examples");
const [name, ...rest] = process.argv.slice(2);
const names = readdirSync(folder).flatMap((file) => (file.endsWith(".ts") ? [file.slice(0, -3)] : []));

if (name === undefined || !names.includes(name)) {
  console.log("Usage: npm run example <name>\n");
  for (const known of names) {
    const [, summary = ""] = readFileSync(join(folder, `${known}.ts`), "utf8").split("\n");
    console.log(`  ${known.padEnd(12)}${summary.replace(/^ \* /, "")}`);
  }
  process.exit(name === undefined ? 0 : 1);
}

const run = (command: string, args: readonly string[]) =>
  spawnSync(command, args, { stdio: "inherit" }).status ?? 1;
process.exitCode =
  run("npm", ["run", "--silent", "build:js"]) || run(process.execPath, [join(folder, `${name}.ts`), ...rest]);
