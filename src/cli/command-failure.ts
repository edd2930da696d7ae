import type { CommanderError } from "commander";
import { t } from "./language.ts";
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
  return new Failure("usage", `${problem} ${t("See", "Veja")} ${commandLine} --help.`);
}

/** The failure for an error of `server.listen()`; `undefined` for other errors. */
export function cannotListen(error: unknown, host: string, port: number): Failure | undefined {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (code === undefined) return undefined;
  if (code === "EADDRINUSE") {
    const advice = t("Choose another with --port, or --port 0.", "Escolha outra com --port, ou --port 0.");
    const problem = t(`Port ${port} is in use.`, `A porta ${port} está em uso.`);
    return new Failure("port_in_use", `${problem} ${advice}`);
  }
  if (code === "EACCES") {
    const advice = t("Choose one above 1023 with --port.", "Escolha uma acima de 1023 com --port.");
    const problem = t(`Port ${port} is not allowed.`, `A porta ${port} não é permitida.`);
    return new Failure("port_not_allowed", `${problem} ${advice}`);
  }
  const question = t("Is it an address of this machine?", "É um endereço desta máquina?");
  const problem = t(`Cannot listen on ${host}.`, `Não foi possível escutar em ${host}.`);
  return new Failure("cannot_listen", `${problem} ${question}`);
}

/** What the parser reports, and what the command prints: without the value of an option, which may be a secret. */
const PARSER_PROBLEMS: readonly (readonly [pattern: RegExp, english: string, portuguese: string])[] = [
  [/^unknown option '([^=]*?)(=.*)?'$/s, "Unknown option '$1'.", "Opção desconhecida: '$1'."],
  [/^unknown command '(.*)'$/s, "Unknown command '$1'.", "Comando desconhecido: '$1'."],
  [/^missing required argument '(.*)'$/, "Missing argument <$1>.", "Falta o argumento <$1>."],
  [/^required option '([^' ]+).*' not specified$/, "Missing option $1.", "Falta a opção $1."],
  [/^option '([^' ]+).*' argument missing$/, "$1 needs a value.", "$1 precisa de um valor."],
  [
    /^too many arguments.*?\. Expected (\d+) arguments? but got (\d+): .*$/s,
    "Too many arguments: expected $1, got $2.",
    "Argumentos demais: esperados $1, recebidos $2.",
  ],
  [
    /^option '([^' ]+).*' argument '.*' is invalid\. (.*)$/s,
    "The value of $1 is invalid. $2",
    "O valor de $1 é inválido. $2",
  ],
  [
    /^command-argument value '.*' is invalid for argument '(.*)'\. (.*)$/s,
    "The value of <$1> is invalid. $2",
    "O valor de <$1> é inválido. $2",
  ],
];

const OTHER_PROBLEM = [/.*/s, "The arguments are invalid.", "Os argumentos são inválidos."] as const;

/** Converts an error of the parser, which has the form "error: unknown option '--prot'\n(Did you mean --port?)". */
export function fromParser(commandLine: string, error: CommanderError): Error {
  if (error.exitCode === 0 || error.code === "commander.help") return error; // help or the version was printed
  const [, problem = "", several = "", similar] =
    /^error: (.*?)(?:\n\(Did you mean (one of )?(.*)\?\))?$/s.exec(error.message) ?? [];
  const [pattern, english, portuguese] =
    PARSER_PROBLEMS.find(([known]) => known.test(problem)) ?? OTHER_PROBLEM;
  const sentence = problem
    .replace(pattern, t(english, portuguese))
    .replace("Allowed choices are", t("Allowed choices are", "Os valores possíveis são"));
  if (similar === undefined) return usageFailure(commandLine, sentence);
  const question = t(`Did you mean ${several}${similar}?`, `Você quis dizer ${similar}?`);
  return usageFailure(commandLine, `${sentence} ${question}`);
}

/** Prints an error as one line of text or, with `--json`, of JSON. Never prints its stack. */
export function printFailure(error: unknown, output: Output): void {
  const failure =
    error instanceof Error
      ? error
      : new Error(t("An unexpected error occurred.", "Ocorreu um erro inesperado."));
  const code = "code" in failure && typeof failure.code === "string" ? failure.code : "unexpected";
  const [line = ""] = failure.message.split("\n");
  // The messages of this package contain no key. Those of others, such as of the system, may repeat an argument.
  const safe = toPrintable(line || failure.name).replace(/\b(sk|pk)_[\w-]+/g, "$1_...");
  if (output.isJson) output.event({ error: { code: code.toLowerCase(), message: safe } });
  else output.note(`payments: ${safe}`);
}
