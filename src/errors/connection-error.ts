import { type Actor, describeService, type ErrorContext } from "./outcome.ts";
import { PaymentsError } from "./payments-error.ts";

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
 * On a create call, `outcome` is `not_sent` only if this is proven: no byte of the request was sent, and none can be
 * sent later. A refused connection, an unknown host name, a failed TLS handshake and an invalid certificate are
 * `not_sent`, with any dispatcher or proxy. `nodeTransport()` of `payments-sdk/node` proves it more often. With any
 * other custom `fetch`, or one that a tool installed in place of the platform's, `outcome` is always `unknown`: such a
 * `fetch` receives the body as text and may have sent it.
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
