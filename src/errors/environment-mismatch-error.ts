import type { ErrorContext } from "./outcome.ts";
import { PaymentsError } from "./payments-error.ts";

/**
 * The service runs in a different environment from the one that `status.assertEnvironment` expects.
 *
 * Spec: "Versioning", rule 3.
 *
 * @remarks
 * Check `baseUrl` and the keys. Do not take payments until they belong to the expected environment.
 */
export class EnvironmentMismatchError extends PaymentsError {
  override readonly name = "EnvironmentMismatchError";
  readonly code = "environment_mismatch";
  /** The environment passed to `assertEnvironment`. */
  readonly expected: string;
  /** The environment that the service reports; missing if it reports none. */
  declare readonly actual?: string;

  /** @hidden */
  constructor(expected: string, actual: string | undefined, context: ErrorContext) {
    const reported = actual ?? "none";
    const message = `Expected the ${expected} environment, but the service reports ${reported}. Check \`baseUrl\` and the keys.`;
    super(message, "merchant", context);
    this.expected = expected;
    if (actual !== undefined) this.actual = actual;
  }
}
