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

/** What the parser reports, and what the command prints: without the value of an option, which may be a secret. */
const PARSER_PROBLEMS: readonly (readonly [pattern: RegExp, text: string])[] = [
  [/^unknown option '([^=]*?)(=.*)?'$/s, "Unknown option '$1'."],
  [/^unknown command '(.*)'$/s, "Unknown command '$1'."],
  [/^missing required argument '(.*)'$/, "Missing argument <$1>."],
  [/^required option '([^' ]+).*' not specified$/, "Missing option $1."],
  [/^option '([^' ]+).*' argument missing$/, "$1 needs a value."],
  [
    /^too many arguments.*?\. Expected (\d+) arguments? but got (\d+): .*$/s,
    "Too many arguments: expected $1, got $2.",
  ],
  [/^option '([^' ]+).*' argument '.*' is invalid\. (.*)$/s, "The value of $1 is invalid. $2"],
  [
    /^command-argument value '.*' is invalid for argument '(.*)'\. (.*)$/s,
    "The value of <$1> is invalid. $2",
  ],
];

const OTHER_PROBLEM = [/.*/s, "The arguments are invalid."] as const;

/** Converts an error of the parser, which has the form "error: unknown option '--prot'\n(Did you mean --port?)". */
export function fromParser(commandLine: string, error: CommanderError): Error {
  if (error.exitCode === 0 || error.code === "commander.help") return error; // help or the version was printed
  const [, problem = "", several = "", similar] =
    /^error: (.*?)(?:\n\(Did you mean (one of )?(.*)\?\))?$/s.exec(error.message) ?? [];
  const [pattern, text] = PARSER_PROBLEMS.find(([known]) => known.test(problem)) ?? OTHER_PROBLEM;
  const question = similar === undefined ? "" : ` Did you mean ${several}${similar}?`;
  return usageFailure(commandLine, problem.replace(pattern, text) + question);
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
