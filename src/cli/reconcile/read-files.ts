/// <reference types="node" />
import { readFileSync } from "node:fs";
import { parsePostback, type TransactionStatus } from "../../postbacks.ts";
import { Failure } from "../failure.ts";
import type { ShopOrder, TransactionRow } from "./compare.ts";
import { parseCsv } from "./csv.ts";

/** A file of the user. */
export interface File {
  /** As the user has typed it. */
  readonly name: string;
  readonly path: string;
}

type Row = Readonly<Record<string, string>>;

const ORDER_COLUMNS = ["externalRef", "amount", "status", "transactionId"];

/**
 * Orders from a file with the columns `externalRef` and `amount`, and perhaps `status` and `transactionId`. A column of
 * another name is refused, because it may be one of these, misspelled.
 *
 * @throws {Failure} on the first row that is wrong: half of the orders would mislead.
 */
export function* readOrders(file: File): Generator<ShopOrder> {
  const rows = new Map<string, number>();
  for (const [row, index] of readRows(file, ["externalRef", "amount"])) {
    const fail = createFail(file, index);
    const unknown = Object.keys(row).find((name) => !ORDER_COLUMNS.includes(name));
    if (unknown !== undefined) {
      throw fail(
        `has an unknown column ${JSON.stringify(unknown)}; the columns are ${ORDER_COLUMNS.join(", ")}`,
      );
    }
    const { externalRef = "", status = "", transactionId = "" } = row;
    if (externalRef === "") throw fail("has no externalRef");
    const earlier = rows.get(externalRef);
    if (earlier !== undefined) throw fail(`repeats the externalRef of row ${earlier}`);
    rows.set(externalRef, index);
    yield {
      externalRef,
      amount: readCents(row, fail),
      ...(status !== "" && { status: readStatus(status) }),
      ...(transactionId !== "" && { transactionId: readId(transactionId, "transactionId", fail) }),
    };
  }
}

/**
 * Transactions from a file with the columns `id`, `externalRef`, `status` and `amount`; other columns are ignored. A
 * transaction may have several rows, the earliest first.
 *
 * @throws {Failure} on the first row that is wrong.
 */
export function* readTransactions(file: File): Generator<TransactionRow> {
  for (const [row, index] of readRows(file, ["id", "externalRef", "status", "amount"])) {
    const fail = createFail(file, index);
    const { id = "", externalRef, status = "" } = row;
    yield {
      id: readId(id, "id", fail),
      status: readStatus(status),
      amount: readCents(row, fail),
      ...(externalRef && { externalRef }),
    };
  }
}

function* readRows(file: File, required: readonly string[]): Generator<readonly [row: Row, index: number]> {
  let index = 0;
  try {
    for (const row of parseCsv(readText(file))) {
      const missing = required.find((name) => !Object.hasOwn(row, name));
      if (missing !== undefined) throw new SyntaxError(`its first line has no column named ${missing}`);
      index += 1;
      yield [row, index];
    }
  } catch (error) {
    if (error instanceof SyntaxError) throw new Failure("invalid_file", `${file.name}: ${error.message}.`);
    throw error;
  }
  if (index === 0) throw new Failure("invalid_file", `${file.name} has no rows.`);
}

/** @throws {Failure} also if it is not UTF-8: two references could become the same text. */
function readText({ name, path }: File): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path)); // without a byte order mark
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reasons: Readonly<Record<string, string>> = {
      ENOENT: "there is no such file",
      ERR_ENCODING_INVALID_ENCODED_DATA: "it is not UTF-8: save it as CSV UTF-8",
    };
    throw new Failure("invalid_file", `${name}: ${reasons[code ?? ""] ?? `cannot be read (${code})`}.`);
  }
}

type Fail = (problem: string) => Failure;

function createFail({ name }: File, row: number): Fail {
  return (problem) => new Failure("invalid_file", `${name}: row ${row} ${problem}.`);
}

function readCents({ amount = "" }: Row, fail: Fail): number {
  const cents = /^\d+$/.test(amount) ? Number(amount) : 0;
  if (cents > 0 && Number.isSafeInteger(cents)) return cents;
  throw fail(`has the amount ${JSON.stringify(amount)}; it must be a whole number of cents, such as 1990`);
}

function readId(id: string, column: string, fail: Fail): string {
  if (!/^[1-9]\d{0,39}$/.test(id)) throw fail(`has an invalid ${column}: it must be a whole number`);
  return id;
}

/** Reads a status as the SDK does: `paid` and `APPROVED` are `approved`. */
function readStatus(rawStatus: string): TransactionStatus {
  return parsePostback({ id: 1, amount: 1, status: rawStatus || "none" }).status;
}
