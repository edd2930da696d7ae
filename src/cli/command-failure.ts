import type { CommanderError } from "commander";
import { type Output, toPrintable } from "./output.ts";

/** Why a command fails, as one line for its user. Throw it from an action; the exit code is then 1. */
export class Failure extends Error {
  override readonly name = "Failure";
  /** For programs that read `--json`, in snake_case. */
  readonly code: string;

  /** @param message what is wrong and how to fix it, in one line and without a secret. */
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Ends the command with exit code 1. The command has already printed why. */
export class Reported extends Error {
  override readonly name = "Reported";
}

/** The arguments are wrong. `commandLine` is the command without its arguments, such as `payments orders list`. */
export function usageFailure(commandLine: string, problem: string): Failure {
  return new Failure("usage", `${problem} See ${commandLine} --help.`);
}

/** The failure for an error of `server.listen()`; `undefined` for other errors. */
export function cannotListen(error: unknown, host: string, port: number): Failure | undefined {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (code === undefined) return undefined;
  const [name, problem] = LISTEN_PROBLEMS[code] ?? ["cannot_listen"];
  if (problem) return new Failure(name, `Port ${port} ${problem}`);
  return new Failure(name, `Cannot listen on ${host}. Is it an address of this machine?`);
}

const LISTEN_PROBLEMS: Readonly<Record<string, readonly [code: string, problem: string]>> = {
  EADDRINUSE: ["port_in_use", "is in use. Choose another one with --port, or --port 0."],
  EACCES: ["port_not_allowed", "is not allowed. Choose one above 1023 with --port."],
};

/** Converts an error of the parser, which has the form "error: unknown option '--prot'\n(Did you mean --port?)". */
export function fromParser(commandLine: string, error: CommanderError): Error {
  if (error.exitCode === 0 || error.code === "commander.help") return error; // help or the version was printed
  const [problem = "", suggestion = ""] = error.message.replace(/^error: /, "").split("\n");
  // Without the value of an option, which may be a secret.
  const safe = problem
    .replace(/'(--[^'=]+)=.*'/, "'$1'")
    .replace(/^option '([^']+?)(?: <.*>)?' argument '.*' is invalid/, "the value of $1 is invalid")
    .replace(/^option '(?:-., )?([^' ]+).*' argument missing/, "$1 needs a value")
    .replace(/( but got \d+): .*$/s, "$1")
    .replace(/^command-argument value '.*' is invalid for argument '(.*?)'/, "the value of <$1> is invalid")
    .replace(/\.$/, "");
  const sentence = `${safe.charAt(0).toUpperCase()}${safe.slice(1)}.`;
  return usageFailure(commandLine, `${sentence} ${suggestion.replace(/^\((.*)\)$/, "$1")}`.trimEnd());
}

/** Prints an error as one line of text or, with `--json`, of JSON. Never prints its stack. */
export function printFailure(error: unknown, output: Output): void {
  const failure = error instanceof Error ? error : new Error("An unexpected error occurred.");
  const code = "code" in failure && typeof failure.code === "string" ? failure.code : "unexpected";
  const [line = ""] = failure.message.split("\n");
  // The messages of this package contain no key. Those of others, such as of the system, may repeat an argument.
  const safe = toPrintable(line || failure.name).replace(/\b(sk|pk)_[\w-]+/g, "$1_...");
  if (output.isJson) output.event({ error: { code: code.toLowerCase(), message: safe } });
  else output.note(`payments: ${safe}`);
}
