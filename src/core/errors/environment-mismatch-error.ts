import type { ErrorContext } from "./outcome.ts";
import { PaymentsError } from "./payments-error.ts";

/**
 * The service runs in another environment than the caller insisted on.
 *
 * Spec: "Versioning", rule 3.
 */
export class EnvironmentMismatchError extends PaymentsError {
  override readonly name = "EnvironmentMismatchError";
  readonly code = "environment_mismatch";
  readonly expected: string;
  /** What the service said it is; missing where it said nothing. */
  declare readonly actual?: string;

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
