/// <reference lib="esnext.disposable" preserve="true" />
import type { CloseOptions, CloseResult } from "../contracts/close.ts";
import { assertConfig } from "../errors/check-options.ts";
import { isPaymentsError } from "../errors/is-payments-error.ts";
import { InvalidPostbackError, type UntrustedPostbackError } from "../errors/postback-errors.ts";
import { endWork, readCloseTimeout } from "../http/closing.ts";
import { withTimeout } from "../http/timers.ts";
import {
  describeError,
  type HandlingResult,
  handlePostback,
  type PostbackTask,
  type Verification,
} from "./handle-postback.ts";
import { type HandlerSettings, type PostbackHandlerOptions, readHandlerOptions } from "./handler-options.ts";
import { createResponse, type HandlerResponse, type NodeResponse, sendToNode } from "./handler-response.ts";
import { type Postback, parsePostback } from "./parse-postback.ts";
import { reportEvent, reportWarning } from "./postback-events.ts";
import { PostbackQueues } from "./postback-queue.ts";
import { hasTimers, PostbackRetries, type RetryOptions, type RetryResult } from "./postback-retries.ts";
import {
  type NodeRequest,
  type RequestBody,
  readBody,
  toFetchBody,
  toNodeBody,
  UnreadableBodyError,
} from "./read-body.ts";
import { HandledPostbacks, type WaitOptions } from "./wait-for-postback.ts";

/** Handles the postbacks of the service. Its members are plain functions, so each can be passed on separately. */
export interface PostbackHandler {
  /** For servers with `Request` and `Response`: Hono, Next.js, Bun, Deno, Workers. Never rejects. */
  readonly fetch: (request: Request) => Promise<Response>;
  /**
   * For Node's own requests and responses: `node:http`, Express, Fastify. If a framework has parsed or buffered the body,
   * it is read from `request.body`. Never rejects.
   */
  readonly node: (request: NodeRequest, response: NodeResponse) => Promise<void>;
  /**
   * Waits until a postback of an order is handled; for scripts and tests. If one was handled already, it resolves
   * immediately with the last one of the order. With a signer, only signed postbacks count.
   *
   * @throws {AbortedError} if the signal aborts.
   */
  waitFor(externalRef: string, options?: WaitOptions): Promise<Postback>;
  /**
   * Runs the callbacks of the open postbacks of the store again, without waiting for the end of their pauses: at start-up, or
   * from a cron job. Those whose process ended in a run keep their pauses, because the callback may have ended it. Postbacks
   * that another process is running count in neither number.
   *
   * @throws {ConfigurationError} on an invalid option, and the error of a store that cannot list its postbacks.
   */
  retryFailed(options?: RetryOptions): Promise<RetryResult>;
  /**
   * For the end of the process: starts no more callbacks, and resolves when those that are running have ended. A postback
   * that is still arriving, or arrives later, is recorded, gets a 503 response, and is handled by another process, or after the
   * next start.
   *
   * After `timeout`, `context.signal` of the callbacks that are still running aborts; 5 seconds later at the latest, `close`
   * resolves anyway. A callback that throws by then runs again elsewhere after its pause. One that goes on keeps its lease,
   * so that it does not run twice at the same time. Call `process.exit()` then: once the store is closed, the lease is not
   * renewed, and after a minute another process runs the callback. Repeated calls return the result of the first.
   *
   * @throws {ConfigurationError} on an invalid option.
   */
  close(options?: CloseOptions): Promise<CloseResult>;
  /** The same, for `await using`. Missing in runtimes that do not know it. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Creates a handler for the postbacks of the service. It reads them, refuses those that do not belong to their order, and
 * runs the callback that {@link NamedCallbacks} describes, or `onPostback`, to success once for each
 * `(id, rawStatus, amount)`, no matter how often it is delivered, and across all machines that share the `store`.
 *
 * | request | response | callback |
 * |---|---|---|
 * | a postback | 200 | ran, and succeeded |
 * | a postback that was handled before | 200 | did not run |
 * | a postback that is being handled | 503, `Retry-After` | did not run |
 * | another status of a transaction, while one is being handled | waits for it, up to `timeout` | ran after it |
 * | a postback, and the callback throws | 500 | ran; runs again |
 * | a body that is not a postback of the specification | 400 | did not run |
 * | no valid signature for this order | 401 | did not run |
 * | any method except POST | 405 | did not run |
 * | a body that is too slow, or too large | 408, 413 | did not run |
 * | a postback while the store fails | 503, `Retry-After` | did not run; runs once the store responds |
 *
 * A signed postback is recorded in the store before its callback runs. If the callback fails, or its process dies, it runs
 * again, whether or not the service repeats the postback: after 1 s, 5 s, 30 s, 2 min, 10 min, and then every hour, by a
 * timer of the process that does not keep it alive; once a minute with the next delivery to any process; and by
 * `retryFailed()`. Which callback runs is decided anew each time: an `approved` that is followed by a refund does not ship.
 *
 * The specification does not state that the service repeats a postback without a 2xx response.
 *
 * Spec: "Postback notification".
 *
 * @throws {ConfigurationError} on an invalid option, and without a `signer` unless `allowUnsigned` is `true`.
 *
 * @example
 * ```ts
 * const postbacks = createPostbackHandler({
 *   signer,
 *   store,
 *   onPaid: ({ externalRef }) => ship(externalRef),
 *   onReview: ({ externalRef }, { reason }) => notifySupport(externalRef, reason),
 * });
 * ```
 */
export function createPostbackHandler(options: PostbackHandlerOptions): PostbackHandler {
  const receiver = new PostbackReceiver(readHandlerOptions(options));
  const close = async (closeOptions?: CloseOptions) => receiver.close(readCloseTimeout(closeOptions));
  const dispose = async () => void (await close());
  return {
    async fetch(request) {
      const { method, url } = request;
      const { status, headers, body } = await receiver.receive({ method, url, body: toFetchBody(request) });
      return new Response(body, { status, headers });
    },
    async node(request, response) {
      const { method = "", url = "", originalUrl = url, httpVersionMajor } = request;
      const delivery = { method, url: originalUrl, body: toNodeBody(request) };
      sendToNode(response, await receiver.receive(delivery), httpVersionMajor);
    },
    waitFor: (externalRef, waitOptions) => receiver.handled.waitFor(externalRef, waitOptions),
    retryFailed: (retryOptions) => receiver.retries.retryFailed(retryOptions),
    close,
    ...(Symbol.asyncDispose && { [Symbol.asyncDispose]: dispose }),
  };
}

interface Delivery {
  readonly method: string;
  /** The requested URL, or its path and query. */
  readonly url: string;
  readonly body: RequestBody;
}

/** Receives deliveries, and keeps what a handler remembers between them. */
class PostbackReceiver {
  readonly handled = new HandledPostbacks();
  readonly retries: PostbackRetries;
  readonly #settings: HandlerSettings;
  readonly #queues = new PostbackQueues();
  #closing: Promise<CloseResult> | undefined;
  #hasWarned: boolean;

