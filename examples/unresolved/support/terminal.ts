import { stdout } from "node:process";
import { stripVTControlCharacters, styleText } from "node:util";

type Style = Parameters<typeof styleText>[0];

/** Text in a style, or plain where nobody would see it: no terminal, or NO_COLOR. */
export function styled(style: Style, text: string): string {
  return styleText(style, text, { stream: stdout });
}

const LABEL_WIDTH = 12;

/** A label and its value, aligned with the ones above and below. */
export function row(label: string, value: string): void {
  console.log(`  ${label.padEnd(LABEL_WIDTH)} ${shown(value)}`);
}

/**
 * A text of somebody else's may hold what a terminal would obey. What {@link styled} makes stays, because it ends what
 * it begins.
 */
export function shown(value: string): string {
  if (!OBEYED.test(value.replaceAll(STYLED, "$1"))) return value;
  return JSON.stringify(stripVTControlCharacters(value).replaceAll(new RegExp(OBEYED, "gu"), ""));
}

/** Control characters, and what turns the direction of a text. */
const OBEYED = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;

/** Bold, red, green, yellow; and nothing but text in it. */
const STYLED = new RegExp(`${"\\u001b"}\\[(?:1|31|32|33)m(\\P{Cc}*)${"\\u001b"}\\[(?:22|39)m`, "gu");

const GREEN = ["approved", "online", "active", "paid"];
const RED = ["refused", "offline", "chargedback", "blocked", "missing"];

/** A status in the colour of what it means. */
export function statusText(status: string = "unknown"): string {
  if (GREEN.includes(status)) return styled("green", status);
  return styled(RED.includes(status) ? "red" : "yellow", status);
}

/** Columns as wide as what is in them; those of numbers are set to the right. */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  numbers: readonly number[] = [],
): void {
  const lines = rows.map((cells) => cells.map(shown));
  const widthOf = (text: string) => stripVTControlCharacters(text).length;
  const widths = head.map((title, column) =>
    Math.max(widthOf(title), ...lines.map((cells) => widthOf(cells[column] ?? ""))),
  );
  const print = (cells: readonly string[]) => {
    const padded = cells.map((cell, column) => {
      const space = " ".repeat((widths[column] ?? 0) - widthOf(cell));
      return numbers.includes(column) ? space + cell : cell + space;
    });
    console.log(`  ${padded.join("  ").trimEnd()}`);
  };
  print(head.map((title) => styled("bold", title)));
  for (const cells of lines) print(cells);
}
