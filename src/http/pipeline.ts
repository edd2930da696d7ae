import { Redactor } from "../data/redactor.ts";
import { ConfigurationError } from "../errors/configuration-error.ts";
import { ConnectionError } from "../errors/connection-error.ts";
import { InvalidRequestError } from "../errors/invalid-request-error.ts";
import type { ErrorContext } from "../errors/outcome.ts";
import type { PaymentsError } from "../errors/payments-error.ts";
import { TimeoutError } from "../errors/timeout-error.ts";
import { UnexpectedResponseError } from "../errors/unexpected-response-error.ts";
import { isRetriableStatus } from "../spec/answers.ts";
import { abortedError } from "./aborted.ts";
import { Arrived } from "./arrived.ts";
import { type AttemptRules, AttemptTimeout } from "./attempts.ts";
import type { Call } from "./call.ts";
import type { CallScope } from "./call-scope.ts";
import type { Connection } from "./connection.ts";
import { errorForStatus } from "./error-for-status.ts";
import { emitTo, type PaymentsEvent } from "./events.ts";
import { readReply } from "./read-reply.ts";
import { headersOf } from "./request-headers.ts";
import { type ReadOptions, type RequestOptions, readOptions } from "./request-options.ts";
import type { Answer } from "./response.ts";
import type { WithResponse } from "./result.ts";
import { RetriableAnswer, retryAfterMs, retryDelayMs } from "./retry.ts";
import { sendOnce } from "./send-once.ts";
import { RequestProgress } from "./transport.ts";

type WithoutCall<Event> = Event extends unknown ? Omit<Event, "endpoint" | "externalRef"> : never;

/**
 * One call on its way: sends it and makes a result of the answer. A call that may charge is put on the
 * wire once; the others are tried again up to `maxRetries` times.
 */
export class Pipeline<Data> {
  readonly #connection: Connection;
  readonly #scope: CallScope;
  readonly #call: Call<Data>;
  readonly #options: ReadOptions;
  readonly #timeout: number;
  readonly #startedAt = performance.now();
  readonly #progress: RequestProgress;
  #attempt = 0;
  #answer: Answer | undefined;
  #redactor: Redactor | undefined;

