import { json } from "../answers.ts";
import { ImpossibleMoveError, UnknownIdError } from "../sandbox-errors.ts";

/** A request that the control API cannot make sense of. */
export class BadRequestError extends Error {
  override readonly name = "BadRequestError";
}

/** What the gateway threw, as an answer. */
export function failureOf(error: unknown): Response {
  if (!(error instanceof Error)) throw error;
  return json({ success: false, message: error.message }, statusOf(error));
}

function statusOf(error: Error): number {
  if (error instanceof UnknownIdError) return 404;
  if (error instanceof ImpossibleMoveError) return 409;
  const isTheirs = [BadRequestError, TypeError, RangeError].some((kind) => error instanceof kind);
  return isTheirs ? 400 : 500;
}
