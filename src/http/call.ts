import { isRecord, withOwn, withoutPrototype } from "../data/own-properties.ts";
import type { Redactor } from "../data/redactor.ts";
import { parseUrl } from "../data/web-url.ts";
import { unknownOptions } from "../errors/check-options.ts";
import {
  AbortedError,
  ConnectionError,
  type ConnectionFailure,
  TimeoutError,
} from "../errors/connection-errors.ts";
import { isPaymentsError } from "../errors/is-payments-error.ts";
import type { Issue } from "../errors/issue.ts";
import { type ErrorContext, isErrorOf, type Outcome, type PaymentsError } from "../errors/payments-error.ts";
import { sanitizeError } from "../errors/sanitize-error.ts";
import { InvalidRequestError } from "../errors/usage-errors.ts";
import type { CalledEndpoint } from "../spec/endpoints.ts";
import type { OpenCalls } from "./closing.ts";
import type { EventListener, PaymentsEvent, ResultEvent, SentFacts } from "./events.ts";
import type { RawResponse } from "./response.ts";
import type { WithResponse } from "./result.ts";
import { isTimeout, isWait, TIMEOUT_RULE, TimeoutReached, WAIT_RULE } from "./timers.ts";
import { type FetchLike, RequestProgress } from "./transport.ts";

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

export const REQUEST_OPTION_NAMES = ["timeout", "signal", "headers"] as const;

export interface CallerHeaders {
  readonly allowed: Readonly<Record<string, string>>;
  /** Names that were left out because the SDK sets them. */
  readonly dropped: readonly string[];
}

/** How calls reach the service. A missing setting is reported by the first call that needs it. */
export interface Config {
  readonly platform: Platform;
  readonly baseUrl: string | undefined;
  readonly timeout: number;
  readonly maxRetries: number;
  readonly headers: CallerHeaders;
  readonly fetch: FetchLike | undefined;
  readonly onEvent: EventListener | undefined;
  /** Of a client, which can be closed. */
  readonly calls?: OpenCalls | undefined;
}

/** What differs between a server and a buyer's page. */
export interface Platform {
  /** For a request that charges no one. */
  readonly sendWithRetries: (call: Call, request: HttpRequest) => Promise<RawResponse>;
  readonly explainFailure: (call: Call, error: unknown) => FailureReason | Promise<FailureReason>;
  readonly Redactor: typeof Redactor;
  /** What a 401 means, and what to check. */
  readonly describeUnauthorized: (endpoint: CalledEndpoint) => string;
}

/** What a resource sends. No field is optional, so that none is read from a prototype. */
export interface HttpRequest {
  readonly query: string | undefined;
  readonly authorization: string | undefined;
  /** JSON text. */
  readonly body: string | undefined;
}

/** Why there was no response. */
export interface FailureReason {
  readonly reason?: ConnectionFailure;
  /** In words, without an address. */
  readonly detail: string;
  readonly cause: Error | undefined;
}

/** Headers that only the SDK sets. */
const SDK_HEADERS: ReadonlySet<string> = new Set([
  ...["authorization", "connection", "content-length", "content-type", "expect", "host", "keep-alive"],
  ...["proxy-authorization", "transfer-encoding", "upgrade"],
]);

const NO_HEADERS: CallerHeaders = { allowed: {}, dropped: [] };
const NO_OPTIONS: Record<string, unknown> = withoutPrototype({});

