import type { Flags } from "./flags.ts";
import { VARIABLES, type Variable } from "./service.ts";

/** What the help tells of an example. */
export interface Described {
  /** As in `npm run example <name>`. */
  readonly name: string;
  /** What it does: the first lines of its help. */
  readonly summary: string;
  /** Which service it runs on. Default: a sandbox of its own, or the one that the environment names. */
  readonly where?: string | undefined;
  /** The variables that name a service, as far as it needs them. Default: all three. */
  readonly needs?: readonly Variable[] | undefined;
  /** What else is good to know. */
  readonly notes?: string | undefined;
  /** A line for each thing that can be asked of it with words instead of flags. */
  readonly commands?: readonly (readonly [words: string, meaning: string])[] | undefined;
}

const WIDTH = 80;

function whereOf(needs: readonly Variable[] = VARIABLES): string {
  const named = new Intl.ListFormat("en-GB").format(needs);
  return `Runs on a sandbox of its own, unless ${named} ${needs.length > 1 ? "name" : "names"} a service.`;
}

export function helpOf(described: Described, flags: Flags): string {
  const { name, summary, needs, where = whereOf(needs), notes, commands = [] } = described;
  const synopses = Object.entries(flags).map(
    ([flag, { value, meaning }]) => [`--${flag}${value === undefined ? "" : ` ${value}`}`, meaning] as const,
  );
  const usage = `Usage: npm run example ${name} -- ${commands.length > 0 ? "[command] " : ""}[flags]`;
  const parts = [
    wrap(summary),
    usage,
    ...(commands.length > 0 ? [list(commands)] : []),
    list(synopses),
    wrap(where),
    ...(notes === undefined ? [] : [wrap(notes)]),
  ];
  return parts.join("\n\n");
}

/** Two columns; the second one is wrapped within its own. */
function list(rows: readonly (readonly [string, string])[]): string {
  const width = Math.min(28, Math.max(...rows.map(([first]) => first.length)));
  const indent = " ".repeat(width + 4);
  return rows
    .map(([first, second]) => {
      const meaning = wrap(second, WIDTH - indent.length).replaceAll("\n", `\n${indent}`);
      return first.length > width
        ? `  ${first}\n${indent}${meaning}`
        : `  ${first.padEnd(width)}  ${meaning}`;
    })
    .join("\n");
}

/** Breaks lines at spaces. Lines that are broken already stay so. */
function wrap(text: string, width: number = WIDTH): string {
  return text
    .split("\n")
    .map((line) => line.replace(new RegExp(`(.{1,${width}})(?: +|$)`, "g"), "$1\n").trimEnd())
    .join("\n");
}
