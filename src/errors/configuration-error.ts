import type { ErrorContext } from "./outcome.ts";
import { PaymentsError } from "./payments-error.ts";

/**
 * A setting of the SDK cannot work: a missing or swapped key, an invalid base URL, a secret key in a browser. No one was
 * charged. The message contains no value, except the name of a SQLite file.
 *
 * @remarks
 * Fix the setting that the message names, in the code or in the environment variable.
 */
export class ConfigurationError extends PaymentsError {
  override readonly name = "ConfigurationError";
  readonly code = "configuration";

  /** @hidden */
  constructor(message: string, context: ErrorContext = { outcome: "not_sent" }) {
    super(message, "merchant", context);
  }
}
