import { styleText } from "node:util";
import type { Context, OutputStream } from "./context.ts";

type Color = "bold" | "dim" | "green" | "yellow" | "red";

/** A part of a line, or a cell of a table. A terminal shows its colour. */
export type Text = string | { readonly text: string; readonly color: Color };

const withColor =
  (color: Color) =>
  (text: string): Text => ({ text, color });
export const bold = withColor("bold");
export const dim = withColor("dim");
export const green = withColor("green");
export const yellow = withColor("yellow");
export const red = withColor("red");

/** Prints results to stdout and notes to stderr. Control characters are escaped, so external data is safe to print. */
export class Output {
  readonly isJson: boolean;
  readonly #context: Pick<Context, "stdout" | "stderr" | "env">;

  constructor(context: Pick<Context, "stdout" | "stderr" | "env">, isJson = false) {
    this.#context = context;
    this.isJson = isJson;
  }

  /** Prints the only result of a command: with `--json` the value, otherwise what `printText` prints. */
  result(value: unknown, printText: () => void): void {
    if (this.isJson) this.#context.stdout.write(`${escapeJson(JSON.stringify(value, null, 2))}\n`);
    else printText();
  }

  /** Prints an event of a stream: with `--json` the value as one line of JSON, otherwise the line. */
  event(value: unknown, ...line: readonly Text[]): void {
    if (this.isJson) this.#context.stdout.write(`${escapeJson(JSON.stringify(value))}\n`);
    else this.line(...line);
  }

  line(...parts: readonly Text[]): void {
    this.#print(this.#context.stdout, parts);
  }

  /** Prints a table in a terminal. Elsewhere, each row is a line of cells separated by tabs, without a header. */
  table(header: readonly string[], rows: readonly (readonly Text[])[]): void {
    const lines = this.#context.stdout.isTTY
      ? alignColumns([header.map(bold), ...rows])
      : rows.map((row) => row.flatMap((cell, column) => (column === 0 ? [cell] : ["\t", cell])));
    for (const line of lines) this.line(...line);
  }

  /** Prints a line to stderr, such as a warning or a hint. */
  note(...parts: readonly Text[]): void {
    this.#print(this.#context.stderr, parts);
  }

  #print(stream: OutputStream, parts: readonly Text[]): void {
    const { env } = this.#context;
    const hasColors = stream.isTTY === true && !env["NO_COLOR"] && env["TERM"] !== "dumb";
    const texts = parts.map((part) => {
      if (part === "\t") return part;
      if (typeof part === "string" || !hasColors) return printableOf(part);
      return styleText(part.color, printableOf(part), { validateStream: false });
    });
    stream.write(`${texts.join("")}\n`);
  }
}

const printableOf = (part: Text) => toPrintable(typeof part === "string" ? part : part.text);

/** Pads all cells except the last one of each row, with two spaces between columns. */
function alignColumns(rows: readonly (readonly Text[])[]): readonly (readonly Text[])[] {
  const lengthOf = (cell: Text = "") => printableOf(cell).length;
  const widths = (rows[0] ?? []).map((_, column) =>
    rows.reduce((width, row) => Math.max(width, lengthOf(row[column])), 0),
  );
  return rows.map((row) =>
    row.flatMap((cell, column) => {
      if (column === row.length - 1) return [cell];
      return [cell, " ".repeat((widths[column] ?? 0) - lengthOf(cell) + 2)];
    }),
  );
}

/**
 * Control characters, and characters that change the direction of text or break a line. In a terminal they could move
 * the cursor, hide text or show something else.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** The text in one line, with each control character as `\u001b`. */
export function toPrintable(text: string): string {
  return text.replace(UNPRINTABLE, toEscape);
}

/** `JSON.stringify` escapes the characters below U+0020 inside strings: a line break is part of the indentation. */
function escapeJson(json: string): string {
  return json.replace(UNPRINTABLE, (character) => (character === "\n" ? character : toEscape(character)));
}

function toEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

const ITEMS_PER_UPDATE = 1_000;

/** Shows on stderr that a long command is still working; only in a terminal. */
export function createProgress({ stderr }: Pick<Context, "stderr">, what: string) {
  let items = 0;
  let isShown = false;
  return {
    /** Call it for each item. */
    count(): void {
      items += 1;
      if (!stderr.isTTY || items % ITEMS_PER_UPDATE > 0) return;
      stderr.write(`\r${items.toLocaleString("en")} ${what}`);
      isShown = true;
    },
    /** Removes the line, so that something else can be printed. */
    clear(): void {
      if (isShown) stderr.write("\r\u001b[K"); // to the end of the line
      isShown = false;
    },
  };
}
