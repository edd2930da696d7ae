import { isRecord } from "../data/own-properties.ts";
import { type FoundIssue, hasHiddenData } from "../data/validate.ts";
import type { RequestOptions } from "../http/call.ts";

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