  constructor(
    connection: Connection,
    scope: CallScope,
    options: RequestOptions | undefined,
    call: Call<Data>,
  ) {
    this.#connection = connection;
    this.#scope = scope;
    this.#call = call;
    this.#options = readOptions(
      scope.endpoint,
      options,
      (issues) => new InvalidRequestError(issues, scope.context("not_sent")),
    );
    this.#progress = new RequestProgress(call.beforeSend);
    this.#timeout = this.#options.timeout ?? connection.timeout;
  }

  async finish(): Promise<WithResponse<Data>> {
    if (this.#options.signal?.aborted === true) throw this.#abortedError(this.#scope.context("not_sent"));
    const answer = await this.#exchange();
    try {
      return this.#result(answer);
    } catch (error) {
      // Answer and request may be out of step on this connection: the next answer on it could be this call's.
      if (error instanceof UnexpectedResponseError) answer.closeConnection?.();
      throw error;
    }
  }

  #result(answer: Answer): WithResponse<Data> {
    if (!(answer.status >= 200 && answer.status <= 299)) {
      const { keysHint } = this.#connection.carrier;
      throw errorForStatus(answer, this.#scope, this.#call, keysHint, this.#secrets());
    }
    const data = readReply(this.#scope, this.#call, answer, this.#secrets, (deviation) =>
      this.emit({ type: "drift", ...deviation }),
    );
    const durationMs = performance.now() - this.#startedAt;
    return new Arrived(data, answer, durationMs);
  }

  emit(event: WithoutCall<PaymentsEvent>): void {
    if (this.#connection.onEvent === undefined) return;
    const { externalRef } = this.#scope;
    const reference = externalRef === undefined ? {} : { externalRef };
    const { type, ...details } = event;
    const full = { type, endpoint: this.#scope.endpoint.name, ...reference, ...details };
    emitTo(this.#connection.onEvent, full as PaymentsEvent);
  }

  /** What became of the charge if there is no answer. From here on nothing of the request is sent any more. */
  outcomeOfFailure(): ErrorContext {
    return this.#scope.context(this.#progress.withdraw() ? "not_sent" : "unknown");
  }

  /** The error for a call without an answer. */
  async failure(error: unknown): Promise<PaymentsError> {
    const { carrier, fetch } = this.#connection;
    const { signal } = this.#options;
    const context = this.outcomeOfFailure();
    const { refusal, headersReceived } = this.#progress;
    if (this.#scope.made(refusal)) return refusal;
    const aborted = this.#abortedError(context);
    if (aborted !== undefined) return aborted;
    if (error instanceof AttemptTimeout) return new TimeoutError(this.#timeout, context);
    const { reason, detail, cause } = await carrier.explain(error, {
      url: this.#url(),
      redactor: this.#secrets(),
      foreignFetch: fetch !== undefined,
      isHeard: headersReceived,
      signal,
      leftMs: this.#timeout - (performance.now() - this.#startedAt),
    });
    return this.#abortedError(context) ?? new ConnectionError(detail, { ...context, cause }, reason);
  }

  /** The error of a call whose signal is aborted by now. */
  #abortedError(context: ErrorContext): PaymentsError | undefined {
    const { signal } = this.#options;
    return signal?.aborted === true ? abortedError(signal, context, this.#secrets()) : undefined;
  }

  async #exchange(): Promise<Answer> {
    const url = this.#url();
    const headers = this.#headers();
    const { method, charges } = this.#scope.endpoint;
    const { carrier, maxRetries } = this.#connection;
    const retries = charges ? 0 : maxRetries;
    const { signal } = this.#options;
    const rules = { url, method, timeout: this.#timeout, signal, retries, delayAfter: this.#delayAfter };
    try {
      await carrier.attempts(rules, (attemptSignal) => this.#send(url, headers, attemptSignal, retries));
    } catch (error) {
      // Once a create has its answer, nothing that happens afterwards may hide it.
      const answered = error instanceof RetriableAnswer || retries === 0;
      if (!answered || this.#answer === undefined) throw error;
    }
    // The carrier is content only where `#send` was, and that one leaves an answer.
    return this.#answer as Answer;
  }

  async #send(url: string, headers: Record<string, string>, signal: AbortSignal, retries: number) {
    const { method, charges } = this.#scope.endpoint;
    const { carrier, fetch } = this.#connection;
    const attempt = this.#attempt + 1;
    this.#answer = undefined;
    // The caller may have aborted meanwhile, or a listener does: then nothing was sent.
    signal.throwIfAborted();
    this.emit({ type: "request", method, path: this.#path, attempt });
    signal.throwIfAborted();
    this.#attempt = attempt;
    const startedAt = performance.now();
    const query = this.#call.query === undefined ? "" : `?${this.#call.query}`;
    const request = { method, headers, body: this.#call.body };
    const once = charges ? carrier.once : undefined;
    const answer = await sendOnce(fetch, url + query, request, signal, this.#progress, once);
    this.#answer = answer;
    const { status } = answer;
    if (this.#connection.onEvent !== undefined) {
      const { requestId } = answer;
      const durationMs = performance.now() - startedAt;
      const named = requestId === undefined ? {} : { requestId: this.#secrets().text(requestId) };
      this.emit({ type: "response", status, attempt, durationMs, ...named });
    }
    if (attempt <= retries && isRetriableStatus(status)) throw new RetriableAnswer();
  }

  readonly #delayAfter: AttemptRules["delayAfter"] = (attempt, patience) => {
    const answer = this.#answer;
    const asked = answer && retryAfterMs(answer.headers);
    const delayMs = patience?.atOnce === true ? 0 : retryDelayMs(attempt, asked);
    const tooLong = delayMs === undefined || (patience !== undefined && delayMs > patience.longestMs);
    if (tooLong || this.#options.signal?.aborted === true) return undefined;
    this.emit({ type: "retry", attempt, delayMs, ...(answer !== undefined && { status: answer.status }) });
    return delayMs;
  };

  #url(): string {
    const { baseUrl } = this.#connection;
    if (baseUrl === undefined) {
      const message = "There is no base URL: give `baseUrl`. PaymentsClient also reads PAYMENTS_BASE_URL.";
      throw new ConfigurationError(message, this.#scope.context("not_sent"));
    }
    return baseUrl + this.#path;
  }

  get #path(): string {
    return this.#call.path ?? this.#scope.endpoint.path;
  }

  #headers(): Record<string, string> {
    const foreign = [this.#connection.headers, this.#options.headers];
    for (const { dropped } of foreign) {
      for (const name of dropped) {
        this.emit({
          type: "warning",
          field: `headers.${name}`,
          message: "is the SDK's own and was left out",
        });
      }
    }
    return headersOf(this.#scope.endpoint, this.#call, foreign);
  }

  /** Made only when something is to be shown: most calls never need it. */
  readonly #secrets = (): Redactor => {
    this.#redactor ??= new Redactor(this.#call.secrets);
    return this.#redactor;
  };
}
