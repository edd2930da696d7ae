import type { Aim, Section, Table } from "./measurement.ts";

/** A section in Markdown, which a terminal shows as well. */
export function sectionText({ title, text, tables, aims }: Section): string {
  const parts = [`## ${title}`, text, ...tables.map(tableText)];
  if (aims.length > 0) parts.push(tableText(aimsTable(aims)));
  return `${parts.join("\n\n")}\n`;
}

export function tableText({ caption, columns, rows }: Table): string {
  const widths = columns.map((column, at) =>
    Math.max(column.length, ...rows.map((row) => row[at]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join(" | ")} |`;
  const ruler = `|${widths.map((width, at) => (at === 0 ? `${"-".repeat(width + 2)}` : `${"-".repeat(width + 1)}:`)).join("|")}|`;
  const table = [line(columns), ruler, ...rows.map(line)].join("\n");
  return caption === "" ? table : `**${caption}**\n\n${table}`;
}

export function aimsTable(aims: readonly Aim[]): Table {
  return {
    caption: "Aims",
    columns: ["what", "at most", "found", "unit", ""],
    rows: aims.map((aim) => [aim.what, figure(aim.limit), figure(aim.found), aim.unit, verdict(aim)]),
  };
}

export const isMet = ({ limit, found }: Aim): boolean => found <= limit;

const verdict = (aim: Aim) => (isMet(aim) ? "met" : "missed");

/** Two places below ten, none above a thousand. */
export function figure(value: number): string {
  const places = Math.abs(value) < 10 ? 2 : Math.abs(value) < 1000 ? 1 : 0;
  return Number.isInteger(value) ? String(value) : value.toFixed(places);
}
