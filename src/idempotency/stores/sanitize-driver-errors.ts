import { Redactor } from "../../data/redactor.ts";
import { isPaymentsError } from "../../errors/is-payments-error.ts";
import { sanitizeError } from "../../errors/sanitize-error.ts";

/**
 * Runs a driver, and replaces its error by a copy that is safe to show: the error itself may hold the command, and that
 * the password of the database, or a record.
 */
export async function sanitizeDriverErrors<Result>(run: () => PromiseLike<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (isPaymentsError(error)) throw error;
    throw sanitizeError(error, new Redactor([])) ?? new Error("The database failed.");
  }
}
