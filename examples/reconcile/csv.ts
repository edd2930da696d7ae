/** A line of CSV may be broken within quotes, so cells are read one by one. */
const CELL = String.raw` *(?:"((?:[^"]|"")*)" *|([^"\r\nSEPARATOR]*))(SEPARATOR|\r?\n|$)`;

/**
 * The rows of a CSV file by the names in its head, whatever separates the cells: a comma, a semicolon (as spreadsheets do
 * in Brazil) or a tab. It follows RFC 4180, and leaves out empty lines.
 *
 * @throws {SyntaxError} on a row that is longer or shorter than the head: its cells belong to other columns.
 */
export function parseCsv(text: string): Record<string, string>[] {
  const [firstLine = ""] = text.split(/\r?\n/, 1);
  const separator = [";", "\t"].find((one) => firstLine.includes(one)) ?? ",";
  const [head = [], ...rows] = rowsOf(text, new RegExp(CELL.replaceAll("SEPARATOR", separator), "y"));
  const twice = head.find((name, column) => head.indexOf(name) !== column);
  if (twice !== undefined) throw new SyntaxError(`its head names ${twice || "nothing"} twice.`);
  return rows.map((cells, index) => {
    if (cells.length !== head.length) {
      throw new SyntaxError(`row ${index + 1} has ${cells.length} cells, and the head ${head.length}.`);
    }
    return Object.fromEntries(head.map((name, column) => [name, cells[column] ?? ""]));
  });
}

function rowsOf(text: string, cell: RegExp): string[][] {
  const rows: string[][] = [[]];
  while (true) {
    const [, quoted, plain = "", end] = cell.exec(text) ?? [];
    if (end === undefined) throw new SyntaxError(`row ${rows.length - 1} has a quote where none belongs.`);
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain.trim());
    if (end === "") return rows.filter((cells) => cells.length > 1 || cells[0] !== "");
    if (end.endsWith("\n")) rows.push([]);
  }
}
