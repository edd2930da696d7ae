// Builds the package and runs an example: npm run example <name> [-- <its arguments>]
import { spawn, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";

const folder = join(import.meta.dirname, "../examples");
const [name, ...rest] = process.argv.slice(2);
const names = readdirSync(folder)
  .filter((file) => file.endsWith(".ts"))
  .map((file) => file.slice(0, -".ts".length));

if (name === undefined) {
  console.log(list());
  process.exit();
}
if (!names.includes(name)) {
  console.error(`There is no example "${name}".\n\n${list()}`);
  process.exit(1);
}

build();
const child = spawn(process.execPath, [join(folder, `${name}.ts`), ...rest], { stdio: "inherit" });
// A Ctrl-C comes to the example, too, which may have something to end; this process waits for it.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
child.on("error", (error) => console.error(error.message));
child.on("close", (code, signal) => {
  process.exitCode = code ?? 128 + constants.signals[signal ?? "SIGTERM"];
});

function list(): string {
  const width = Math.max(...names.map((known) => known.length));
  const rows = names.map((known) => `  ${known.padEnd(width)}  ${firstLineOf(known)}`);
  return ["Usage: npm run example <name> -- [flags], or --help for them", "", ...rows].join("\n");
}

/** Each example says in the first line of its comment what it is. */
function firstLineOf(known: string): string {
  const [, line = ""] = readFileSync(join(folder, `${known}.ts`), "utf8").split("\n");
  return line.replace(/^ \* /, "");
}

function build(): void {
  const { status, error } = spawnSync("tsup", ["--silent"], { stdio: "inherit" });
  if (error) console.error(error.message);
  if (status !== 0) process.exit(status ?? 1);
}
