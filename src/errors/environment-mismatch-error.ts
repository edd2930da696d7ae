import type { ErrorContext } from "./outcome.ts";
import { PaymentsError } from "./payments-error.ts";

/**
 * The service runs in another environment than the caller insisted on.
 *
 * Spec: "Versioning", rule 3.
 *
 * @remarks
 * Check `baseUrl` and the keys, and take no payment before they are those of the environment that you meant.
 */
export class EnvironmentMismatchError extends PaymentsError {
  override readonly name = "EnvironmentMismatchError";
  readonly code = "environment_mismatch";
  /** The environment that the caller insisted on. */
  readonly expected: string;
  /** What the service said it is; missing where it said nothing. */
  declare readonly actual?: string;

  /** @hidden */
  constructor(expected: string, actual: string | undefined, context: ErrorContext) {
    super(
      `Expected the ${expected} environment, but the service says it is ${actual ?? "unspecified"}. Check \`baseUrl\` and the keys.`,
      "merchant",
      context,
    );
    this.expected = expected;
    if (actual !== undefined) this.actual = actual;
  }
}
