import type { Actor, ErrorContext } from "./outcome.ts";
import { PaymentsError } from "./payments-error.ts";

/**
 * Why no answer could be had.
 *
 * - `network`: it did not come, or broke off. On a server always this.
 * - `offline`: the browser says that the device has no network.
 * - `content_security_policy`: the page's own `connect-src` forbids the call; the `actor` is the `merchant`.
 * - `cors`: something answers at this address, but not to this page; the `actor` is the `service`. Either the service does not allow the
 *   page's origin, or what is in front of it answered in its place without the headers.
 */
export type ConnectionFailure = "network" | "offline" | "content_security_policy" | "cors";

const ACTORS: Readonly<Record<ConnectionFailure, Actor>> = {
  network: "network",
  offline: "network",
  content_security_policy: "merchant",
  cors: "service",
};

/**
 * No answer, because the connection failed.
 *
 * `outcome` is `not_sent` only if it is proven: nothing has read the body of the create, and from then on nothing can.
 * So a refused connection, an unknown host name, a failed TLS handshake and a wrong certificate are `not_sent`, whatever
 * dispatcher or proxy is in use. With a custom `fetch`, and with one that a tool has put in the place of the platform's,
 * it is always `unknown`: it gets the body as text, and may have sent it more than once.
 *
 * @remarks
 * Do not send a create again where its `outcome` is `unknown`: wait for the postback, or look the payment up in the dashboard of
 * the service. Where it is `not_sent`, it may be sent again. Any other call was tried again up to `maxRetries` times: try it later.
 */
export class ConnectionError extends PaymentsError {
  override readonly name = "ConnectionError";
  readonly code = "connection_failed";
  /** Why no answer could be had; in a page it tells the causes apart, on a server it is `network`. */
  readonly reason: ConnectionFailure;

  /** @hidden */
  constructor(detail: string, context: ErrorContext, reason: ConnectionFailure = "network") {
    super(`The connection to the service failed: ${detail}.`, ACTORS[reason], context);
    this.reason = reason;
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), reason: this.reason };
  }
}
