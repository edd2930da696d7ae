import ky, { TimeoutError as KyTimeoutError } from "ky";
import { isRetriableStatus } from "../spec/answers.ts";
import type { Endpoint } from "../spec/endpoints.ts";
import type { Answer } from "./answer.ts";
import type { Call } from "./call.ts";
import type { Connection } from "./connection.ts";
import { AbortedError } from "./errors/aborted-error.ts";
import { ConfigurationError } from "./errors/configuration-error.ts";
import { ConnectionError } from "./errors/connection-error.ts";
import { InvalidRequestError } from "./errors/invalid-request-error.ts";
import type { ErrorContext, Outcome } from "./errors/outcome.ts";
import type { PaymentsError } from "./errors/payments-error.ts";
import { TimeoutError } from "./errors/timeout-error.ts";
import { emitTo, type PaymentsEvent } from "./events.ts";
import { outcomeOf } from "./outcome-of.ts";
import type { WithResponse } from "./payments-promise.ts";
import { isPlatformFetch } from "./platform-fetch.ts";
import { readReply } from "./read-reply.ts";
import { Redactor } from "./redaction.ts";
import { headersOf } from "./request-headers.ts";
import { type ReadOptions, type RequestOptions, readOptions } from "./request-options.ts";
import { RetriableAnswer, retryAfterMs, retryDelayMs } from "./retry.ts";
import { sendOnce } from "./send-once.ts";
import { errorForStatus } from "./status-error.ts";
import { explainFailure } from "./transport-failure.ts";

type WithoutCall<Event> = Event extends unknown ? Omit<Event, "endpoint" | "externalRef"> : never;

/**
 * One call on its way: sends it and makes a result of the answer. A call that may charge is put on the
 * wire once; the others are tried again up to `maxRetries` times.
 */
export class Pipeline<Data> {
  readonly #connection: Connection;
  readonly #endpoint: Endpoint;
  readonly #call: Call<Data>;
  readonly #options: ReadOptions;
  readonly #timeout: number;
  readonly #startedAt = performance.now();
  #attempt = 0;
  #answer: Answer | undefined;
  #delayMs = 0;
  #redactor: Redactor | undefined;

  constructor(
    connection: Connection,
    endpoint: Endpoint,
    options: RequestOptions | undefined,
    call: Call<Data>,
  ) {
    this.#connection = connection;
    this.#endpoint = endpoint;
    this.#call = call;
    this.#options = readOptions(
      endpoint,
      options,
      (issues) => new InvalidRequestError(issues, this.#context("not_sent")),
    );
    this.#timeout = this.#options.timeout ?? connection.timeout;
  }

