import { parseIfJson } from "../../data/exact-json.ts";
import { Integer } from "../../data/integer.ts";
import { isRecord, own } from "../../data/own.ts";
import type { Issue } from "../../errors/issue.ts";
import { readStatus } from "../../spec/values.ts";

/** The part of an answer that is the transaction, wherever the answer keeps it. */
export function locateTransaction(body: unknown): Record<string, unknown> | undefined {
  if (!isRecord(body)) return undefined;
  const data = own(body, "data");
  if (isRecord(data)) return data;
  if (Array.isArray(data) && isRecord(data[0])) return data[0];
  // An answer without its envelope; the envelope's own `status` is a number.
  const isBare =
    Object.hasOwn(body, "id") &&
    (typeof own(body, "status") === "string" || Object.hasOwn(body, "paymentMethod"));
  return isBare || isReference(own(body, "externalId")) ? body : undefined;
}

/** The transaction's id; as digits where it is beyond what a number holds exactly. */
export function readId(value: unknown): number | string | undefined {
  const parsed = Integer.safeParse(value);
  if (parsed.success) return parsed.data > 0 ? parsed.data : undefined;
  return typeof value === "string" && /^\d{16,40}$/.test(value) ? value : undefined;
}

/** What is wrong with an answer to another order. */
export const OF_ANOTHER_ORDER: Issue = {
  field: "data.externalId",
  message: "is the reference of another order",
};

/**
 * Whether an answer is about another order: its `externalId` is another one than the reference that was sent. Proxies,
 * caches and reused connections can deliver an answer that belongs to another request.
 */
export function isOfAnotherOrder(externalId: unknown, externalRef: string | undefined): boolean {
  if (externalRef === undefined || externalId === "") return false;
  if (typeof externalId === "string") return externalId !== externalRef;
  // A number may repeat a reference that consists of digits; beside any other it is just a wrong field.
  return typeof externalId === "number" && /^\d+$/.test(externalRef) && String(externalId) !== externalRef;
}

/** The id in an answer to the create of `externalRef` that is otherwise of no use, whole or broken off. */
export function rescueId(text: string, externalRef: string | undefined): number | string | undefined {
  const body = parseIfJson(text);
  return body === undefined ? idFromText(text, externalRef) : idOf(locateTransaction(body), externalRef);
}

/** What an answer that says no holds of a transaction. */
export interface RefusedTransaction {
  /** The id of this order's transaction. */
  readonly id: number | string | undefined;
  /** That the answer is about another order, and so says nothing about this one. */
  readonly problem: Issue | undefined;
  /** Whether there may be a transaction, though no id of it could be read. */
  readonly mayExist: boolean;
}

/**
 * Looks for a transaction in an answer that says no. An error may have an id of its own at the root, so that one counts
 * only beside what a transaction alone has.
 */
export function transactionInRefusal(text: string, externalRef: string | undefined): RefusedTransaction {
  const body = parseIfJson(text);
  const found = locateTransaction(body);
  const transaction =
    found === body && found !== undefined && !isSurelyTransaction(found) ? undefined : found;
  const isForeign =
    body === undefined
      ? namesAnotherOrder(text, externalRef)
      : isOfAnotherOrder(transaction && own(transaction, "externalId"), externalRef);
  return {
    id: body === undefined ? idFromText(text, externalRef) : idOf(transaction, externalRef),
    problem: isForeign ? OF_ANOTHER_ORDER : undefined,
    mayExist: TRACES.test(text) || (transaction !== undefined && isSurelyTransaction(transaction)),
  };
}

/** What only an answer about a transaction has, wherever it keeps it and wherever it broke off. */
const TRACES = /externalId\\*"\s*:\s*(?:\\*"|\d)|"success\\*"\s*:\s*true/;

function isSurelyTransaction(body: Record<string, unknown>): boolean {
  const status = own(body, "status");
  const isKnown = readStatus(typeof status === "string" ? status : undefined) !== "unrecognized";
  return isKnown || Object.hasOwn(body, "paymentMethod") || isReference(own(body, "externalId"));
}

function isReference(externalId: unknown): boolean {
  return typeof externalId === "number" || (typeof externalId === "string" && externalId !== "");
}

function idOf(
  transaction: Record<string, unknown> | undefined,
  externalRef: string | undefined,
): number | string | undefined {
  if (transaction === undefined || isOfAnotherOrder(own(transaction, "externalId"), externalRef))
    return undefined;
  return readId(own(transaction, "id"));
}

/**
 * The id in a body that broke off: the first `id` directly inside `data`, and only where the digits are
 * known to be all of them.
 */
function idFromText(text: string, externalRef: string | undefined): number | string | undefined {
  const data = /"data"\s*:\s*\{/.exec(text);
  if (data === null || namesAnotherOrder(text, externalRef)) return undefined;
  const head = text.slice(data.index + data[0].length);
  const members =
    /\s*"((?:[^"\\]|\\.)*)"\s*:\s*(?:"((?:[^"\\]|\\.)*)"|(-?[\d.eE+-]+|true|false|null))\s*([,}])/y;
  for (let match = members.exec(head); match !== null; match = members.exec(head)) {
    if (match[1] === "id") return readId(match[2] ?? digitsOf(match[3]));
    if (match[4] === "}") return undefined;
  }
  return undefined;
}

/** Whether what is there of a body names another order, wherever in it. */
function namesAnotherOrder(text: string, externalRef: string | undefined): boolean {
  const named = /"externalId"\s*:\s*("(?:[^"\\]|\\.)*"|\d+)/.exec(text)?.[1];
  if (named === undefined) return false;
  return isOfAnotherOrder(named.startsWith('"') ? parseIfJson(named) : named, externalRef);
}

function digitsOf(text: string | undefined): string | undefined {
  return text !== undefined && /^\d+$/.test(text) ? text : undefined;
}
