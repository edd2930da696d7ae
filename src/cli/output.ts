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

type Row = readonly Text[];

/**
 * Prints results to stdout and notes to stderr. Characters that a terminal obeys or does not show are escaped, so external
 * data is safe to print.
 */
export class Output {
  readonly isJson: boolean;
  readonly #hasHeader: boolean;
  readonly #context: Pick<Context, "stdout" | "stderr" | "env">;

  /** @param hasHeader - Whether tables have a header outside of a terminal, too. */
  constructor(context: Pick<Context, "stdout" | "stderr" | "env">, isJson = false, hasHeader = false) {
    this.#context = context;
    this.isJson = isJson;
    this.#hasHeader = hasHeader;
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

  line(...parts: Row): void {
    this.#print(this.#context.stdout, [parts]);
  }

  /** Prints a line that begins with a name. */
  detail(name: string, ...parts: Row): void {
    this.line(`  ${name.padEnd(13)}`, ...parts);
  }

  /** Prints a table in a terminal. Elsewhere, each row is a line of cells separated by tabs. */
  table(header: readonly string[], rows: readonly Row[]): void {
    this.startTable(header)(rows);
  }

  /** Returns a function that prints more rows of a table. A column becomes wider when a wider cell arrives. */
  startTable(header: readonly string[]): (rows: readonly Row[]) => void {
    const { stdout } = this.#context;
    const widths: number[] = [];
    let hasHeader = stdout.isTTY || this.#hasHeader;
    return (rows) => {
      if (rows.length === 0) return;
      const cells = rows.map((row) => row.map(showEdges));
      const all = hasHeader ? [header.map(bold), ...cells] : cells;
      hasHeader = false;
      this.#print(stdout, stdout.isTTY ? alignColumns(all, widths) : all.map(separateCells));
    };
  }

  /** Resolves when stdout takes more: a slow reader must not make this process keep all that it prints. */
  async untilReady(): Promise<void> {
    const { stdout } = this.#context;
    if (stdout.writableNeedDrain) await new Promise<void>((resolve) => stdout.once?.("drain", resolve));
  }

  /** Prints a warning, if there is one. */
  warn(warning: string | undefined): void {
    if (warning !== undefined) this.line(red(warning));
  }

  /** Prints a line to stderr, such as a warning or a hint. */
  note(...parts: Row): void {
    this.#print(this.#context.stderr, [parts]);
  }

  #print(stream: OutputStream, lines: readonly Row[]): void {
    const { env } = this.#context;
    const hasColors = stream.isTTY === true && !env["NO_COLOR"] && env["TERM"] !== "dumb";
    const toShown = (part: Text) => {
      if (part === "\t") return part;
      if (typeof part === "string" || !hasColors) return printableOf(part);
      return styleText(part.color, printableOf(part), { validateStream: false });
    };
    stream.write(lines.map((parts) => `${parts.map(toShown).join("")}\n`).join(""));
  }
}

const separateCells = (row: Row): Row =>
  row.flatMap((cell, column) => (column === 0 ? [cell] : ["\t", cell]));

const printableOf = (part: Text) => toPrintable(typeof part === "string" ? part : part.text);

/** Spaces at the start and end of a cell would look like those around it. */
function showEdges(cell: Text): Text {
  if (typeof cell !== "string") return { ...cell, text: String(showEdges(cell.text)) };
  return cell.replace(/^ +|(?<! ) +$/g, (spaces) => "\\u0020".repeat(spaces.length));
}

/** Otherwise one long cell of a file would make each row as long. */
const WIDTH_MAX = 60;

/**
 * Pads all cells except the last one of each row, with two spaces between columns. A cell may be wider than its column.
 *
 * @param widths - Of the columns so far. Is updated.
 */
function alignColumns(rows: readonly Row[], widths: number[]): readonly Row[] {
  const lengthOf = (cell: Text) => printableOf(cell).length;
  for (const row of rows) {
    for (const [column, cell] of row.entries()) {
      widths[column] = Math.max(widths[column] ?? 0, Math.min(lengthOf(cell), WIDTH_MAX));
    }
  }
  return rows.map((row) =>
    row.flatMap((cell, column) => {
      if (column === row.length - 1) return [cell];
      return [cell, " ".repeat(Math.max((widths[column] ?? 0) - lengthOf(cell), 0) + 2)];
    }),
  );
}

/**
 * Characters that a terminal obeys, such as those that move the cursor or change the direction of text, and characters that
 * it does not show or shows as a space, which would make two references look the same. Amounts have a space after R$.
 */
const UNPRINTABLE =
  /[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]|(?!(?<=R\$)\u00a0)[^\P{Z} ]/gu;

/** Characters that Unicode may compose with those around them. */
const COMPOSED = /[\u1100-\u11ff\uac00-\ud7a3]+|\P{M}\p{M}+|[^\0-\x7f]/gu;

/** The text in one line, with each of these characters, and with what is not in Unicode form NFC, as `\u001b`. */
export function toPrintable(text: string): string {
  return showComposed(text).replace(UNPRINTABLE, toEscape);
}

/** `JSON.stringify` escapes the characters below U+0020 inside strings: a line break is part of the indentation. */
function escapeJson(json: string): string {
  return showComposed(json).replace(UNPRINTABLE, (character) =>
    character === "\n" ? character : toEscape(character),
  );
}

function showComposed(text: string): string {
  if (text === text.normalize()) return text;
  return text.replace(COMPOSED, (part) =>
    part === part.normalize() ? part : part.replace(/[^\0-\x7f]/gu, toEscape),
  );
}

/** In JSON, a character beyond U+FFFF has two escapes. */
function toEscape(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
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
