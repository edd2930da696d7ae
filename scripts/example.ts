// Builds the package and runs an example: npm run example <name> [-- <its arguments>]
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";

const folder = join(import.meta.dirname, "../examples");
const [name, ...rest] = process.argv.slice(2);
const names = readdirSync(folder)
  .filter((file) => file.endsWith(".ts"))
  .map((file) => file.slice(0, -".ts".length));

if (name === undefined || !names.includes(name)) {
  console.error(name === undefined ? "Which example?" : `There is no example "${name}".`);
  console.error(`Usage: npm run example <name>\n\n${names.map((known) => `  ${known}`).join("\n")}`);
  process.exit(1);
}

run("tsup", ["--silent"]);
run(process.execPath, [join(folder, `${name}.ts`), ...rest]);

function run(command: string, args: readonly string[]): void {
  const { status, error } = spawnSync(command, args, { stdio: "inherit" });
  if (error) console.error(error.message);
  if (status !== 0) process.exit(status ?? 1);
}
