/// <reference types="node" />
import { readFileSync } from "node:fs";
import { resolveOptions } from "../gateway-options.ts";
import { CommandError } from "./command-error.ts";
import { FLAGS } from "./command-flags.ts";
import { helpText, openText, startText } from "./command-texts.ts";
import { onInterrupt } from "./on-interrupt.ts";
import { readFlags } from "./read-flags.ts";
import { type Sandbox, type SandboxOptions, startSandbox } from "./start-sandbox.ts";

const EXIT_CODES = { start: 1, usage: 2 };
/** What a shell makes of a program that a Ctrl-C ended: 128 and the number of the signal. */
const EXIT_INTERRUPTED = 130;

/**
 * The command `payments-sandbox`. Ends the process when it is asked to, and sets its exit code: 0, 1 where
 * it cannot start, 2 where what was typed is wrong.
 */
export async function commandLine(args: readonly string[], packageJson: URL): Promise<void> {
  const { stdout, stderr } = process;
  for (const stream of [stdout, stderr]) stream.on("error", endWhereNobodyReads);

  try {
    const command = readFlags(args);
    if (command.kind === "help") stdout.write(helpText());
    else if (command.kind === "version") stdout.write(`${versionIn(packageJson)}\n`);
    else await run(command.options);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    const hint = error.reason === "usage" ? " See payments-sandbox --help." : "";
    stderr.write(`payments-sandbox: ${error.message}${hint}\n`);
    process.exitCode = EXIT_CODES[error.reason];
  }
}

/** A reader such as `head` had enough. */
function endWhereNobodyReads(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
  process.exit();
}

function versionIn(packageJson: URL): string {
  return (JSON.parse(readFileSync(packageJson, "utf8")) as { version: string }).version;
}

async function run(options: SandboxOptions): Promise<void> {
  const sandbox = await start(options);
  const { stdout, stderr } = process;
  const end = async () => {
    await sandbox.close();
    const newLine = stdout.isTTY ? "\n" : ""; // after the ^C that terminals show
    stdout.write(`${newLine}Ended. Nothing was kept.\n`, () => process.exit(0));
  };
  // Before it says that Ctrl-C ends it.
  onInterrupt(
    process,
    () => void end(),
    () => process.exit(EXIT_INTERRUPTED),
  );

  stdout.write(startText(sandbox, options));
  const warning = openText(options);
  if (warning) stderr.write(`\n${warning}\n`);
}

async function start(options: SandboxOptions): Promise<Sandbox> {
  const { port, host: _host, ...gatewayOptions } = options;
  try {
    resolveOptions(gatewayOptions); // a mistake is told before a port is taken, or found to be taken
    if (options.baseUrl !== undefined && port === 0) {
      throw new CommandError("usage", "--base-url needs a --port that is known: not 0.");
    }
    return await startSandbox(options);
  } catch (error) {
    throw error instanceof Error ? asCommandError(error, options) : error;
  }
}

/** An error that is nobody's mistake stays as it is, and ends the process with all that it has to say. */
function asCommandError(error: Error, { port, host }: SandboxOptions): Error {
  const [, option, problem] = /^(?:createGateway|startSandbox): ([\w.]+) (.*)\.$/.exec(error.message) ?? [];
  const flag = FLAGS.find((known) => known.option === option);
  if (option && flag) return new CommandError("usage", `--${flag.name} ${problem}.`);

  switch ((error.cause as NodeJS.ErrnoException | undefined)?.code) {
    case undefined:
      return error;
    case "EADDRINUSE":
      return new CommandError("start", `Port ${port} is in use. Take another with --port, or --port 0.`);
    case "EACCES":
      return new CommandError("start", `Port ${port} is not allowed. Take one above 1023 with --port.`);
    default:
      return new CommandError("start", `It cannot listen on ${host}. Is --host an address of this machine?`);
  }
}
