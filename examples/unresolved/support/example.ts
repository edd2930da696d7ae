import { check, lineOf } from "./failure.ts";
import { type Flags, type FlagValues, parse, read, toggle } from "./flags.ts";

export interface Example<Table extends Flags> {
  /** As in `npm run example <name>`. */
  readonly name: string;
  readonly summary: string;
  /** Which service it runs on. */
  readonly where: string;
  readonly notes: string;
  /** A line for each thing that can be asked of it with words instead of flags. */
  readonly commands?: readonly (readonly [words: string, meaning: string])[];
  readonly flags: Table;
  readonly run: (tools: Tools<Table>) => unknown;
}

export interface Tools<Table extends Flags> {
  readonly flags: FlagValues<Table>;
  /** What was typed besides flags. */
  readonly words: readonly string[];
  /** Prints a result: as a line of JSON, or as `show` does for people. */
  tell<Value>(value: Value, show: (value: Value) => void): void;
  /** Prints something for people only. */
  say(line: string): void;
  /** Is called when the example ends; the last one first. */
  onEnd(end: () => unknown): void;
}

const COMMON = {
  json: toggle("prints JSON and nothing else; `npm run -s example` keeps npm quiet, too"),
  help: toggle("this text"),
};

/** Reads the flags, runs the example, and says in a line what went wrong. */
export async function example<Table extends Flags>(settings: Example<Table>): Promise<void> {
  const { name, commands, flags, run } = settings;
  const ends: (() => unknown)[] = [];
  try {
    const typed = parse(process.argv.slice(2), { ...flags, ...COMMON });
    check(commands || typed.words.length === 0, "It takes flags only.");
    const { json: isJson, help } = read(typed, COMMON);
    if (help) return console.log(helpOf(settings, { ...flags, ...COMMON }));
    await run({
      flags: read(typed, flags),
      words: typed.words,
      tell(value, show) {
        if (isJson) console.log(JSON.stringify(value, withoutCredentials));
        else show(value);
      },
      say(line) {
        if (!isJson) console.log(line);
      },
      onEnd: (end) => ends.push(end),
    });
  } catch (error) {
    console.error(lineOf(error, `Usage: npm run example ${name} -- --help`));
    process.exitCode = 1;
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

function helpOf<Table extends Flags>(settings: Example<Table>, flags: Flags): string {
  const { name, summary, where, notes, commands = [] } = settings;
  const rows = [
    ...commands,
    ...Object.entries(flags).map(
      ([flag, { value = "", meaning }]) => [`--${flag} ${value}`, meaning] as const,
    ),
  ];
  const table = rows.map(([first, meaning]) => `  ${first.trimEnd()}\n      ${meaning}`).join("\n");
  return [summary, `Usage: npm run example ${name} -- [flags]`, table, where, notes].join("\n\n");
}

/** The service echoes where it posts to: a signed postback URL is a credential. */
function withoutCredentials(key: string, value: unknown): unknown {
  return key === "postBackUrl" ? undefined : value;
}