  constructor(settings: HandlerSettings) {
    this.#settings = settings;
    this.#hasWarned = settings.inbox === settings.store;
    this.retries = new PostbackRetries(settings, (task) => this.#queues.track(this.#handle(task)));
  }

  /** Handles one delivery; never rejects. It is tracked from the start: its body may be slow, and must be recorded. */
  receive(delivery: Delivery): Promise<HandlerResponse> {
    return this.#queues.track(this.#receive(delivery));
  }

  async #receive({ method, url, body }: Delivery): Promise<HandlerResponse> {
    // Without an event: a probe is not an error.
    if (method !== "POST") return createResponse(405, { error: "method_not_allowed" }, { allow: "POST" });
    let task: PostbackTask;
    try {
      const postback = parsePostback(await readBody(body, this.#settings));
      task = { postback, verification: await verify(url, postback, this.#settings) };
    } catch (error) {
      return refuse(error, this.#settings);
    }
    this.#warnWithoutInbox(task);
    const result = await this.#handle(task);
    const sweep = this.#sweep(task);
    if (!hasTimers()) await sweep; // elsewhere, the response does not wait for it
    return toResponse(result);
  }

  close(timeoutMs: number): Promise<CloseResult> {
    const { leases, running } = this.#queues;
    this.#queues.isClosed = true;
    this.retries.close();
    const whenIdle = async () => {
      while (running.size > 0) await Promise.allSettled(running);
    };
    const abort = () => {
      const { size } = leases;
      for (const lease of leases) lease.abort(new Error("The handler was closed."));
      return size;
    };
    this.#closing ??= endWork(timeoutMs, whenIdle, abort, () => running.size);
    return this.#closing;
  }

  /** Takes over what other processes left; never rejects. Without timers it has limited time, because the response waits. */
  async #sweep({ postback }: PostbackTask): Promise<void> {
    const { timeout, onEvent } = this.#settings;
    const work = () => this.retries.sweep();
    try {
      await (hasTimers() ? work() : withTimeout({ ms: timeout }, work));
    } catch (error) {
      const { name, code } = describeError(error);
      const reason = code === undefined ? name : `${name}, ${code}`;
      const message =
        `The store could not list its open postbacks (${reason}), so those that other processes left do not run. ` +
        "A delivery tries again after a minute.";
      reportWarning({ reason: "cannot_list", message, postback }, onEvent);
    }
  }

  /** Handles a delivery or a retry, and reports the result; never rejects. */
  async #handle(task: PostbackTask): Promise<HandlingResult> {
    const result = await handlePostback(task, this.#settings, this.#queues);
    this.retries.update(task, result);
    reportResult(result, task, this.#settings);
    const { postback, verification } = task;
    // With a signer, `waitFor` resolves only with signed postbacks.
    const isTrusted = this.#settings.signer === undefined || verification.trust === "signed";
    if (toResponse(result).status === 200 && isTrusted)
      this.handled.add(postback, result.type === "duplicate");
    return result;
  }

  #warnWithoutInbox({ postback, verification }: PostbackTask): void {
    if (this.#hasWarned || verification.trust === "unsigned") return;
    this.#hasWarned = true;
    const message =
      "The store has no openPostbacks(), so callbacks that fail run again only in this process, and not after its end. " +
      "Nor do others know which transaction paid for an order.";
    reportWarning({ reason: "no_inbox", message, postback }, this.#settings.onEvent);
  }
}

/** @throws {UntrustedPostbackError} */
async function verify(
  url: string,
  postback: Postback,
  { signer, allowUnsigned }: HandlerSettings,
): Promise<Verification> {
  const unsigned: Verification = { trust: "unsigned", amountMatches: undefined };
  if (signer === undefined) return unsigned;
  try {
    const { amountMatches, signedAmount } = await signer.verify(url, postback);
    // A verifier in plain JavaScript may return `false` instead of throwing.
    const isResult = typeof amountMatches === "boolean";
    assertConfig(isResult, "signer.verify() must resolve with { amountMatches }, or throw.");
    return { trust: "signed", amountMatches, signedAmount: amountMatches ? postback.amount : signedAmount };
  } catch (error) {
    if (allowUnsigned && isUntrusted(error) && error.reason === "missing_signature") return unsigned;
    throw error;
  }
}

function refuse(error: unknown, { onEvent }: HandlerSettings): HandlerResponse {
  if (error instanceof InvalidPostbackError) {
    const status = error instanceof UnreadableBodyError ? error.status : 400;
    reportEvent({ type: "refused", status, error }, onEvent);
    // Otherwise the unread part of the body would be read as the next request.
    const headers = status === 400 ? {} : { connection: "close" };
    return createResponse(status, { error: error.code, issues: error.issues }, headers);
  }
  if (isUntrusted(error)) {
    reportEvent({ type: "refused", status: 401, error }, onEvent);
    return createResponse(401, { error: error.code, reason: error.reason });
  }
  reportEvent({ type: "failed", status: 500, error }, onEvent);
  return createResponse(500, { error: "handler_failed" });
}

/** By its code, not its class: the signer may be from another copy of the package. */
function isUntrusted(error: unknown): error is UntrustedPostbackError {
  return isPaymentsError(error) && error.code === "untrusted_postback";
}

/** Reports the result, and a later result of the store once it is known. */
function reportResult(result: HandlingResult, task: PostbackTask, settings: HandlerSettings): void {
  const { postback, isRetry } = task;
  // A retry that has nothing to do is no news.
  if (isRetry === true && (result.type === "busy" || result.type === "duplicate")) return;
  const { status } = toResponse(result);
  const common = { status, ...(isRetry === true && { isRetry }), ...nameCallback(result), postback };
  if (result.type === "failed" || result.type === "unclaimed" || result.type === "unrecorded") {
    const type = result.type === "failed" ? "failed" : "store_failed";
    reportEvent({ type, ...common, error: result.error }, settings.onEvent);
  } else {
    reportEvent({ type: result.type, ...common }, settings.onEvent);
  }
  if (result.type !== "unrecorded") return;
  void result.later?.then((later) => reportResult(later, task, settings));
}

/** The named callback that ran. */
function nameCallback(result: HandlingResult) {
  const isNamed = "callback" in result && result.callback !== undefined && result.callback !== "onPostback";
  return isNamed && { callback: result.callback };
}

const RESPONSES = {
  handled: [200, { result: "handled" }],
  duplicate: [200, { result: "duplicate" }],
  // Any other status would cause another delivery, which would run the callback again.
  unrecorded: [200, { result: "handled" }],
  busy: [503, { error: "busy" }],
  unclaimed: [503, { error: "store_failed" }],
  failed: [500, { error: "handler_failed" }],
} as const;

/** The longest `Retry-After`, in seconds: most handling ends long before its lease does. */
const RETRY_AFTER_MAX = 10;

/** Seconds until a retry makes sense while the store is down. */
const STORE_RETRY_AFTER = 5;

function toResponse(result: HandlingResult): HandlerResponse {
  const [status, body] = RESPONSES[result.type];
  // For a person who delivers it: onReview does not ship.
  if (status !== 503) return createResponse(status, { ...body, ...nameCallback(result) });
  const leaseLeft = result.type === "busy" ? Math.ceil(result.leaseLeftMs / 1000) : STORE_RETRY_AFTER;
  const retryAfter = Math.min(Math.max(1, leaseLeft), RETRY_AFTER_MAX);
  return createResponse(status, body, { "retry-after": String(retryAfter) });
}
