import { parseIfJson } from "../data/exact-json.ts";
import { NO_INTEGER, readInteger } from "../data/integer.ts";
import { isRecord, own } from "../data/own.ts";
import { typeName } from "../data/read-fields.ts";
import type { FoundIssue } from "../data/snapshot.ts";
import { InvalidPostbackError } from "../errors/invalid-postback-error.ts";
import { toIssues } from "../errors/issue.ts";
import { POSTBACK_TEXT_MAX } from "../spec/limits.ts";
import type { TransactionStatus } from "../spec/values.ts";
import { readStatus } from "../spec/values.ts";

/** A postback as it comes: text, bytes, or what a framework has parsed already. */
export type PostbackInput = string | ArrayBuffer | ArrayBufferView | Readonly<Record<string, unknown>>;

/**
 * Reads the body of a postback. It reads the specification's flat body and never guesses at another: in an
 * envelope, for one, the `id` at the root is the delivery's and not the transaction's.
 *
 * A postback is unsigned: reading it says nothing about who sent it.
 *
 * Spec: "Postback notification".
 *
 * @throws {InvalidPostbackError} with the issues; `raw` keeps what came.
 */
export function parsePostback(input: PostbackInput): Postback {
  const found: FoundIssue[] = [];
  const postback = readSafely(input, found);
  if (postback === undefined) throw new InvalidPostbackError(toIssues(found), input);
  return postback;
}

/** An object can throw anything at every look at it, an error of this package included. */
function readSafely(input: unknown, issues: FoundIssue[]): Postback | undefined {
  try {
    const data = toData(input, issues);
    return issues.length === 0 ? readPostback(data, issues) : undefined;
  } catch {
    issues.push({ path: [], message: "the body could not be read" });
    return undefined;
  }
}

function toData(input: unknown, issues: FoundIssue[]): unknown {
  const text = toText(input);
  if (text === undefined) {
    if (!isRecord(input)) issues.push({ path: [], message: `the body came as ${typeName(input)}` });
    return input;
  }
  const data = parseIfJson(text);
  if (data === undefined) {
    issues.push({ path: [], message: text.trim() === "" ? "the body is empty" : "the body is not JSON" });
  }
  return data;
}

function toText(input: unknown): string | undefined {
  // Decoding bytes leaves a byte order mark out; a text may still have it.
  if (typeof input === "string") return input.replace(/^\uFEFF/, "");
  if (input instanceof ArrayBuffer || ArrayBuffer.isView(input)) return new TextDecoder().decode(input);
  return undefined;
}

/**
 * A notification that a transaction's status changed. It is unsigned, and may come twice, late or out of
 * order.
 *
 * Spec: "Postback notification".
 */
export interface Postback {
  /** Transaction identifier. */
  id: number;
  /** The new status; `unrecognized` for one that the specification does not name. */
  status: TransactionStatus;
  /** The status exactly as it came. */
  rawStatus: string;
  /** Cents. */
  amount: number;
  /** The merchant's reference; a pix may have none. */
  externalRef?: string;
  /** ISO 8601 UTC, as it came. */
  transactionDate?: string;
  /** The body as it came. Not enumerable. */
  readonly raw: unknown;
}

/** What is wrong with a field, by its name. */
type Complain = (field: string, message: string) => void;

/**
 * A postback as it is given out. The body is in a private field, so that neither JSON nor a copy nor
 * `util.inspect` shows it: of all ways to hide it, that one takes the least time.
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
    // A postback without them must not inherit what some other code put into `Object.prototype`.
    Object.assign(ReceivedPostback.prototype, { externalRef: undefined, transactionDate: undefined });
  }

  constructor(id: number, rawStatus: string, amount: number, raw: unknown) {
    this.id = id;
    this.status = readStatus(rawStatus);
    this.rawStatus = rawStatus;
    this.amount = amount;
    this.#raw = raw;
  }

  get raw(): unknown {
    return this.#raw;
  }
}

/**
 * Reads the flat body of the specification; what is wrong with it is added to `issues`. By hand, because a receiver
 * reads whatever anybody posts to it, and a schema takes several times as long.
 */
export function readPostback(body: unknown, issues: FoundIssue[]): Postback | undefined {
  if (!isRecord(body)) {
    issues.push({ path: [], message: "must be a JSON object" });
    return undefined;
  }
  const complain: Complain = (field, message) => {
    issues.push({ path: field === "" ? [] : [field], message });
  };
  const id = readWhole(own(body, "id"), "id", complain);
  const rawStatus = readText(own(body, "status"), "status", complain);
  const amount = readWhole(own(body, "amount"), "amount", complain);
  const externalRef = readTextIfAny(own(body, "externalRef"), "externalRef", complain);
  const transactionDate = readTextIfAny(own(body, "transactionDate"), "transactionDate", complain);
  if (id !== undefined && id <= 0) complain("id", "must be above zero");
  if (rawStatus === "") complain("status", "must not be empty");
  if (amount !== undefined && amount < 0) complain("amount", "must not be negative");
  if (issues.length === 0 && holdsAnother(body)) {
    complain("", "has a transaction inside, so it may be that the id is another's");
  }
  if (issues.length > 0 || id === undefined || rawStatus === undefined || amount === undefined) {
    return undefined;
  }

  const postback = new ReceivedPostback(id, rawStatus, amount, body);
  if (externalRef !== undefined) postback.externalRef = externalRef;
  if (transactionDate !== undefined) postback.transactionDate = transactionDate;
  return postback;
}

function readWhole(value: unknown, field: string, complain: Complain): number | undefined {
  const integer = readInteger(value);
  if (integer === undefined) complain(field, value === undefined ? "is required" : NO_INTEGER);
  return integer;
}

type TextField = keyof typeof POSTBACK_TEXT_MAX;

function readText(value: unknown, field: TextField, complain: Complain): string | undefined {
  if (typeof value !== "string") {
    complain(field, value === undefined ? "is required" : "must be a string");
    return undefined;
  }
  const max = POSTBACK_TEXT_MAX[field];
  if (value.length > max) complain(field, `must have at most ${max} characters`);
  // No database keeps these: one record with them would break every search of the records.
  if (value.includes("\0")) complain(field, "must not hold a NUL");
  if (!value.isWellFormed()) complain(field, "must not hold half of a character");
  return value;
}

/** An envelope may repeat at its root what is inside; its `id` is then the delivery's. */
function holdsAnother(body: Record<string, unknown>): boolean {
  return ["data", "transaction", "object"].some((name) => {
    const inner = own(body, name);
    return isRecord(inner) && Object.hasOwn(inner, "id");
  });
}

function readTextIfAny(value: unknown, field: TextField, complain: Complain): string | undefined {
  return value === undefined || value === null ? undefined : readText(value, field, complain);
}
