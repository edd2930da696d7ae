import type { ErrorContext } from "./outcome.ts";
import { PaymentsError } from "./payments-error.ts";

/**
 * No answer, because the connection failed.
 *
 * `outcome` is `not_sent` only where the SDK's own transport proves that the request never left: the
 * connection was refused, the name not found, connecting took too long, or the certificate was not
 * accepted. With a `fetch` of the caller's it is always `unknown`, and so it is where a tool has replaced the
 * platform's `fetch` or given undici another dispatcher than a plain agent: either may have sent before.
 */
export class ConnectionError extends PaymentsError {
  override readonly name = "ConnectionError";
  readonly code = "connection_failed";

  constructor(reason: string, context: ErrorContext) {
    super(`The connection to the service failed: ${reason}.`, "network", context);
  }
}
