import { Command, InvalidArgumentError } from "commander";
import { fromParser, usageFailure } from "./command-failure.ts";
import type { Context, OutputStream } from "./context.ts";

interface CommandDescription {
  readonly name: string;
  /** Is also printed in the list of commands. */
  readonly summary: string;
  /** More help, after the list of options. It is wrapped. */
  readonly details?: string;
  /** At least one command line, without npx. */
  readonly examples: readonly string[];
  /** The commands of a group such as `orders`. A group has no action. */
  readonly commands?: readonly Command[];
}

/** Creates a command with `--help`, examples and, unless it is a group, `--json`. Its action throws `Failure`s. */
export function createCommand(context: Context, description: CommandDescription): Command {
  const { name, summary, details, examples, commands } = description;
  const title = examples.length > 1 ? "Examples:" : "Example:";
  const lines = examples.map((example) => `  $ npx ${example}`);
  const command: Command = new Command(name)
    .description(summary)
    .configureHelp({
      subcommandTerm: (subcommand) => subcommand.name(),
      minWidthToWrap: 20,
    })
    .helpOption("-h, --help", "print this help")
    .configureOutput({
      writeOut: (text) => void context.stdout.write(text),
      writeErr: (text) => void context.stderr.write(text),
      outputError: () => {}, // `main` prints the failure
      getOutHelpWidth: () => helpWidthOf(context.stdout),
      getErrHelpWidth: () => helpWidthOf(context.stderr),
    })
    .exitOverride((error) => {
      throw fromParser(commandLineOf(command), error);
    })
    .addHelpText("after", ({ error }) => {
      const width = helpWidthOf(error ? context.stderr : context.stdout);
      const text = details ? `\n${command.createHelp().boxWrap(details, width)}\n` : "";
      return `${text}\n${title}\n${lines.join("\n")}`;
    });

  if (commands) {
    command.helpCommand("help [command]", "print help for a command");
    for (const child of commands) command.addCommand(child);
  } else command.option("--json", "print JSON").hook("preAction", () => assertHasValues(command));
  return command;
}

/** The argument and the options that several commands have. */
export const REFERENCE_ARGUMENT = ["<reference>", "the externalRef of the order"] as const;
export const YES_OPTION = ["--yes", "do not ask for confirmation"] as const;
export const HEADER_OPTION = ["--header", "print a header also outside of a terminal"] as const;

const HELP_WIDTH_MAX = 100;

function helpWidthOf({ columns }: OutputStream): number {
  return Math.min(columns || HELP_WIDTH_MAX, HELP_WIDTH_MAX);
}

/** For `--host=`, such as with a shell variable that is not set, and for `--store --json`, where the value is missing. */
function assertHasValues(command: Command): void {
  const flags = command.options.flatMap(({ long, short }) => [long, short]);
  for (const option of command.options) {
    const value = command.getOptionValue(option.attributeName());
    if (typeof value !== "string" || (value !== "" && !flags.includes(value))) continue;
    throw usageFailure(commandLineOf(command), `${option.long} needs a value.`);
  }
}

/** For example `payments orders list`. */
export function commandLineOf(command: Command): string {
  return command.parent ? `${commandLineOf(command.parent)} ${command.name()}` : command.name();
}

/** Creates the parser of an option's value. The value is invalid if `convert` returns `undefined`. */
function createParser<Value>(pattern: RegExp, rule: string, convert: (text: string) => Value | undefined) {
  return (text: string): Value => {
    const value = pattern.test(text) ? convert(text) : undefined;
    if (value === undefined) throw new InvalidArgumentError(rule);
    return value;
  };
}

const WHOLE_NUMBER_RULE = "It must be a whole number.";

/** `Number` alone would also accept "1e3" and "0x10". */
export const parseWholeNumber = createParser(/^-?\d{1,15}$/, WHOLE_NUMBER_RULE, Number);

export const parseCount = createParser(/^[1-9]\d{0,8}$/, "It must be a whole number, 1 or more.", Number);

/** Kept as text: an id may be above 2^53 - 1. */
export const parseTransactionId = createParser(/^[1-9]\d{0,39}$/, WHOLE_NUMBER_RULE, String);

const UNITS_IN_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of a duration such as `90s`, `15m`, `2h` or `3d`. */
export const parseDuration = createParser(
  /^\d{1,6}[smhd]$/,
  "It must be a number and s, m, h or d, such as 15m.",
  (text) => Number(text.slice(0, -1)) * (UNITS_IN_MS[text.slice(-1)] ?? 0),
);

/** A duration in its largest whole unit: `45s`, `12m`, `3h`, `5d`. */
export function formatDuration(ms: number): string {
  const [unit, unitInMs] = Object.entries(UNITS_IN_MS).findLast(([, inMs]) => ms >= inMs) ?? ["s", 1_000];
  return `${Math.max(0, Math.floor(ms / unitInMs))}${unit}`;
}

/** Quotes a word of a suggested command line for a POSIX shell. */
export function quoteForShell(word: string): string {
  return /^[\w./:@%+,-][\w./:@%+=,-]*$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
