import { parseIfJson } from "../data/json.ts";
import { isRecord } from "../data/own-properties.ts";
import { type FoundIssue, hasHiddenData } from "../data/validate.ts";
import type { RequestOptions } from "../http/call.ts";
import { hasLuhnDigit } from "../spec/check-digits.ts";

/** A value in a query. */
export type QueryValue = string | number | boolean;

/** The query of a request. An array repeats its name; `undefined` is left out. */
export type Query = Readonly<Record<string, QueryValue | readonly QueryValue[] | undefined>>;

/** Options of a read. */
export interface ReadOptions extends RequestOptions {
  /** Query parameters that the specification does not show, such as `page`. An array repeats its name. */
  extraQuery?: Query | undefined;
}

/**
 * A query, percent-encoded; `undefined` if it is empty. What is wrong with it is added to `issues`.
 *
 * @param query - A plain copy of what the caller passed in as `field`.
 * @internal
 */
export function toQuery(query: unknown, field: string, issues: FoundIssue[]): string | undefined {
  if (query === undefined) return undefined;
  if (!isRecord(query) || hasHiddenData(query)) {
    issues.push({ path: [field], message: "must be an object" });
    return undefined;
  }
  const pairs: string[] = [];
  for (const [name, value] of Object.entries(query)) {
    if (!name.isWellFormed()) continue; // an issue of its copy, and impossible to encode
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    if (values.every(isQueryValue)) {
      for (const item of values) pairs.push(`${encodeURIComponent(name)}=${encodeURIComponent(item)}`);
    } else issues.push({ path: [field, name], message: "must be a string, a number or a boolean" });
  }
  return pairs.length === 0 ? undefined : pairs.join("&");
}

function isQueryValue(value: unknown): value is QueryValue {
  return typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);
}

/** Names of fields with card data, tokens and URLs that may contain credentials. */
const SECRET_NAME =
  /(?:number|c[cs]v2?|cv[cv]2|cvv|cvc|security_?code|hash|token|secret|password|(?:api|secret|access)_?key|authorization|holder(?:_?name)?|callback|ur[il])s?$|^(?:card_?)?pan$/i;

/** What may be a card number, under any name. */
const CARD_NUMBER = /^(?:\d[\s._-]{0,3}){13,19}$/;

/** A shorter text occurs anywhere. */
const SHORTEST_SECRET = 3;

/** A text of JSON can be nested so deeply that following it would overflow the stack. */
const MAX_DEPTH = 200;

/**
 * The texts and numbers of a query or body that are secret, at any depth and in texts of JSON: a response may repeat
 * them.
 *
 * @param isSecret - Whether the value has the name of a secret, or is inside a value that has.
 * @internal
 */
export function* findSentSecrets(value: unknown, isSecret = false, depthLeft = MAX_DEPTH): Iterable<string> {
  if (depthLeft === 0) return;
  if (typeof value !== "string" && typeof value !== "number") {
    for (const [name, member] of Object.entries(value ?? {})) {
      yield* findSentSecrets(member, isSecret || SECRET_NAME.test(name), depthLeft - 1);
    }
    return;
  }
  const text = String(value).trim();
  const digits = text.replaceAll(/\D/g, "");
  // A response may repeat a number without its separators, or with others.
  if (CARD_NUMBER.test(text) && (isSecret || hasLuhnDigit(digits))) yield digits;
  else if (isSecret && text.length >= SHORTEST_SECRET) yield text;
  if (/^[{[]/.test(text)) yield* findSentSecrets(parseIfJson(text), isSecret, depthLeft - 1);
}
