import { styleText } from "node:util";
import type { Context, OutputStream } from "./context.ts";

type Color = "bold" | "dim" | "green" | "yellow" | "red";

/** Text with a colour, which only a terminal shows. */
interface Colored {
  readonly text: string;
  readonly color: Color;
}

/** A piece of a line, or a cell of a table. Its control characters are escaped. */
export type Text = string | Colored;

export const bold = (text: string): Text => ({ text, color: "bold" });
export const dim = (text: string): Text => ({ text, color: "dim" });
export const green = (text: string): Text => ({ text, color: "green" });
export const yellow = (text: string): Text => ({ text, color: "yellow" });
export const red = (text: string): Text => ({ text, color: "red" });

/** What a command prints. Everything from outside is safe to print with it: no control character remains. */
export interface Output {
  /** Whether the user asked for `--json`. */
  readonly isJson: boolean;
  /** Prints a JSON document, with or without `--json`. */
  json(value: unknown): void;
  /** Prints the only result of a command: `value` with `--json`, and otherwise what `print` prints. */
  result(value: unknown, print: () => void): void;
  /** Prints an event of a stream: `value` as one line of JSON with `--json`, and otherwise the line. */
  event(value: unknown, ...line: readonly Text[]): void;
  /** Prints one line, made of these pieces. */
  line(...pieces: readonly Text[]): void;
  /** Prints a table in a terminal. Elsewhere each row is a line of cells with a tab between them, without a header. */
  table(header: readonly string[], rows: readonly (readonly Text[])[]): void;
  /** Prints a line to stderr: a warning or a hint, which is not a result. */
  note(...pieces: readonly Text[]): void;
}

export function createOutput({ stdout, stderr, env }: Context, isJson: boolean | undefined): Output {
  const print = (stream: OutputStream, pieces: readonly Text[]) => {
    const isColored = hasColors(stream, env);
    stream.write(`${pieces.map((piece) => render(piece, isColored)).join("")}\n`);
  };
  const line = (...pieces: readonly Text[]) => print(stdout, pieces);
  const json = (value: unknown) => void stdout.write(`${escapeJson(JSON.stringify(value, null, 2))}\n`);

  return {
    isJson: isJson === true,
    json,
    result: (value, printText) => (isJson ? json(value) : printText()),
    event: (value, ...pieces) => {
      if (isJson) stdout.write(`${escapeJson(JSON.stringify(value))}\n`);
      else line(...pieces);
    },
    line,
    table: (header, rows) => {
      if (!stdout.isTTY)
        for (const row of rows) line(...row.flatMap((cell, at) => (at ? ["\t", cell] : [cell])));
      else for (const row of alignColumns([header.map(bold), ...rows])) line(...row);
    },
    note: (...pieces) => print(stderr, pieces),
  };
}

function hasColors({ isTTY }: OutputStream, env: Context["env"]): boolean {
  return isTTY === true && !env["NO_COLOR"] && env["TERM"] !== "dumb";
}

function render(piece: Text, isColored: boolean): string {
  if (piece === "\t") return piece;
  const text = toPrintable(textOf(piece));
  if (typeof piece === "string" || !isColored) return text;
  return styleText(piece.color, text, { validateStream: false });
}

function textOf(piece: Text): string {
  return typeof piece === "string" ? piece : piece.text;
}

/** Pads all cells but the last one of each row, with two spaces between columns. */
function alignColumns(rows: readonly (readonly Text[])[]): readonly (readonly Text[])[] {
  const lengthOf = (cell: Text) => toPrintable(textOf(cell)).length;
  const widths = (rows[0] ?? []).map((_, column) =>
    rows.reduce((width, row) => Math.max(width, lengthOf(row[column] ?? "")), 0),
  );
  return rows.map((row) =>
    row.flatMap((cell, column) => {
      if (column === row.length - 1) return [cell];
      return [cell, " ".repeat((widths[column] ?? 0) - lengthOf(cell) + 2)];
    }),
  );
}

/**
 * Control characters, and those that change the direction of text or break a line. In a terminal they could move
 * the cursor, hide text or show something else.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** The text in one line, with each control character as `\u001b`. */
export function toPrintable(text: string): string {
  return text.replace(UNPRINTABLE, toEscape);
}

/** JSON has escaped the first 32. What is left stands in strings, and the line breaks of the indentation between. */
function escapeJson(json: string): string {
  return json.replace(UNPRINTABLE, (character) => (character === "\n" ? character : toEscape(character)));
}

function toEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
