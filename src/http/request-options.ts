import { copyOwn, isRecord, withoutPrototype } from "../data/own-properties.ts";
import { unknownOptions } from "../errors/check-options.ts";
import type { Issue } from "../errors/issue.ts";

/** Headers as `fetch` accepts them, for any version of its types. */
export type HeadersInput =
  | Headers
  | Readonly<Record<string, string>>
  | readonly (readonly [name: string, value: string])[];

/** Options of a single call. */
export interface RequestOptions {
  /**
   * Milliseconds for one attempt, including its body; with a `CardTokenizer`, for all attempts together. Default: that
   * of the client or tokenizer.
   */
  timeout?: number | undefined;
  /** Aborts the call. It does not undo a request that was sent: see `AbortedError`. */
  signal?: AbortSignal | undefined;
  /** Additional headers. Headers that the SDK sets cannot be replaced. */
  headers?: HeadersInput | undefined;
}

/** The maximum delay of a JavaScript timer, in milliseconds. */
export const LONGEST_TIMER_MS = 2_147_483_647;

/** Headers that only the SDK sets. */
const SDK_HEADERS: ReadonlySet<string> = new Set([
  ...["authorization", "connection", "content-length", "content-type", "expect", "host", "keep-alive"],
  ...["proxy-authorization", "transfer-encoding", "upgrade"],
]);

/** The rule for a timeout, as it is shown in messages. */
export const TIMEOUT_RULE = `must be a number of milliseconds above zero, at most ${LONGEST_TIMER_MS}`;
const WAIT_RULE = `must be a number of milliseconds, zero or more, at most ${LONGEST_TIMER_MS}`;

export function isTimeout(value: unknown): value is number {
  return typeof value === "number" && value > 0 && value <= LONGEST_TIMER_MS;
}

export const REQUEST_OPTION_NAMES = ["timeout", "signal", "headers"] as const;

/** Custom headers. */
export interface CallerHeaders {
  readonly allowed: Readonly<Record<string, string>>;
  /** Names that were left out because the SDK sets them. */
  readonly dropped: readonly string[];
}

/** The options of a call, read once. */
export interface CallOptions {
  /** Milliseconds. */
  readonly timeout: number;
  readonly signal: AbortSignal | undefined;
  readonly headers: CallerHeaders;
  readonly extraBody: unknown;
  readonly extraQuery: unknown;
  /** Milliseconds; `undefined` if not set. */
  readonly wait: number | undefined;
  readonly replaceLost: boolean;
  /** What is wrong with them. A call with issues is not sent. */
  readonly issues: readonly Issue[];
}

const NO_HEADERS: CallerHeaders = { allowed: {}, dropped: [] };
const NO_OPTIONS: Record<string, unknown> = withoutPrototype({});

/** Reads the own properties of the options of a call, each once. Never throws. */
export function readCallOptions(
  options: unknown,
  names: readonly string[],
  defaultTimeout: number,
): CallOptions {
  let message = "must be an object";
  try {
    if (options === undefined) return checkOptions(NO_OPTIONS, names, defaultTimeout);
    if (isRecord(options)) return checkOptions(copyOwn(options, names), names, defaultTimeout);
  } catch {
    message = "could not be read";
  }
  return { ...checkOptions(NO_OPTIONS, names, defaultTimeout), issues: [{ field: "options", message }] };
}

function checkOptions(
  given: Record<string, unknown>,
  names: readonly string[],
  defaultTimeout: number,
): CallOptions {
  const { timeout, signal, extraBody, extraQuery, wait, replaceLost } = given;
  const headers = readHeaders(given["headers"]);
  const issues = unknownOptions(given, names);
  const check = (isValid: boolean, field: string, message: string) => {
    if (!isValid) issues.push({ field, message });
  };
  check(timeout === undefined || isTimeout(timeout), "timeout", TIMEOUT_RULE);
  check(wait === undefined || wait === 0 || isTimeout(wait), "wait", WAIT_RULE);
  check(replaceLost === undefined || typeof replaceLost === "boolean", "replaceLost", "must be a boolean");
  check(signal === undefined || signal instanceof AbortSignal, "signal", "must be an AbortSignal");
  check(headers !== undefined, "headers", "must be valid HTTP headers");
  return {
    timeout: isTimeout(timeout) ? timeout : defaultTimeout,
    signal: signal instanceof AbortSignal ? signal : undefined,
    headers: headers ?? NO_HEADERS,
    extraBody,
    extraQuery,
    wait: typeof wait === "number" ? wait : undefined,
    replaceLost: replaceLost === true,
    issues: issues.map(({ field, message }) => ({ field: `options.${field}`, message })),
  };
}

/** Custom headers without those that the SDK sets; `undefined` if HTTP does not allow them. */
export function readHeaders(headers: unknown): CallerHeaders | undefined {
  if (headers === undefined) return NO_HEADERS;
  try {
    const entries = [...new Headers(headers as [string, string][])];
    const allowed = Object.fromEntries(entries.filter(([name]) => !SDK_HEADERS.has(name)));
    return { allowed, dropped: entries.map(([name]) => name).filter((name) => SDK_HEADERS.has(name)) };
  } catch {
    return undefined;
  }
}
