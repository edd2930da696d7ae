import { isPaymentsError } from "payments-sdk";

/** What an example cannot do, in a line for the person who asked for it. */
export class Failure extends Error {}

/** What somebody typed is wrong; the help says how it is right. */
export class UsageError extends Failure {}

export function check(holds: unknown, message: string): asserts holds {
  if (!holds) throw new UsageError(message);
}

/** What is told of an error: one line, and never a stack trace. */
export function lineOf(error: unknown, usage: string): string {
  if (error instanceof UsageError) return oneLine(`${error.message} ${usage}`);
  return oneLine(isPaymentsError(error) ? `${error.name}: ${error.message}` : reasonOf(error));
}

/** Of several connections that failed at once there is a code, and no message. */
export function reasonOf(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException;
  return message || code || String(error);
}

/** A message may repeat what a service or a file says, and a terminal would obey it. */
function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, " ").trim();
}
