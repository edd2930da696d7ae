import { cleanCause } from "../core/clean-cause.ts";
import { isPaymentsError } from "../core/errors/payments-error.ts";
import { Redactor } from "../core/redaction.ts";

/**
 * What a driver gives, or a copy of its error that is safe to show: the error itself may hold the command, and that the
 * password of the database, or a record.
 */
export async function scrubbing<Result>(work: () => PromiseLike<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (isPaymentsError(error)) throw error;
    throw cleanCause(error, new Redactor([])) ?? new Error("The database failed.");
  }
}
