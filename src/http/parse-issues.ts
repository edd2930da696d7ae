import { bare, isRecord, own } from "../data/own.ts";
import type { Redactor } from "../data/redactor.ts";
import type { Issue } from "../errors/issue.ts";

const FIELD_NAMES = ["field", "path", "param", "property", "parameter"] as const;
const MESSAGE_NAMES = ["message", "msg", "detail", "description", "error", "reason", "title"] as const;
const MAX_ISSUES = 100;
const MAX_MESSAGE_CHARS = 500;
/** Reading a hostile body more deeply could overflow the stack. */
const MAX_DEPTH = 8;

/**
 * The issues in the body of a 400, in each shape that gateways send: the specification's `errors: [{ field, message
 * }]`, a map of arrays, an array of texts, a `message` that is an array, an `error` that is an object. Empty if it has
 * none.
 */
export function parseIssues(body: unknown, redactor: Redactor): Issue[] {
  if (!isRecord(body)) return [];
  const { errors, error, message } = bare(body);
  const nested = isRecord(error) ? own(error, "errors") : undefined;
  for (const source of [errors, nested, error, message]) {
    const issues = collect(source, "");
    if (issues.length > 0) return issues.slice(0, MAX_ISSUES).map((issue) => clean(issue, redactor));
  }
  return [];
}

function collect(source: unknown, field: string, depth = 0): Issue[] {
  if (depth > MAX_DEPTH) return [];
  if (typeof source === "string") return source.trim() === "" ? [] : [{ field, message: source }];
  if (Array.isArray(source))
    return source.slice(0, MAX_ISSUES).flatMap((entry) => collect(entry, field, depth + 1));
  if (!isRecord(source)) return [];
  const message = firstText(source, MESSAGE_NAMES);
  const ownField = fieldOf(source);
  if (message !== undefined) return [{ field: ownField ?? field, message }];
  if (ownField !== undefined) {
    // One field and its issues under another name, such as `constraints: { isInt: "..." }`.
    const rest = Object.entries(source).filter(([name]) => !FIELD_NAMES.some((known) => known === name));
    const texts = rest.flatMap(([, entry]) => textsIn(entry, depth + 1));
    return (texts.length > 0 ? texts : ["is not valid"]).map((text) => ({ field: ownField, message: text }));
  }
  // A map of field to issue, or to issues.
  return Object.entries(source).flatMap(([name, entry]) =>
    typeof entry === "string" || Array.isArray(entry)
      ? collect(entry, field === "" ? name : `${field}.${name}`, depth + 1)
      : [],
  );
}

function textsIn(source: unknown, depth: number): string[] {
  if (typeof source === "string") return source.trim() === "" ? [] : [source];
  if (depth > MAX_DEPTH || typeof source !== "object" || source === null) return [];
  return Object.values(source).flatMap((entry) => textsIn(entry, depth + 1));
}

function fieldOf(source: Record<string, unknown>): string | undefined {
  for (const name of FIELD_NAMES) {
    const value = own(source, name);
    if (typeof value === "string") return value;
    if (Array.isArray(value)) return value.filter((step) => typeof step !== "object").join(".");
  }
  return undefined;
}

/** The first of `names` that has a text in `source`. */
export function firstText(source: Record<string, unknown>, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = own(source, name);
    if (typeof value === "string" && value.trim() !== "") return value;
  }
  return undefined;
}

/** Redacts a message with far more than the part that is kept, so that no part of a secret remains at its end. */
function clean({ field, message }: Issue, redactor: Redactor): Issue {
  const start = message.slice(0, 20 * MAX_MESSAGE_CHARS);
  return { field: redactor.text(field), message: redactor.text(start).slice(0, MAX_MESSAGE_CHARS) };
}
