/// <reference types="node" />
import { readFileSync } from "node:fs";
import { resolveOptions } from "../gateway-options.ts";
import { helpText, startText, warningText } from "./command-texts.ts";
import { onInterrupt } from "./on-interrupt.ts";
import { CommandError, FLAGS, readFlags } from "./read-flags.ts";
import { type Sandbox, type SandboxOptions, startSandbox } from "./start-sandbox.ts";

const EXIT_CODES = { start: 1, usage: 2 };
/** The convention of shells for a program that was ended by Ctrl-C: 128 plus the number of the signal. */
const EXIT_INTERRUPTED = 130;

/**
 * Runs the command `payments-sandbox`. It ends the process on an interrupt, and sets the exit code: 0 for success,
 * 1 if the server cannot start, 2 if the arguments are wrong.
 */
export async function runCommand(args: readonly string[], packageJson: URL): Promise<void> {
  const { stdout, stderr } = process;
  for (const stream of [stdout, stderr]) stream.on("error", endOnClosedPipe);

  try {
    const command = readFlags(args);
    if (command.kind === "help") stdout.write(helpText());
    else if (command.kind === "version") stdout.write(`${readVersion(packageJson)}\n`);
    else await run(command.options);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    const hint = error.reason === "usage" ? " See payments-sandbox --help." : "";
    stderr.write(`payments-sandbox: ${error.message}${hint}\n`);
    process.exitCode = EXIT_CODES[error.reason];
  }
}

/** A reader such as `head` has closed the pipe. */
function endOnClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
  process.exit();
}

function readVersion(packageJson: URL): string {
  return (JSON.parse(readFileSync(packageJson, "utf8")) as { version: string }).version;
}

async function run(options: SandboxOptions): Promise<void> {
  const sandbox = await start(options);
  const { stdout, stderr } = process;
  const end = async () => {
    await sandbox.close();
    const newLine = stdout.isTTY ? "\n" : ""; // after the ^C that terminals print
    stdout.write(`${newLine}Stopped. Nothing was saved.\n`, () => process.exit(0));
  };
  // Before the start text, which tells the user to stop the server with Ctrl-C.
  onInterrupt(
    process,
    () => void end(),
    () => process.exit(EXIT_INTERRUPTED),
  );

  stdout.write(startText(sandbox, options));
  const warning = warningText(options);
  if (warning) stderr.write(`\n${warning}\n`);
}

async function start(options: SandboxOptions): Promise<Sandbox> {
  const { port, host: _host, ...gatewayOptions } = options;
  try {
    resolveOptions(gatewayOptions); // reports an invalid option before the port is opened
    if (options.baseUrl !== undefined && port === 0) {
      throw new CommandError("usage", "--base-url needs a fixed --port, not 0.");
    }
    return await startSandbox(options);
  } catch (error) {
    throw error instanceof Error ? toCommandError(error, options) : error;
  }
}

/** An unexpected error is returned unchanged, so that it ends the process with its stack. */
function toCommandError(error: Error, { port, host }: SandboxOptions): Error {
  const [, option, problem] = /^(?:createGateway|startSandbox): ([\w.]+) (.*)\.$/.exec(error.message) ?? [];
  const flag = FLAGS.find((known) => known.option === option);
  if (option && flag) return new CommandError("usage", `--${flag.name} ${problem}.`);

  switch ((error.cause as NodeJS.ErrnoException | undefined)?.code) {
    case undefined:
      return error;
    case "EADDRINUSE":
      return new CommandError(
        "start",
        `Port ${port} is in use. Choose another one with --port, or --port 0.`,
      );
    case "EACCES":
      return new CommandError("start", `Port ${port} is not allowed. Choose one above 1023 with --port.`);
    default:
      return new CommandError("start", `Cannot listen on ${host}. Is --host an address of this machine?`);
  }
}
