import { Redactor } from "../../data/redactor.ts";
import { isPaymentsError } from "../../errors/is-payments-error.ts";
import { sanitizeError } from "../../errors/sanitize-error.ts";

/**
 * Calls a driver, and replaces its error with a copy that is safe to show: the error itself may contain the command,
 * and with it a record or the password of the database.
 */
export async function sanitizeDriverErrors<Result>(run: () => PromiseLike<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (isPaymentsError(error)) throw error;
    throw sanitizeError(error, new Redactor([])) ?? new Error("The database failed.");
  }
}
