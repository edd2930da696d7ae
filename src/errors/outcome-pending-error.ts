import type { ErrorContext } from "./outcome.ts";
import { PaymentsError } from "./payments-error.ts";

const MESSAGES = {
  claimed: "Another call for this externalRef is under way: wait for its end, with `wait` for one.",
  unresolved:
    "An earlier attempt for this externalRef is unresolved: a signed postback settles it, or resolve() of the store.",
} as const;

/** To a person who wants to resolve it. */
const TOO_EARLY =
  "A call for this externalRef is under way, or its process died: resolve it when the call's timeout and 30 seconds are over.";

/**
 * Another call for this `externalRef` is under way, or ended without a known outcome; nothing more is sent for it.
 *
 * @remarks
 * Wait, and never pay with a new `externalRef` instead. Where `state` is `claimed`, the option `wait` of the create waits for the
 * other call's end. Where it is `unresolved`, a signed postback settles it, or a person who looks the payment up in the
 * dashboard and calls `resolve()` of the store.
 */
export class OutcomePendingError extends PaymentsError {
  override readonly name = "OutcomePendingError";
  readonly code = "outcome_pending";
  /** `claimed`: it is under way. `unresolved`: it will not end by itself. */
  readonly state: "claimed" | "unresolved";

  /** @hidden */
  constructor(context: ErrorContext, state: "claimed" | "unresolved" = "unresolved") {
    super(context.outcome === "not_applicable" ? TOO_EARLY : MESSAGES[state], "merchant", context);
    this.state = state;
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), state: this.state };
  }
}