  async finish(): Promise<WithResponse<Data>> {
    if (this.#options.signal?.aborted === true) throw new AbortedError(this.#context("not_sent"));
    const answer = await this.#exchange();
    if (!(answer.status >= 200 && answer.status <= 299)) {
      throw errorForStatus(answer, this.#endpoint, this.#call.externalRef, this.#secrets());
    }
    const data = readReply(this.#endpoint, this.#call, answer, this.#secrets, (deviation) =>
      this.emit({ type: "drift", ...deviation }),
    );
    const durationMs = performance.now() - this.#startedAt;
    const { status, headers, requestId } = answer;
    return { data, response: { status, headers, requestId, durationMs, replayed: false } };
  }

  emit(event: WithoutCall<PaymentsEvent>): void {
    if (this.#connection.onEvent === undefined) return;
    const { externalRef } = this.#call;
    const reference = externalRef === undefined ? {} : { externalRef };
    const { type, ...details } = event;
    const full = { type, endpoint: this.#endpoint.name, ...reference, ...details };
    emitTo(this.#connection.onEvent, full as PaymentsEvent);
  }

  /** The error for what a transport threw. */
  failure(error: unknown): PaymentsError {
    const sent = this.#attempt > 0;
    const outcome = sent ? "unknown" : "not_sent";
    if (this.#options.signal?.aborted === true) return new AbortedError(this.#context(outcome));
    if (error instanceof KyTimeoutError) return new TimeoutError(this.#timeout, this.#context(outcome));
    const { reason, provenUnsent, cause } = explainFailure(error, this.#secrets());
    // Only our own transport is known not to have sent something before it failed.
    const unsent = !sent || (provenUnsent && this.#connection.fetch === undefined && isPlatformFetch());
    return new ConnectionError(reason, { ...this.#context(unsent ? "not_sent" : "unknown"), cause });
  }

  async #exchange(): Promise<Answer> {
    const url = this.#url();
    const headers = this.#headers();
    const retries = this.#endpoint.charges ? 0 : this.#connection.maxRetries;
    try {
      // ky gets neither body nor headers: its errors and clones then hold no card and no key.
      await ky(url, {
        method: this.#endpoint.method,
        timeout: this.#timeout,
        throwHttpErrors: false,
        ...(this.#options.signal !== undefined && { signal: this.#options.signal }),
        retry: {
          limit: retries,
          methods: ["get", "post"],
          shouldRetry: ({ retryCount }) => this.#shouldRetry(retryCount),
          delay: () => this.#delayMs,
        },
        fetch: (input) => this.#send(url, headers, (input as Request).signal, retries),
      });
    } catch (error) {
      // Once a create has its answer, nothing that happens afterwards may hide it.
      const answered = error instanceof RetriableAnswer || retries === 0;
      if (!answered || this.#answer === undefined) throw error;
    }
    // ky is content only where `#send` was, and that one leaves an answer.
    return this.#answer as Answer;
  }

  async #send(url: string, headers: Record<string, string>, signal: AbortSignal, retries: number) {
    const { method } = this.#endpoint;
    const attempt = this.#attempt + 1;
    this.#answer = undefined;
    this.emit({ type: "request", method, path: this.#path, attempt });
    // The caller, or a listener, may have aborted meanwhile: then nothing was sent.
    signal.throwIfAborted();
    this.#attempt = attempt;
    const startedAt = performance.now();
    const body = this.#call.body;
    const init: RequestInit = {
      method,
      headers,
      redirect: "manual",
      signal,
      ...(body !== undefined && { body }),
    };
    const query = this.#call.query === undefined ? "" : `?${this.#call.query}`;
    const { response, answer } = await sendOnce(this.#connection.fetch, url + query, init, signal);
    this.#answer = answer;
    const { status, requestId } = answer;
    const durationMs = performance.now() - startedAt;
    const named = requestId !== undefined && this.#connection.onEvent !== undefined;
    this.emit({
      type: "response",
      status,
      attempt,
      durationMs,
      ...(named && { requestId: this.#secrets().text(requestId) }),
    });
    if (attempt <= retries && isRetriableStatus(status)) throw new RetriableAnswer();
    return response;
  }

  #shouldRetry(attempt: number): boolean {
    const answer = this.#answer;
    const delayMs = retryDelayMs(attempt, answer && retryAfterMs(answer.headers));
    if (delayMs === undefined || this.#options.signal?.aborted === true) return false;
    this.#delayMs = delayMs;
    this.emit({ type: "retry", attempt, delayMs, ...(answer !== undefined && { status: answer.status }) });
    return true;
  }

  #url(): string {
    const { baseUrl } = this.#connection;
    if (baseUrl === undefined) {
      const message = "There is no base URL: give `baseUrl`. PaymentsClient also reads PAYMENTS_BASE_URL.";
      throw new ConfigurationError(message, this.#context("not_sent"));
    }
    return baseUrl + this.#path;
  }

  get #path(): string {
    return this.#call.path ?? this.#endpoint.path;
  }

  #headers(): Record<string, string> {
    const foreign = [this.#connection.headers, this.#options.headers];
    for (const name of foreign.flatMap(({ dropped }) => dropped)) {
      this.emit({ type: "warning", field: `headers.${name}`, message: "is the SDK's own and was left out" });
    }
    return headersOf(this.#endpoint, this.#call, foreign);
  }

  #context(outcome: Exclude<Outcome, "not_applicable">): ErrorContext {
    const { externalRef } = this.#call;
    return { outcome: outcomeOf(this.#endpoint, outcome), endpoint: this.#endpoint.name, externalRef };
  }

  /** Made only when something is to be shown: most calls never need it. */
  readonly #secrets = (): Redactor => {
    this.#redactor ??= new Redactor(this.#call.secrets);
    return this.#redactor;
  };
}
