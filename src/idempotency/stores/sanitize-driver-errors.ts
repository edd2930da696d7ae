import { REDACTED, redactShapes } from "../../data/redactor.ts";
import { isPaymentsError } from "../../errors/is-payments-error.ts";
import { sanitizeError } from "../../errors/sanitize-error.ts";

/** Calls a driver, and replaces its error with a copy that is safe to show. */
export async function sanitizeDriverErrors<Result>(run: () => PromiseLike<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    throw sanitizeDriverError(error);
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
  const text = (shown: string) =>
    redactShapes(secrets.reduce((rest, secret) => rest.replaceAll(secret, REDACTED), shown));
  return sanitizeError(error, { text }) ?? new Error("The database failed.");
}
