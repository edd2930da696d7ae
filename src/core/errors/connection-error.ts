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
 * `outcome` is `not_sent` only where the SDK's own transport proves that the request never left: the
 * connection was refused, the name not found, connecting took too long, or the certificate was not
 * accepted. With any other `fetch` than the platform's or that of `nodeTransport` it is always `unknown`, and so it is
 * where a tool has replaced the platform's `fetch` since the package was loaded, or given undici another dispatcher than
 * one of its agents: either may have sent before. What replaced `fetch` earlier is taken for the platform's own.
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
