import { isRecord, ownCopy } from "../data/own.ts";
import { unknownOptions } from "../errors/check-options.ts";
import type { Issue } from "../errors/issue.ts";
import type { Endpoint } from "../spec/endpoints.ts";

/** Headers as `fetch` takes them, whichever types of it a project has. */
export type HeadersInput =
  | Headers
  | Readonly<Record<string, string>>
  | readonly (readonly [name: string, value: string])[];

/** Options of a single call. */
export interface RequestOptions {
  /**
   * Milliseconds for one attempt, its body included; with a `CardTokenizer`, for all of them together. Default: the
   * client's, or the tokenizer's.
   */
  timeout?: number | undefined;
  /** Ends the call. It takes nothing back: see `AbortedError`. */
  signal?: AbortSignal | undefined;
  /** Headers besides the SDK's own, which cannot be replaced. */
  headers?: HeadersInput | undefined;
}

/** Longest time that a timer of JavaScript can hold, in milliseconds. */
const LONGEST_TIMEOUT_MS = 2_147_483_647;

/** Headers that say who is calling and what is sent; they are the SDK's. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  "authorization",
  "connection",
  "content-length",
  "content-type",
  "expect",
  "host",
  "keep-alive",
  "proxy-authorization",
  "transfer-encoding",
  "upgrade",
]);

/** What a time-out has to be. */
export const TIMEOUT_RULE = `must be a number of milliseconds above zero, at most ${LONGEST_TIMEOUT_MS}`;

const WAIT_RULE = `must be a number of milliseconds, zero or more, at most ${LONGEST_TIMEOUT_MS}`;

export function isTimeout(value: unknown): value is number {
  return typeof value === "number" && value > 0 && value <= LONGEST_TIMEOUT_MS;
}

const REQUEST_OPTION_NAMES = ["timeout", "signal", "headers"] as const;
const CREATE_OPTION_NAMES = [...REQUEST_OPTION_NAMES, "extraBody", "wait"] as const;
const namesFor = ({ charges }: Endpoint) => (charges ? CREATE_OPTION_NAMES : REQUEST_OPTION_NAMES);

/** What is wrong with the options of a call. */
export function issuesOfOptions(endpoint: Endpoint, options: unknown): Issue[] {
  if (options === undefined) return [];
  if (!isRecord(options)) return [{ field: "options", message: "must be an object" }];
  const issues = unknownOptions(options, namesFor(endpoint)).map(({ field, message }) => ({
    field: `options.${field}`,
    message,
  }));
  const { timeout, signal, headers, wait } = options;
  if (timeout !== undefined && !isTimeout(timeout)) {
    issues.push({
      field: "options.timeout",
      message: TIMEOUT_RULE,
    });
  }
  if (wait !== undefined && wait !== 0 && !isTimeout(wait)) {
    issues.push({ field: "options.wait", message: WAIT_RULE });
  }
  if (signal !== undefined && !(signal instanceof AbortSignal)) {
    issues.push({ field: "options.signal", message: "must be an AbortSignal" });
  }
  if (headers !== undefined && readHeaders(headers) === undefined) {
    issues.push({ field: "options.headers", message: "must be headers that HTTP allows" });
  }
  return issues;
}

/** The options of a call as they are now, whatever the caller does with the object: own properties, each read once. */
export function copyOptions<Options extends RequestOptions>(
  endpoint: Endpoint,
  options: Options | undefined,
): Options | undefined {
  if (!isRecord(options)) return options; // refused later, with everything else that is wrong
  const copy = ownCopy(options, namesFor(endpoint));
  const { headers } = copy;
  return headers === undefined ? copy : { ...copy, headers: copyOfHeaders(headers) };
}

function copyOfHeaders(headers: HeadersInput): HeadersInput {
  try {
    return [...new Headers(headers as HeadersInit)];
  } catch {
    return headers;
  }
}

/** Options of a call, read once. */
export interface ReadOptions {
  readonly timeout: number | undefined;
  readonly signal: AbortSignal | undefined;
  readonly headers: OwnAndForeign;
}

/** Reads the options of a call, or throws what `refuse` makes of their problems. */
export function readOptions(
  endpoint: Endpoint,
  options: RequestOptions | undefined,
  refuse: (issues: readonly Issue[]) => Error,
): ReadOptions {
  if (options === undefined) return { timeout: undefined, signal: undefined, headers: NO_HEADERS };
  const issues = issuesOfOptions(endpoint, options);
  if (issues.length > 0) throw refuse(issues);
  const { timeout, signal, headers } = options;
  return { timeout, signal, headers: readHeaders(headers) ?? NO_HEADERS };
}

export interface OwnAndForeign {
  readonly headers: Readonly<Record<string, string>>;
  /** Names that were left out because they are the SDK's own. */
  readonly dropped: readonly string[];
}

const NO_HEADERS: OwnAndForeign = { headers: {}, dropped: [] };

/** A caller's headers without those that are the SDK's; `undefined` where HTTP does not allow them. */
export function readHeaders(init: unknown): OwnAndForeign | undefined {
  if (init === undefined) return NO_HEADERS;
  try {
    const entries = [...new Headers(init as [string, string][])];
    return {
      headers: Object.fromEntries(entries.filter(([name]) => !OWN_HEADERS.has(name))),
      dropped: entries.map(([name]) => name).filter((name) => OWN_HEADERS.has(name)),
    };
  } catch {
    return undefined;
  }
}
