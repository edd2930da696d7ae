import { parseArgs } from "node:util";
import { check, UsageError } from "./failure.ts";

/** A flag of an example, and how its value is read. */
export interface Flag<Value> {
  /** What stands for its value in the help. A flag without it takes none. */
  readonly value?: string;
  readonly meaning: string;
  /** @throws {UsageError} */
  readonly read: (text: string | undefined, name: string) => Value;
}

export type Flags = Readonly<Record<string, Flag<unknown>>>;

export type FlagValues<Table extends Flags> = {
  readonly [Name in keyof Table]: Table[Name] extends Flag<infer Value> ? Value : never;
};

export function toggle(meaning: string): Flag<boolean> {
  return { meaning, read: (text) => text !== undefined };
}

export function text(value: string, meaning: string): Flag<string | undefined> {
  return { value, meaning, read: (given) => given };
}

/** A whole number, or `undefined` where none is given. */
export function wholeNumber(
  value: string,
  meaning: string,
  [from, to]: readonly [from: number, to: number],
): Flag<number | undefined> {
  const read = (given: string | undefined, name: string) => {
    if (given === undefined) return undefined;
    const number = /^\d{1,15}$/.test(given) ? Number(given) : Number.NaN;
    check(number >= from && number <= to, `--${name} must be a whole number from ${from} to ${to}.`);
    return number;
  };
  return { value, meaning, read };
}

/** One of a few words, or `undefined` where none is given. */
export function choice<const Word extends string>(
  value: string,
  words: readonly Word[],
  meaning: string,
): Flag<Word | undefined> {
  const read = (given: string | undefined, name: string) => {
    const word = words.find((known) => known === given);
    check(given === undefined || word, `--${name} must be one of ${words.join(", ")}.`);
    return word;
  };
  return { value, meaning, read };
}

/** What was typed, before it is read. */
export interface Typed {
  readonly values: Readonly<Record<string, string | boolean | undefined>>;
  /** What is no flag. */
  readonly words: readonly string[];
}

/** @throws {UsageError} that repeats no value: somebody may have typed a card number. */
export function parse(args: readonly string[], flags: Flags): Typed {
  const options = Object.fromEntries(
    Object.entries(flags).map(([name, { value }]) => [
      name,
      { type: value === undefined ? ("boolean" as const) : ("string" as const) },
    ]),
  );
  try {
    const typed = parseArgs({ args: [...args], options, allowPositionals: true, tokens: true });
    const names = typed.tokens.flatMap((token) => (token.kind === "option" ? [token.name] : []));
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    check(twice === undefined, `--${twice} was given twice.`);
    return { values: typed.values, words: typed.positionals };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const [, flag = "That"] = /'(--?[a-z][a-z-]*)/i.exec((error as Error).message) ?? [];
    const isUnknown = (error as NodeJS.ErrnoException).code === "ERR_PARSE_ARGS_UNKNOWN_OPTION";
    if (isUnknown) throw new UsageError(`${flag} is no flag.`);
    const needsValue = flags[flag.slice(2)]?.value !== undefined;
    throw new UsageError(`${flag} ${needsValue ? "needs a value" : "takes no value"}.`);
  }
}

/** @throws {UsageError} */
export function read<Table extends Flags>({ values }: Typed, flags: Table): FlagValues<Table> {
  const entries = Object.entries(flags).map(([name, flag]) => {
    const given = values[name];
    return [name, flag.read(given === undefined ? undefined : String(given), name)];
  });
  return Object.fromEntries(entries) as FlagValues<Table>;
}
