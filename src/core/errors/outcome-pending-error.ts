import type { ErrorContext } from "./outcome.ts";
import { PaymentsError } from "./payments-error.ts";

/** An earlier attempt for this `externalRef` has no known end, so nothing more is sent for it. */
export class OutcomePendingError extends PaymentsError {
  override readonly name = "OutcomePendingError";
  readonly code = "outcome_pending";

  constructor(context: ErrorContext) {
    super("An earlier attempt for this externalRef is unresolved.", "merchant", context);
  }
}
