import { type Actor, type ErrorContext, PaymentsError } from "./payments-error.ts";

/**
 * Why there was no response.
 *
 * - `network`: the connection failed or was closed. The only reason on a server.
 * - `offline`: the browser reports that the device is offline.
 * - `content_security_policy`: the page's own `connect-src` forbids the call; `actor` is `merchant`.
 * - `cors`: the page may not read the response; `actor` is `service`. Either the service does not allow the page's
 *   origin, or a proxy in front of it responded without the CORS headers.
 */
export type ConnectionFailure = "network" | "offline" | "content_security_policy" | "cors";

const ACTORS: Readonly<Record<ConnectionFailure, Actor>> = {
  network: "network",
  offline: "network",
  content_security_policy: "merchant",
  cors: "service",
};

/**
 * The connection failed, so there was no response.
 *
 * On a create call, `outcome` is `not_sent` only if this is proven, for example after a refused connection, an unknown
 * host name, a failed TLS handshake or an invalid certificate, with any dispatcher or proxy. `nodeTransport()` of
 * `payments-sdk/node` proves it more often. With any other custom `fetch`, or one that a tool installed in place of the
 * platform's, `outcome` is always `unknown`: such a `fetch` receives the body as text and may have sent it.
 *
 * @remarks
 * If `outcome` is `unknown`, wait for the postback or check the payment with the service; otherwise send the request
 * again later. Reads and tokenization were already retried up to `maxRetries` times.
 */
export class ConnectionError extends PaymentsError {
  override readonly name = "ConnectionError";
  readonly code = "connection_failed";
  /** Why there was no response. Always `network` on a server. */
  readonly reason: ConnectionFailure;

  /** @hidden */
  constructor(detail: string, context: ErrorContext, reason: ConnectionFailure = "network") {
    super(`The connection to the ${describeService(context)} failed: ${detail}.`, ACTORS[reason], context);
    this.reason = reason;
  }
}

/**
 * The response, including its body, did not arrive within `timeout`.
 *
 * The customer may have been charged, unless it is proven that nothing was sent: see {@link ConnectionError}.
 *
 * @remarks
 * If `outcome` is `unknown`, wait for the postback or check the payment with the service; otherwise send the request
 * again later. Reads and tokenization were already retried up to `maxRetries` times.
 */
export class TimeoutError extends PaymentsError {
  override readonly name = "TimeoutError";
  readonly code = "timed_out";
  /** The time limit in milliseconds: for one attempt, or in a `CardTokenizer` for all attempts together. */
  readonly timeoutMs: number;

  /** @hidden */
  constructor(timeoutMs: number, context: ErrorContext) {
    super(`The ${describeService(context)} did not respond within ${timeoutMs} ms.`, "network", context);
    this.timeoutMs = timeoutMs;
  }
}

/**
 * The `signal` passed to the call was aborted, or the client was closed.
 *
 * Aborting cannot undo a request: once a create call was sent, its `outcome` is `unknown`. `cause` has the name of the
 * signal's reason, such as `TimeoutError`, and its message only if the reason is an error of this package.
 *
 * @remarks
 * If `outcome` is `unknown`, wait for the postback or check the payment with the service; if `not_sent`, send it again.
 * After `close()`, another process has to send it.
 */
export class AbortedError extends PaymentsError {
  override readonly name = "AbortedError";
  readonly code = "aborted";

  /** @hidden */
  constructor(context: ErrorContext, isClosed = false) {
    super(isClosed ? "The client was closed." : "The call was aborted by its signal.", "merchant", context);
  }
}

/** The service and its address, for a message. */
function describeService({ host }: ErrorContext): string {
  return host === undefined ? "service" : `service at ${host}`;
}
