/** Cells are read one by one, because a quoted one may contain line breaks. */
const CELL = String.raw` *(?:"([^"]*(?:""[^"]*)*)" *|([^"\r\nSEPARATOR]*))(SEPARATOR|\r?\n|$)`;

/**
 * The rows of a CSV file by the names in its first line. Cells are separated by commas, by semicolons (as spreadsheets do
 * in Brazil) or by tabs. It follows RFC 4180, and skips empty lines.
 *
 * @throws {SyntaxError} on a row that is longer or shorter than the first line: its cells belong to other columns.
 */
export function* parseCsv(text: string): Generator<Readonly<Record<string, string>>> {
  const [firstLine = ""] = text.split(/\r?\n/, 1);
  const separator = [";", "\t"].find((one) => firstLine.includes(one)) ?? ",";
  const rows = readRows(text, new RegExp(CELL.replaceAll("SEPARATOR", separator), "y"));
  const names: readonly string[] = rows.next().value ?? [];
  const repeated = names.find((name, column) => names.indexOf(name) !== column);
  if (repeated !== undefined) throw new SyntaxError(`it has two columns named ${JSON.stringify(repeated)}`);
  let row = 0;
  for (const cells of rows) {
    row += 1;
    if (cells.length !== names.length) {
      throw new SyntaxError(`row ${row} has ${cells.length} cells, but the first line has ${names.length}`);
    }
    yield Object.fromEntries(names.map((name, column) => [name, cells[column] ?? ""]));
  }
}

function* readRows(text: string, cell: RegExp): Generator<readonly string[], undefined> {
  let cells: string[] = [];
  let row = 0;
  while (true) {
    const [, quoted, plain = "", end] = cell.exec(text) ?? [];
    if (end === undefined)
      throw new SyntaxError(`row ${row} has a quote in an unquoted cell, or an open quote`);
    cells.push(quoted?.replaceAll('""', '"') ?? plain.trim());
    if (end !== "" && !end.endsWith("\n")) continue;
    if (cells.length > 1 || cells[0] !== "") {
      yield cells;
      row += 1;
    }
    if (end === "") return undefined;
    cells = [];
  }
}
