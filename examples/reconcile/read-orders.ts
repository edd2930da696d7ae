import { Failure, reasonOf } from "../unresolved/support/failure.ts";
import { STATUSES } from "../unresolved/support/statuses.ts";
import type { Order } from "./compare.ts";
import { parseCsv } from "./csv.ts";
import { readText } from "./read-files.ts";

const NAMES = ["externalRef", "amount", "status", "transactionId"];
const KNOWN_STATUSES = [...STATUSES, "unrecognized"] as const; // the SDK's word for one that it does not know

/**
 * Orders from a JSON array, or from CSV with a head of `externalRef,amount,status,transactionId`; semicolons and tabs
 * will do, too.
 *
 * @throws {Failure} where there are none, and for the first that is wrong: half of the books would mislead.
 */
export function readOrders(file: string): Order[] {
  const text = readText(file);
  const entries = /^\s*[[{]/.test(text) ? entriesOfJson(text, file) : entriesOfCsv(text, file);
  if (entries.length === 0) throw new Failure(`${file} holds no orders.`);
  const orders = entries.map((entry, index) => orderOf(entry, `${file}: order ${index + 1}`));
  const rows = new Map<string, number>();
  for (const [index, { externalRef }] of orders.entries()) {
    const earlier = rows.get(externalRef);
    if (earlier) throw new Failure(`${file}: order ${index + 1} has the externalRef of order ${earlier}.`);
    rows.set(externalRef, index + 1);
  }
  return orders;
}

type Entry = Readonly<Record<string, unknown>>;

function entriesOfJson(text: string, file: string): Entry[] {
  try {
    const value = JSON.parse(text) as unknown;
    if (Array.isArray(value)) return value as Entry[];
  } catch (error) {
    throw new Failure(`${file} is no JSON: ${reasonOf(error)}`);
  }
  throw new Failure(`${file} must hold a JSON array.`);
}

function entriesOfCsv(text: string, file: string): Entry[] {
  try {
    return parseCsv(text);
  } catch (error) {
    throw new Failure(`${file} is no CSV that can be read: ${reasonOf(error)}`);
  }
}

function orderOf(entry: Entry, where: string): Order {
  const { externalRef, amount, status, transactionId } = entry ?? {};
  const unknown = Object.keys(entry ?? {}).find((name) => !NAMES.includes(name));
  if (unknown !== undefined) {
    throw new Failure(`${where} has a column ${unknown}; there may be ${NAMES.join(", ")} only.`);
  }
  if (typeof externalRef !== "string" || externalRef === "") {
    throw new Failure(`${where} has no externalRef.`);
  }
  const cents = wholeNumber(amount);
  if (!cents) throw new Failure(`${where} needs an amount: a whole number of cents.`);
  const known = KNOWN_STATUSES.find((one) => one === status);
  if (!known && !isEmpty(status)) {
    throw new Failure(`${where}: its status must be one of ${KNOWN_STATUSES.join(", ")}, or empty.`);
  }
  const id = isEmpty(transactionId) ? undefined : wholeNumber(transactionId);
  if (!id && !isEmpty(transactionId))
    throw new Failure(`${where}: its transactionId must be a whole number.`);
  return { externalRef, amount: cents, ...(known && { status: known }), ...(id && { transactionId: id }) };
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

/** Above zero; from text, too, since CSV holds nothing else. */
function wholeNumber(value: unknown): number | undefined {
  const number = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isSafeInteger(number) && number > 0 ? number : undefined;
}
