import { readFileSync } from "node:fs";
import { CsvError, parse } from "csv-parse/sync";
import { parsePostback, type TransactionStatus } from "../../postbacks.ts";
import { Failure } from "../command-failure.ts";
import type { ShopOrder, TransactionRow } from "./compare-orders.ts";

/** A CSV file of the user, in UTF-8, with the names of its columns in the first line. */
export interface CsvFile {
  /** As the user has typed it. */
  readonly name: string;
  readonly path: string;
  onRow(): void;
}

/** A row, by the names of the columns. */
type Row = Readonly<Record<string, string>>;

/** Creates the failure for a problem of a row, such as "has no externalRef". */
type Fail = (problem: string) => Failure;

/**
 * Orders from a file with the columns `externalRef` and `amount`, and optionally `status` and `transactionId`. A column
 * with any other name is an error: it may be a misspelled `status`.
 *
 * @throws {Failure} on the first wrong row: a result for half of the orders would mislead.
 */
export function readOrders(file: CsvFile): ShopOrder[] {
  const lines = new Map<string, number>();
  const required = ["externalRef", "amount"];
  const columns = { required, allowed: [...required, "status", "transactionId"] };
  return readRows(file, columns, (row, fail, line): ShopOrder => {
    const { externalRef = "", status, transactionId } = row;
    if (externalRef === "") throw fail("has no externalRef");
    const earlier = lines.get(externalRef);
    if (earlier !== undefined) {
      throw fail(`repeats the externalRef of line ${earlier}`);
    }
    lines.set(externalRef, line);
    return {
      externalRef,
      amount: readCents(row, fail),
      ...(status && { status: readStatus(status, fail) }),
      ...(transactionId && { transactionId: readId(transactionId, "transactionId", fail) }),
    };
  });
}

/**
 * Transactions from a file with the columns `id`, `externalRef`, `status` and `amount`; other columns are ignored. A
 * transaction may have several rows, the earliest first.
 *
 * @throws {Failure} on the first wrong row.
 */
export function readTransactions(file: CsvFile): TransactionRow[] {
  const required = ["id", "externalRef", "status", "amount"];
  return readRows(file, { required }, (row, fail): TransactionRow => {
    const { id = "", externalRef, status = "" } = row;
    return {
      id: readId(id, "id", fail),
      status: readStatus(status, fail),
      amount: readCents(row, fail),
      ...(externalRef && { externalRef }),
    };
  });
}

/** The SDK refuses longer ones. */
const STATUS_MAX = 255;

interface Columns {
  readonly required: readonly string[];
  readonly allowed?: readonly string[]; // default: all
}

/** Cells are separated by commas, by semicolons (as spreadsheets do in Brazil) or by tabs. */
function readRows<Item>(
  file: CsvFile,
  columns: Columns,
  toItem: (row: Row, fail: Fail, line: number) => Item,
): Item[] {
  const text = readText(file);
  const [firstLine = ""] = text.split("\n", 1);
  try {
    const items = parse<Item, Row>(text, {
      columns: (names: string[]) => assertColumns(names, columns),
      delimiter: [";", "\t"].find((delimiter) => firstLine.includes(delimiter)) ?? ",",
      record_delimiter: ["\r\n", "\n"],
      skip_empty_lines: true,
      trim: true,
      on_record(row, { lines }) {
        file.onRow();
        const fail = (problem: string) => invalidFile(file, `line ${lines} ${problem}`);
        return toItem(row, fail, lines);
      },
    });
    if (items.length === 0) throw invalidFile(file, "it has no rows");
    return items;
  } catch (error) {
    throw error instanceof CsvError || error instanceof SyntaxError
      ? invalidFile(file, error.message)
      : error;
  }
}

/** @throws {SyntaxError} */
function assertColumns(names: string[], { required, allowed = names }: Columns): string[] {
  const repeated = names.find((name, column) => names.indexOf(name) !== column);
  if (repeated !== undefined) throw new SyntaxError(`it has two columns named ${quote(repeated)}`);
  const missing = required.find((name) => !names.includes(name));
  if (missing !== undefined) throw new SyntaxError(`its first line has no column named ${missing}`);
  const unknown = names.find((name) => !allowed.includes(name));
  if (unknown === undefined) return names;
  throw new SyntaxError(`it has an unknown column ${quote(unknown)}; the columns are ${allowed.join(", ")}`);
}

/** A cell may have millions of characters. */
const quote = (cell: string) => JSON.stringify(cell.length > 60 ? `${cell.slice(0, 60)}…` : cell);

function invalidFile({ name }: CsvFile, problem: string): Failure {
  return new Failure("invalid_file", `${name}: ${problem}.`);
}

/** @throws {Failure} also if it is not UTF-8: two references could become the same text. */
function readText(file: CsvFile): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(file.path)); // without a byte order mark
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") throw invalidFile(file, "there is no such file");
    if (code !== "ERR_ENCODING_INVALID_ENCODED_DATA") throw invalidFile(file, `cannot be read (${code})`);
    throw invalidFile(file, "it is not UTF-8: save it as CSV UTF-8");
  }
}

function readCents({ amount = "" }: Row, fail: Fail): number {
  const cents = /^\d+$/.test(amount) ? Number(amount) : 0;
  if (cents > 0 && Number.isSafeInteger(cents)) return cents;
  throw fail(`has the amount ${quote(amount)}; it must be a whole number of cents, such as 1990`);
}

function readId(id: string, column: string, fail: Fail): string {
  if (/^[1-9]\d{0,39}$/.test(id)) return id;
  throw fail(`has an invalid ${column}: it must be a whole number`);
}

/** Reads a status as the SDK does: `paid` and `APPROVED` are `approved`. */
function readStatus(rawStatus: string, fail: Fail): TransactionStatus {
  if (rawStatus.length > STATUS_MAX) throw fail(`has a status of more than ${STATUS_MAX} characters`);
  return parsePostback({ id: 1, amount: 1, status: rawStatus || "none" }).status;
}
