import type { ErrorContext } from "./outcome.ts";
import { PaymentsError } from "./payments-error.ts";

/**
 * The SDK was set up in a way that cannot work: a missing or swapped key, a base URL that is none, a
 * secret key in a browser. It never repeats the value.
 *
 * @remarks
 * Mend the setting that the message names, in the code or in the environment variable. Nothing was charged.
 */
export class ConfigurationError extends PaymentsError {
  override readonly name = "ConfigurationError";
  readonly code = "configuration";

  /** @hidden */
  constructor(message: string, context: ErrorContext = { outcome: "not_sent" }) {
    super(message, "merchant", context);
  }
}
