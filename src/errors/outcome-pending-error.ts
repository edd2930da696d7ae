import type { ErrorContext } from "./outcome.ts";
import { PaymentsError } from "./payments-error.ts";

const MESSAGES = {
  claimed:
    "Another call for this externalRef is in progress: wait until it ends, for example with the option `wait`.",
  unresolved:
    "An earlier attempt for this externalRef is unresolved: a signed postback or the store's resolve() settles it. If it was a pix, createPix with { replaceLost: true } creates a new code.",
} as const;

/** For a person who calls the store's `resolve()`. */
const TOO_EARLY =
  "A call for this externalRef is in progress, or its process crashed: resolve it once the call's timeout plus 30 seconds have passed.";

/**
 * Another call for this `externalRef` is in progress, or ended without a known outcome. This call sent nothing, but the
 * other one may have charged the customer.
 *
 * @remarks
 * Wait; never pay with a new `externalRef` instead. If `state` is `claimed`, the option `wait` waits until the
 * other call ends. If it is `unresolved`, it is settled by a signed postback, or by someone who checks the payment with the
 * service and calls the store's `resolve()`. A pix can be created again with the option `replaceLost`.
 */
export class OutcomePendingError extends PaymentsError {
  override readonly name = "OutcomePendingError";
  readonly code = "outcome_pending";
  /**
   * `claimed`: the other call is in progress. `unresolved`: it ended without a known outcome, so waiting does not help.
   */
  readonly state: "claimed" | "unresolved";

  /** @hidden */
  constructor(context: ErrorContext, state: "claimed" | "unresolved" = "unresolved") {
    const message = context.outcome === "not_applicable" ? TOO_EARLY : MESSAGES[state];
    super(message, "merchant", context, true);
    this.state = state;
  }
}
