import { InvalidPostbackError } from "../core/errors/invalid-postback-error.ts";
import { parseIfJson } from "../core/exact-json.ts";
import { toIssues } from "../core/to-issues.ts";
import type { FoundIssue } from "../schemas/found-issue.ts";
import { type Postback, readPostback } from "../schemas/postback.ts";
import { isRecord, typeName } from "../schemas/read-fields.ts";

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
