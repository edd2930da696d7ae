import { nearestName } from "../data/nearest-name.ts";
import { isRecord, ownCopy } from "../data/own.ts";
import { ConfigurationError } from "./configuration-error.ts";
import type { Issue } from "./issue.ts";
import { showName } from "./issue.ts";
import type { ErrorContext } from "./outcome.ts";

/**
 * The options, each read once. What is missing is an own property that is `undefined`, so that nothing is inherited.
 *
 * @throws {ConfigurationError} on an option that nobody reads, or on options that are none.
 */
export function knownOptions<Options extends object>(
  options: Options,
  names: readonly string[],
  context?: ErrorContext,
): Options {
  const own = copyOf(options);
  if (own === undefined) {
    throw new ConfigurationError("The options must be an object that can be read.", context);
  }
  const [unknown] = unknownOptions(own, names);
  if (unknown === undefined) return ownCopy(own, names);
  throw new ConfigurationError(`${unknown.field} ${unknown.message}.`, context);
}

/** `undefined` for what is no object, and for one with a getter that throws. */
function copyOf<Options extends object>(options: Options): Options | undefined {
  try {
    return isRecord(options) ? { ...options } : undefined;
  } catch {
    return undefined;
  }
}

/** Options that nobody reads, with the nearest name that somebody does. */
export function unknownOptions(options: object, names: readonly string[]): Issue[] {
  return Object.keys(options)
    .filter((name) => !names.includes(name))
    .map((name) => {
      const meant = nearestName(name, names);
      return {
        field: showName(name),
        message: `is not an option${meant === undefined ? "" : ` (did you mean ${meant}?)`}`,
      };
    });
}

/** Of what is set up apart from any call. */
export const NO_CALL: ErrorContext = { outcome: "not_applicable" };

/** @throws {ConfigurationError} with the rule, where something that is set up apart from any call breaks it. */
export function assertConfig(isSo: boolean, rule: string): void {
  if (!isSo) throw new ConfigurationError(rule, NO_CALL);
}
