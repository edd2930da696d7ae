import { Command, InvalidArgumentError } from "commander";
import type { Context } from "./context.ts";
import { fromParser, usageFailure } from "./failure.ts";

interface CommandDescription {
  readonly name: string;
  /** One line for the list of commands, and the first one of its own help. */
  readonly summary: string;
  /** More of its help, after the list of options. */
  readonly details?: string;
  /** Lines for a terminal, without npx. At least one. */
  readonly examples: readonly string[];
  /** The commands of a group such as `orders`. The group itself does nothing. */
  readonly commands?: readonly Command[];
}

/**
 * Creates a command with `--help`, examples and, unless it is a group, `--json`. Add its arguments, options and action
 * to it. An action reads the options with `command.opts()` and throws a `Failure`.
 */
export function createCommand(context: Context, description: CommandDescription): Command {
  const { name, summary, details, examples, commands } = description;
  const command = new Command(name)
    .description(summary)
    .configureHelp({ subcommandTerm: (subcommand) => subcommand.name() })
    .helpOption("-h, --help", "print this help")
    .configureOutput({
      writeOut: (text) => void context.stdout.write(text),
      writeErr: (text) => void context.stderr.write(text),
      outputError: () => {}, // `main` prints the failure
      getOutHelpWidth: () => context.stdout.columns ?? 100,
      getErrHelpWidth: () => context.stderr.columns ?? 100,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .exitOverride((error) => {
      throw fromParser(commandLineOf(command), error);
    })
    .addHelpText("after", helpAfter(details, examples));

  if (commands) {
    command.helpCommand("help [command]", "print help for a command");
    for (const child of commands) command.addCommand(child);
  } else command.option("--json", "print JSON").hook("preAction", () => refuseMissingValues(command));
  return command;
}

function helpAfter(details: string | undefined, examples: readonly string[]): string {
  const title = examples.length > 1 ? "Examples" : "Example";
  const lines = examples.map((example) => `  $ npx ${example}`);
  return `${details ? `\n${details}\n` : ""}\n${title}:\n${lines.join("\n")}`;
}

/** `--host=` is a mistake, such as a variable of the shell that is not set. In `--store --json` a value is missing. */
function refuseMissingValues(command: Command): void {
  const flags = command.options.flatMap(({ long, short }) => [long, short]);
  for (const option of command.options) {
    const value = command.getOptionValue(option.attributeName());
    if (typeof value !== "string" || (value !== "" && !flags.includes(value))) continue;
    throw usageFailure(commandLineOf(command), `${option.long} needs a value.`);
  }
}

/** Reads the value of an option such as `--port`. `Number` alone would accept "1e3" and "0x10", too. */
export function wholeNumber(text: string): number {
  if (/^-?\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a whole number.");
}

/** Reads a port; 0 selects a free one. */
export function portNumber(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new InvalidArgumentError("It must be a whole number from 0 to 65535.");
}

/** For example `payments orders list`. */
export function commandLineOf(command: Command): string {
  return command.parent ? `${commandLineOf(command.parent)} ${command.name()}` : command.name();
}
