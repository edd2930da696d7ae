import type { RequestOptions } from "../../http/request-options.ts";

/** Options of a create. */
export interface CreateOptions extends RequestOptions {
  /** Fields that the SDK does not know yet, sent as they are. They cannot replace those that it knows. */
  extraBody?: Readonly<Record<string, unknown>> | undefined;
  /**
   * Milliseconds to wait for the end of an earlier call for the same `externalRef`, before an `OutcomePendingError` is
   * thrown. For clients with `idempotency`. Default 0.
   */
  wait?: number | undefined;
}
