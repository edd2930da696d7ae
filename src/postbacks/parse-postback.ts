import { describeType, parseIfJson, toInteger } from "../data/json.ts";
import { isRecord, ownProperty } from "../data/own-properties.ts";
import type { Issue } from "../errors/issue.ts";
import { InvalidPostbackError } from "../errors/postback-errors.ts";
import { POSTBACK_TEXT_MAX } from "../spec/limits.ts";
import { type TransactionStatus, toTransactionStatus } from "../spec/transaction-status.ts";

/** The body of a postback: text, bytes, or the object that a framework has parsed. */
export type PostbackInput = string | ArrayBuffer | ArrayBufferView | Readonly<Record<string, unknown>>;

/**
 * A notification that the status of a transaction changed. The specification shows no signature of it, and it may be
 * delivered twice, late or out of order.
 *
 * Spec: "Postback notification".
 */
export interface Postback {
  /** Transaction identifier. */
  id: number;
  /** The new status, such as `approved` or `expired`; `unrecognized` if it is not in the specification. */
  status: TransactionStatus;
  /** The status exactly as received, such as `PAID`. */
  rawStatus: string;
  /** Cents. */
  amount: number;
  /** The merchant's reference; a pix may have none. */
  externalRef?: string;
  /** ISO 8601 UTC, as received, such as `2026-03-01T12:31:00.000Z`. */
  transactionDate?: string;
  /** The parsed body. Not enumerable. */
  readonly raw: unknown;
}

/**
 * Parses the body of a postback. `id`, `status` and `amount` are required. An envelope is refused, because the `id` at
 * its root may be that of the delivery and not of the transaction.
 *
 * The specification shows no signature: parsing a postback proves nothing about its sender.
 *
 * Spec: "Postback notification".
 *
 * @throws {InvalidPostbackError} with the issues; `raw` is the input.
 */
export function parsePostback(input: PostbackInput): Postback {
  const issues: Issue[] = [];
  let postback: Postback | undefined;
  try {
    const body = parseBody(input, issues);
    if (body !== undefined) postback = readPostback(body, issues);
  } catch {
    // Reading any property of an object may throw anything, even an error of this package.
    issues.push({ field: "", message: "the body could not be read" });
  }
  if (postback === undefined) throw new InvalidPostbackError(issues, input);
  return postback;
}

function parseBody(input: unknown, issues: Issue[]): object | undefined {
  const text = toText(input);
  const body = text === undefined ? input : parseIfJson(text);
  if (isRecord(body)) return body;
  let message = "must be a JSON object";
  if (text === undefined) {
    message = `the body must be text, bytes or an object, but is ${describeType(input)}`;
  } else if (body === undefined) {
    message = text.trim() === "" ? "the body is empty" : "the body is not JSON";
  }
  issues.push({ field: "", message });
  return undefined;
}

function toText(input: unknown): string | undefined {
  // Decoding bytes removes a byte order mark; text may still have one.
  if (typeof input === "string") return input.replace(/^\uFEFF/, "");
  if (input instanceof ArrayBuffer || ArrayBuffer.isView(input)) return new TextDecoder().decode(input);
  return undefined;
}

/** Without a schema, which takes several times as long: a receiver has to parse everything that anyone posts to it. */
function readPostback(body: object, issues: Issue[]): Postback | undefined {
  const id = readWholeNumber(body, "id", issues);
  const rawStatus = readText(body, "status", issues);
  const amount = readWholeNumber(body, "amount", issues);
  const externalRef = readText(body, "externalRef", issues, true);
  const transactionDate = readText(body, "transactionDate", issues, true);
  if (id !== undefined && id <= 0) issues.push({ field: "id", message: "must be above zero" });
  if (rawStatus === "") issues.push({ field: "status", message: "must not be empty" });
  if (amount !== undefined && amount < 0) issues.push({ field: "amount", message: "must not be negative" });
  if (issues.length === 0 && isEnvelope(body)) {
    const message = "contains a transaction, so the id may not be that of the transaction";
    issues.push({ field: "", message });
  }
  if (issues.length > 0 || id === undefined || rawStatus === undefined || amount === undefined) {
    return undefined;
  }
  const postback = new ReceivedPostback(id, rawStatus, amount, body);
  if (externalRef !== undefined) postback.externalRef = externalRef;
  if (transactionDate !== undefined) postback.transactionDate = transactionDate;
  return postback;
}

function readWholeNumber(body: object, field: string, issues: Issue[]): number | undefined {
  const value = ownProperty(body, field);
  const integer = toInteger(value);
  const message = value === undefined ? "is required" : "must be a whole number of at most 2^53 - 1";
  if (integer === undefined) issues.push({ field, message });
  return integer;
}

type TextField = keyof typeof POSTBACK_TEXT_MAX;

function readText(body: object, field: TextField, issues: Issue[], isOptional = false): string | undefined {
  const value = ownProperty(body, field);
  if (isOptional && (value === undefined || value === null)) return undefined;
  if (typeof value !== "string") {
    issues.push({ field, message: value === undefined ? "is required" : "must be a string" });
    return undefined;
  }
  const max = POSTBACK_TEXT_MAX[field];
  if (value.length > max) issues.push({ field, message: `must have at most ${max} characters` });
  // Databases cannot store these: one such record would break every search of the records.
  if (value.includes("\0")) issues.push({ field, message: "must not contain a NUL character" });
  if (!value.isWellFormed()) issues.push({ field, message: "must not contain half of a surrogate pair" });
  return value;
}

/** The root of an envelope may repeat fields of the transaction inside; its `id` is then that of the delivery. */
function isEnvelope(body: object): boolean {
  return ["data", "transaction", "object"].some((name) => {
    const inner = ownProperty(body, name);
    return isRecord(inner) && Object.hasOwn(inner, "id");
  });
}

/**
 * The body is in a private field, so that JSON, copies and `util.inspect` do not show it. This is the fastest way to
 * hide it.
 */
class ReceivedPostback implements Postback {
  id: number;
  status: TransactionStatus;
  rawStatus: string;
  amount: number;
  declare externalRef?: string;
  declare transactionDate?: string;
  readonly #raw: unknown;

  static {
    // If they are missing, they must not be inherited from a polluted `Object.prototype`.
    Object.assign(ReceivedPostback.prototype, { externalRef: undefined, transactionDate: undefined });
  }

  constructor(id: number, rawStatus: string, amount: number, raw: unknown) {
    this.id = id;
    this.status = toTransactionStatus(rawStatus);
    this.rawStatus = rawStatus;
    this.amount = amount;
    this.#raw = raw;
  }

  get raw(): unknown {
    return this.#raw;
  }
}
