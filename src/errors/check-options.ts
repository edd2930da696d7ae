import { isRecord, withOwn } from "../data/own-properties.ts";
import { nearestName } from "../data/validate.ts";
import { type Issue, showName } from "./issue.ts";
import type { ErrorContext } from "./payments-error.ts";
import { ConfigurationError } from "./usage-errors.ts";

/**
 * A copy of the options, each read once. Missing ones are own properties that are `undefined`, so nothing is inherited.
 *
 * @throws {ConfigurationError} if `options` is not an object or has an unknown name.
 */
export function knownOptions<Options extends object>(
  options: Options,
  names: readonly string[],
  context?: ErrorContext,
): Options {
  let own: Options | undefined;
  try {
    if (isRecord(options)) own = { ...options };
  } catch {} // a getter threw
  if (own === undefined)
    throw new ConfigurationError("The options must be an object that can be read.", context);
  const [unknown] = unknownOptions(own, names);
  if (unknown === undefined) return withOwn(own, names);
  throw new ConfigurationError(`${unknown.field} ${unknown.message}.`, context);
}

/** An issue for each unknown option, with the nearest known name. */
export function unknownOptions(options: object, names: readonly string[]): Issue[] {
  const unknown = Object.keys(options).filter((name) => !names.includes(name));
  return unknown.map((name) => {
    const nearest = nearestName(name, names);
    const hint = nearest === undefined ? "" : ` (did you mean ${nearest}?)`;
    return { field: showName(name), message: `is not an option${hint}` };
  });
}

/** @throws {ConfigurationError} with the message, unless the condition holds. */
export function assertConfig(condition: boolean, message: string, context?: ErrorContext): asserts condition {
  if (!condition) throw new ConfigurationError(message, context);
}
