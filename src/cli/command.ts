import { Command, InvalidArgumentError } from "commander";
import { fromParser, usageFailure } from "./command-failure.ts";
import type { Context, OutputStream } from "./context.ts";
import { t } from "./language.ts";

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
  const title = examples.length > 1 ? t("Examples:", "Exemplos:") : t("Example:", "Exemplo:");
  const lines = examples.map((example) => `  $ npx ${example}`);
  const command: Command = new Command(name)
    .description(summary)
    .configureHelp({
      subcommandTerm: (subcommand) => subcommand.name(),
      styleTitle: translateHelp,
      styleUsage: translateHelp,
      styleDescriptionText: translateHelp,
      minWidthToWrap: 20,
    })
    .helpOption("-h, --help", t("print this help", "mostra esta ajuda"))
    .option(
      "--lang <pt|en>",
      t("language of the output (default: that of the locale)", "idioma da saída (padrão: o do sistema)"),
      createParser(/^(pt|en)$/, () => t("It must be pt or en.", "Deve ser pt ou en."), String),
    )
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
    command.helpCommand(
      t("help [command]", "help [comando]"),
      t("print help for a command", "mostra a ajuda de um comando"),
    );
    for (const child of commands) command.addCommand(child);
  } else
    command
      .option("--json", t("print JSON", "mostra JSON, em inglês"))
      .hook("preAction", () => assertHasValues(command));
  return command;
}

/** The argument and the options that several commands have. */
export const referenceArgument = () =>
  [t("<reference>", "<referência>"), t("the externalRef of the order", "o externalRef do pedido")] as const;
export const yesOption = () => ["--yes", t("do not ask for confirmation", "não pede confirmação")] as const;
export const headerOption = () =>
  [
    "--header",
    t("print a header also outside of a terminal", "mostra os nomes das colunas também fora de um terminal"),
  ] as const;

const HELP_WIDTH_MAX = 100;

function helpWidthOf({ columns }: OutputStream): number {
  return Math.min(columns || HELP_WIDTH_MAX, HELP_WIDTH_MAX);
}

/** The parser's own words in a help page. */
const HELP_WORDS = [
  ["Usage:", "Uso:"],
  ["Arguments:", "Argumentos:"],
  ["Options:", "Opções:"],
  ["Commands:", "Comandos:"],
  ["[options]", "[opções]"],
  ["[command]", "[comando]"],
  ["choices: ", "valores: "],
  ["default: ", "padrão: "],
] as const;

function translateHelp(text: string): string {
  return HELP_WORDS.reduce((result, [word, portuguese]) => result.replace(word, t(word, portuguese)), text);
}

/** For `--host=`, such as with a shell variable that is not set, and for `--store --json`, where the value is missing. */
function assertHasValues(command: Command): void {
  const flags = command.options.flatMap(({ long, short }) => [long, short]);
  for (const option of command.options) {
    const value = command.getOptionValue(option.attributeName());
    if (typeof value !== "string" || (value !== "" && !flags.includes(value))) continue;
    const problem = t(`${option.long} needs a value.`, `${option.long} precisa de um valor.`);
    throw usageFailure(commandLineOf(command), problem);
  }
}

/** For example `payments orders list`. */
export function commandLineOf(command: Command): string {
  return command.parent ? `${commandLineOf(command.parent)} ${command.name()}` : command.name();
}

/** Creates the parser of an option's value. The value is invalid if `convert` returns `undefined`. */
function createParser<Value>(
  pattern: RegExp,
  rule: () => string,
  convert: (text: string) => Value | undefined,
) {
  return (text: string): Value => {
    const value = pattern.test(text) ? convert(text) : undefined;
    if (value === undefined) throw new InvalidArgumentError(rule());
    return value;
  };
}

const wholeNumberRule = () => t("It must be a whole number.", "Deve ser um número inteiro.");

/** `Number` alone would also accept "1e3" and "0x10". */
export const parseWholeNumber = createParser(/^-?\d{1,15}$/, wholeNumberRule, Number);

export const parseCount = createParser(
  /^[1-9]\d{0,8}$/,
  () => t("It must be a whole number, 1 or more.", "Deve ser um número inteiro a partir de 1."),
  Number,
);

/** Kept as text: an id may be above 2^53 - 1. */
export const parseTransactionId = createParser(/^[1-9]\d{0,39}$/, wholeNumberRule, String);

const UNITS_IN_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of a duration such as `90s`, `15m`, `2h` or `3d`. */
export const parseDuration = createParser(
  /^\d{1,6}[smhd]$/,
  () =>
    t("It must be a number and s, m, h or d, such as 15m.", "Deve ser um número e s, m, h ou d, como 15m."),
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
