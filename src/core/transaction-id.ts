import { Integer } from "../schemas/integer.ts";
import { own } from "../schemas/own.ts";
import { isRecord } from "../schemas/read-fields.ts";
import { parseIfJson } from "./exact-json.ts";

/** The part of an answer that is the transaction, wherever the answer keeps it. */
export function locateTransaction(body: unknown): Record<string, unknown> | undefined {
  if (!isRecord(body)) return undefined;
  const data = own(body, "data");
  if (isRecord(data)) return data;
  if (Array.isArray(data) && isRecord(data[0])) return data[0];
  // An answer without its envelope; the envelope's own `status` is a number.
  const isBare = typeof own(body, "status") === "string" || Object.hasOwn(body, "paymentMethod");
  return Object.hasOwn(body, "id") && isBare ? body : undefined;
}

/** The transaction's id; as digits where it is beyond what a number holds exactly. */
export function readId(value: unknown): number | string | undefined {
  const parsed = Integer.safeParse(value);
  if (parsed.success) return parsed.data > 0 ? parsed.data : undefined;
  return typeof value === "string" && /^\d{16,40}$/.test(value) ? value : undefined;
}

/** The id in an answer that is otherwise of no use, whole or broken off. */
export function rescueId(text: string): number | string | undefined {
  const body = parseIfJson(text);
  if (body === undefined) return idFromText(text);
  const transaction = locateTransaction(body);
  return transaction && readId(own(transaction, "id"));
}

/**
 * The id in a body that broke off: the first `id` directly inside `data`, and only where the digits are
 * known to be all of them.
 */
function idFromText(text: string): number | string | undefined {
  const data = /"data"\s*:\s*\{/.exec(text);
  if (data === null) return undefined;
  const head = text.slice(data.index + data[0].length);
  const members =
    /\s*"((?:[^"\\]|\\.)*)"\s*:\s*(?:"((?:[^"\\]|\\.)*)"|(-?[\d.eE+-]+|true|false|null))\s*([,}])/y;
  for (let match = members.exec(head); match !== null; match = members.exec(head)) {
    if (match[1] === "id") return readId(match[2] ?? digitsOf(match[3]));
    if (match[4] === "}") return undefined;
  }
  return undefined;
}

function digitsOf(text: string | undefined): string | undefined {
  return text !== undefined && /^\d+$/.test(text) ? text : undefined;
}
