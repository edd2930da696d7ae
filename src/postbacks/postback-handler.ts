import { assertConfig } from "../errors/check-options.ts";
import { isPaymentsError } from "../errors/is-payments-error.ts";
import { InvalidPostbackError, type UntrustedPostbackError } from "../errors/postback-errors.ts";
import { type HandlingResult, handlePostback, type Verification } from "./handle-postback.ts";
import { type HandlerSettings, type PostbackHandlerOptions, readHandlerOptions } from "./handler-options.ts";
import { type Postback, parsePostback } from "./parse-postback.ts";
import { reportEvent } from "./postback-events.ts";
import { PostbackQueues } from "./postback-queue.ts";
import {
  type NodeRequest,
  type RequestBody,
  readBody,
  toFetchBody,
  toNodeBody,
  UnreadableBodyError,
} from "./read-body.ts";
import { HandledPostbacks, type WaitOptions } from "./wait-for-postback.ts";

/** The part of Node's `ServerResponse` that is used. */
export interface NodeResponse {
  /** HTTP status of the response. */
  statusCode: number;
  /** Sets a header of the response. */
  setHeader(name: string, value: string): unknown;
  /** Sends the response. */
  end(body: string): unknown;
}

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
}

/**
 * Creates a handler for the postbacks of the service. It reads them, refuses those that do not belong to their order,
 * and runs `onPostback` to success once for each `(id, rawStatus, amount)`, no matter how often it is delivered, and
 * across all machines that share the `store`.
 *
 * | request | response | `onPostback` |
 * |---|---|---|
 * | a postback | 200 | ran, and succeeded |
 * | a postback that was handled before | 200 | did not run |
 * | a postback that is being handled | 503, `Retry-After` | did not run |
 * | another status of a transaction, while one is being handled | waits for it, up to `timeout` | ran after it |
 * | a postback, and `onPostback` throws | 500 | ran; runs again when it is delivered again |
 * | a body that is not a postback of the specification | 400 | did not run |
 * | no valid signature for this order | 401 | did not run |
 * | any method except POST | 405 | did not run |
 * | a body that is too slow, or too large | 408, 413 | did not run |
 * | a postback while the store fails | 503, `Retry-After` | did not run |
 *
 * The specification does not state that the service repeats a postback without a 2xx response: this is an assumption.
 *
 * Spec: "Postback notification".
 *
 * @throws {ConfigurationError} on an invalid option, and without a `signer` unless `allowUnsigned` is `true`.
 */
export function createPostbackHandler(options: PostbackHandlerOptions): PostbackHandler {
  const settings = readHandlerOptions(options);
  const queues = new PostbackQueues();
  const handled = new HandledPostbacks();
  return {
    async fetch(request) {
      const { method, url } = request;
      const delivery = { method, url, body: toFetchBody(request) };
      const { status, headers, body } = await receive(delivery, settings, queues, handled);
      return new Response(JSON.stringify(body), { status, headers });
    },
    async node(request, response) {
      const { method = "", url = "", originalUrl = url, httpVersionMajor = 1 } = request;
      const delivery = { method, url: originalUrl, body: toNodeBody(request) };
      const { status, headers, body } = await receive(delivery, settings, queues, handled);
      try {
        response.statusCode = status;
        for (const [name, value] of Object.entries(headers)) {
          // HTTP/2 does not have this header.
          if (name !== "connection" || httpVersionMajor === 1) response.setHeader(name, value);
        }
        response.end(JSON.stringify(body));
      } catch {
        // The connection is closed, or a response was already sent. The result of the delivery does not change.
      }
    },
    waitFor: (externalRef, waitOptions) => handled.waitFor(externalRef, waitOptions),
  };
}

/** One request, from any kind of server. */
interface Delivery {
  readonly method: string;
  /** The requested URL, or its path and query. */
  readonly url: string;
  readonly body: RequestBody;
}

/** The response, for any kind of server. */
interface HandlerResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Handles one delivery; never rejects. */
async function receive(
  { method, url, body }: Delivery,
  settings: HandlerSettings,
  queues: PostbackQueues,
  handled: HandledPostbacks,
): Promise<HandlerResponse> {
  // Without an event: a probe is not an error.
  if (method !== "POST") return createResponse(405, { error: "method_not_allowed" }, { allow: "POST" });
  let postback: Postback;
  let verification: Verification;
  try {
    postback = parsePostback(await readBody(body, settings));
    verification = await verify(url, postback, settings);
  } catch (error) {
    return refuse(error, settings);
  }
  const result = await handlePostback(postback, verification, settings, queues);
  reportResult(result, postback, settings);
  const response = toResponse(result);
  // With a signer, `waitFor` resolves only with signed postbacks.
  if (response.status === 200 && (settings.signer === undefined || verification.trust === "signed")) {
    handled.add(postback, result.type === "duplicate");
  }
  return response;
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
    const { amountMatches } = await signer.verify(url, postback);
    // A verifier in plain JavaScript may return `false` instead of throwing.
    assertConfig(
      typeof amountMatches === "boolean",
      "signer.verify() must resolve with { amountMatches }, or throw.",
    );
    return { trust: "signed", amountMatches };
  } catch (error) {
    if (allowUnsigned && isUntrusted(error) && error.reason === "missing_signature") return unsigned;
    throw error;
  }
}

/** The response to a delivery that could not be read or verified. */
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
function reportResult(result: HandlingResult, postback: Postback, settings: HandlerSettings): void {
  const { status } = toResponse(result);
  if ("error" in result) {
    const type = result.type === "failed" ? "failed" : "store_failed";
    reportEvent({ type, status, postback, error: result.error }, settings.onEvent);
  } else {
    reportEvent({ type: result.type, status, postback }, settings.onEvent);
  }
  if (result.type !== "unrecorded") return;
  void result.later?.then((later) => reportResult(later, postback, settings));
}

const RESPONSES = {
  handled: [200, { result: "handled" }],
  duplicate: [200, { result: "duplicate" }],
  // Any other status would cause another delivery, which would run onPostback again.
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
  if (status !== 503) return createResponse(status, body);
  const leaseLeft = result.type === "busy" ? Math.ceil(result.leaseLeftMs / 1000) : STORE_RETRY_AFTER;
  const retryAfter = Math.min(Math.max(1, leaseLeft), RETRY_AFTER_MAX);
  return createResponse(status, body, { "retry-after": String(retryAfter) });
}

function createResponse(
  status: number,
  body: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = {},
): HandlerResponse {
  return { status, body, headers: { "content-type": "application/json", ...headers } };
}