/** Reads the own properties of the options of a call, each once. Never throws. A call with `issues` is not sent. */
function readCallOptions(options: unknown, names: readonly string[], defaultTimeout: number) {
  const issues: Issue[] = [];
  const check = (isValid: boolean, field: string, message: string) => {
    if (!isValid) issues.push({ field: `options.${field}`, message });
  };
  let given = NO_OPTIONS;
  let signal: AbortSignal | undefined;
  try {
    if (isRecord(options)) given = withOwn(options, names);
    else if (options !== undefined) issues.push({ field: "options", message: "must be an object" });
    if (given["signal"] instanceof AbortSignal) signal = given["signal"];
  } catch {
    issues.push({ field: "options", message: "could not be read" });
    given = NO_OPTIONS;
  }
  const { timeout, extraBody, extraQuery, wait, replaceLost } = given;
  const headers = readHeaders(given["headers"]);
  const unknown = given === NO_OPTIONS ? [] : unknownOptions(given, names);
  for (const { field, message } of unknown) check(false, field, message);
  check(timeout === undefined || isTimeout(timeout), "timeout", TIMEOUT_RULE);
  check(wait === undefined || isWait(wait), "wait", WAIT_RULE);
  check(replaceLost === undefined || typeof replaceLost === "boolean", "replaceLost", "must be a boolean");
  check(signal === given["signal"], "signal", "must be an AbortSignal");
  check(headers !== undefined, "headers", "must be valid HTTP headers");
  return {
    timeout: isTimeout(timeout) ? timeout : defaultTimeout,
    signal,
    headers: headers ?? NO_HEADERS,
    extraBody,
    extraQuery,
    wait: typeof wait === "number" ? wait : undefined,
    replaceLost: replaceLost === true,
    issues,
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

type EventOf<Event> = Event extends unknown ? Omit<Event, "endpoint" | "externalRef"> : never;

/**
 * One call of the SDK: its options, what its errors and events have in common, and the conversion of every failure.
 * Only errors that this call created are thrown to the caller.
 */
export class Call {
  readonly config: Config;
  readonly endpoint: CalledEndpoint;
  readonly options: ReturnType<typeof readCallOptions>;
  readonly progress = new RequestProgress();
  /** The merchant's reference, once it was read from the parameters. */
  externalRef: string | undefined;
  /** What the last event of the call contains, besides its result. */
  facts: SentFacts = {};
  readonly #startedAt = performance.now();
  readonly #secrets = new Set<string>();
  #redactor: Redactor | undefined;

  constructor(
    config: Config,
    endpoint: CalledEndpoint,
    options: unknown,
    optionNames: readonly string[] = REQUEST_OPTION_NAMES,
  ) {
    this.config = config;
    this.endpoint = endpoint;
    this.options = readCallOptions(options, optionNames, config.timeout);
  }

  /** Registers texts to redact, besides those that are always secret. Other values are ignored. */
  hide(secrets: Iterable<unknown>): void {
    for (const secret of secrets) if (typeof secret === "string") this.#secrets.add(secret);
    this.#redactor = undefined;
  }

  /** Created lazily: most calls never redact anything. */
  get redactor(): Redactor {
    this.#redactor ??= new this.config.platform.Redactor([...this.#secrets]);
    return this.#redactor;
  }

  get elapsedMs(): number {
    return performance.now() - this.#startedAt;
  }

  /** Whether the client was closed before the call, or has aborted it. */
  get isClosed(): boolean {
    const { calls } = this.config;
    return calls !== undefined && this.options.signal?.reason === calls.reason;
  }

  /** Only a call that may charge has an outcome. */
  context(outcome: Exclude<Outcome, "not_applicable">): ErrorContext {
    const { config, endpoint, externalRef } = this;
    const host = parseUrl(config.baseUrl)?.host;
    return {
      call: this,
      outcome: endpoint.charges ? outcome : "not_applicable",
      endpoint: endpoint.name,
      externalRef,
      host: host && this.redactor.text(host),
      cause: undefined,
      consequence: undefined,
    };
  }

  emit(event: EventOf<PaymentsEvent>): void {
    const { endpoint, externalRef } = this;
    const { onEvent } = this.config;
    if (onEvent === undefined) return;
    const reference = externalRef === undefined ? {} : { externalRef };
    const { type, ...details } = event;
    const full = { type, endpoint: endpoint.name, ...reference, ...details } as PaymentsEvent;
    // A charge must not fail because of a listener.
    (async () => onEvent(full))().catch(() => undefined);
  }

  warn(field: string, message: string): void {
    this.emit({ type: "warning", field, message });
  }

  reportDrift(drift: readonly Issue[]): void {
    for (const { field, message } of drift) this.emit({ type: "drift", field, message });
  }

  /** The result of this call, which it reports. Its `response` is created when it is read. */
  result<Data>(
    data: Data,
    raw: RawResponse,
    created: Pick<ResultEvent, "transactionId" | "status"> = {},
  ): WithResponse<Data> {
    this.emit({ type: "result", ...this.facts, ...created });
    const durationMs = this.elapsedMs;
    return {
      data,
      get response() {
        const { status, headers, requestId } = raw;
        return { status, headers, requestId, durationMs, replayed: false };
      },
    };
  }

  /** Does the work of this call. Whatever it throws is thrown as the error of this call, and reported. */
  async run<Data>(work: () => Promise<WithResponse<Data>>): Promise<WithResponse<Data>> {
    const end = this.config.calls?.begin(this);
    try {
      return await work();
    } catch (error) {
      throw this.report(await this.toFailure(error));
    } finally {
      end?.();
    }
  }

  /** Converts anything that was thrown to the error of this call. The request is not sent afterwards. */
  async toFailure(error: unknown): Promise<PaymentsError> {
    if (isErrorOf(this, error)) return error;
    const context = this.context(this.progress.withdraw() ? "not_sent" : "unknown");
    try {
      this.throwIfAborted(context);
      if (error instanceof TimeoutReached) return new TimeoutError(this.options.timeout, context);
      const { reason, detail, cause } = await this.config.platform.explainFailure(this, error);
      this.throwIfAborted(context);
      return new ConnectionError(detail, { ...context, cause }, reason);
    } catch (thrown) {
      return isErrorOf(this, thrown) ? thrown : new ConnectionError("unknown reason", context);
    }
  }

  report(failure: PaymentsError): PaymentsError {
    this.emit({ type: "error", ...this.facts, error: failure });
    return failure;
  }

  /** @throws {InvalidRequestError} with the issues of the parameters, and those of the options: here only. */
  assertValid(isValid: boolean, found: readonly Issue[] = []): asserts isValid {
    const issues = [...found, ...this.options.issues];
    if (!isValid || issues.length > 0) throw new InvalidRequestError(issues, this.context("not_sent"));
  }

  /** @throws {AbortedError} if the call is aborted; `not_sent`, unless `details` says otherwise. */
  throwIfAborted(details?: Partial<ErrorContext>): void {
    const { signal } = this.options;
    if (signal?.aborted !== true) return;
    if (this.isClosed) throw new AbortedError({ ...this.context("not_sent"), ...details }, true);
    const copy = sanitizeError(signal.reason, this.redactor);
    const name = copy !== undefined && /^[a-z]+$/i.test(copy.name) ? copy.name : "Error";
    // Any other message may contain card data, which a create call cannot recognize. The caller has the reason itself.
    const isOurs = copy === undefined || isPaymentsError(signal.reason);
    const cause = isOurs ? copy : Object.assign(new Error(), { name });
    throw new AbortedError({ ...this.context("not_sent"), ...details, cause });
  }
}
