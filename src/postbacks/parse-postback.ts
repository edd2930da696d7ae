import { InvalidPostbackError } from "../core/errors/invalid-postback-error.ts";
import { parseExactJson } from "../core/exact-json.ts";
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
  try {
    return read(input);
  } catch (error) {
    if (error instanceof InvalidPostbackError) throw error;
    // An object of somebody else's can throw at every look at it.
    throw new InvalidPostbackError([{ field: "", message: "the body could not be read" }], input);
  }
}

function read(input: unknown): Postback {
  const found: FoundIssue[] = [];
  const postback = readPostback(toData(input), found);
  if (postback === undefined) throw new InvalidPostbackError(toIssues(found), input);
  return postback;
}

function toData(input: unknown): unknown {
  const text = toText(input);
  if (text === undefined) {
    if (isRecord(input)) return input;
    throw new InvalidPostbackError([{ field: "", message: `the body came as ${typeName(input)}` }], input);
  }
  try {
    return parseExactJson(text);
  } catch {
    const message = text.trim() === "" ? "the body is empty" : "the body is not JSON";
    throw new InvalidPostbackError([{ field: "", message }], input);
  }
}

function toText(input: unknown): string | undefined {
  // Decoding bytes leaves a byte order mark out; a text may still have it.
  if (typeof input === "string") return input.replace(/^\uFEFF/, "");
  if (input instanceof ArrayBuffer || ArrayBuffer.isView(input)) return new TextDecoder().decode(input);
  return undefined;
}
