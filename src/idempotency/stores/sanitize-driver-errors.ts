import { findShapes, REDACTED, redactLayers, SECRET_SHAPES } from "../../data/redactor.ts";
import { SERVER_SHAPES } from "../../data/server-redactor.ts";
import { isPaymentsError } from "../../errors/is-payments-error.ts";
import { sanitizeError } from "../../errors/sanitize-error.ts";

const SHAPES: readonly RegExp[] = [
  ...SECRET_SHAPES,
  ...SERVER_SHAPES,
  // Redis quotes a command that it does not know, such as `HELLO 3 AUTH user password` before version 6.
  /(with args beginning with: )[^\n]+/g,
  /(\bAUTH[\s"'`,]{1,4})(?:[^\s<"'`]+[\s"'`,]{1,4})?[^\s<"'`]+(?=["'`]|$| SETNAME)/gm,
];

/** Calls a driver, and replaces its error with a copy that is safe to show: see {@link sanitizeDriverError}. */
export async function sanitizeDriverErrors<Result>(
  run: () => PromiseLike<Result>,
  secrets?: readonly string[],
): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    throw sanitizeDriverError(error, secrets);
  }
}

/**
 * A copy of a driver's error that is safe to show: the error itself may contain the command, and with it a record or the
 * password of the database.
 *
 * @param secrets - Texts that its message may repeat.
 */
export function sanitizeDriverError(error: unknown, secrets: readonly string[] = []): Error {
  if (isPaymentsError(error)) return error;
  const text = (shown: string) => {
    const rest = secrets.reduce((clean, secret) => clean.replaceAll(secret, REDACTED), shown);
    return redactLayers(rest, (layer) => findShapes(layer, SHAPES));
  };
  return sanitizeError(error, { text }) ?? new Error("The database failed.");
}
