import { ConfigurationError } from "./errors/configuration-error.ts";
import type { ErrorContext } from "./errors/outcome.ts";

/** Of what is set up apart from any call. */
export const NO_CALL: ErrorContext = { outcome: "not_applicable" };

/** @throws {ConfigurationError} with the rule, where something that is set up apart from any call breaks it. */
export function mustBe(isSo: boolean, rule: string): void {
  if (!isSo) throw new ConfigurationError(rule, NO_CALL);
}
