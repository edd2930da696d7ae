import { isRecord } from "../../data/own-properties.ts";
import { NO_CALL } from "../../errors/payments-error.ts";
import { ConfigurationError } from "../../errors/usage-errors.ts";
import { createPauses } from "../documents.ts";
import { sanitizeDriverError } from "./sanitize-driver-errors.ts";

/** What the clients of PostgreSQL and MySQL have in common. */

/** Levels of a reply: a wrapper, an array of rows in it, a row, its columns. */
const MAX_DEPTH = 4;

/** The values in a reply of any shape, from the outermost to the innermost. */
export function* findValues(reply: unknown, depth = 0): Generator<unknown> {
  yield reply;
  if (typeof reply !== "object" || reply === null || depth === MAX_DEPTH) return;
  for (const value of Object.values(reply)) yield* findValues(value, depth + 1);
}

/**
 * A copy of the error of a statement that is safe to show. Some clients repeat the values of a statement, and with them an
 * order. Sequelize keeps the error of the server, and its code, in `original`.
 *
 * @param advice - How to fix what is wrong with the database or its client, by the code of the error.
 */
export function toStatementError(
  thrown: unknown,
  values: readonly string[],
  advice?: ReadonlyMap<string | undefined, string>,
): Error {
  const records = values.filter((value) => value.startsWith("{"));
  const error = sanitizeDriverError((isRecord(thrown) && thrown["original"]) || thrown, records);
  const message = advice?.get(readCode(error));
  return message === undefined ? error : new ConfigurationError(message, { ...NO_CALL, cause: error });
}

/** The code of the server's error. Some libraries wrap it. */
export function readCode(error: unknown): string | undefined {
  if (!isRecord(error)) return undefined;
  const { code, cause } = error;
  return typeof code === "string" ? code : readCode(cause);
}

/**
 * Runs a statement, and repeats it if a concurrent transaction prevented it.
 *
 * @param lostRaces - Codes of errors with which the statement changed nothing.
 */
export async function repeatLostRaces<Result>(
  lostRaces: ReadonlySet<string | undefined>,
  signal: AbortSignal | undefined,
  run: () => Promise<Result>,
): Promise<Result> {
  const pause = createPauses(signal);
  while (true) {
    try {
      return await run();
    } catch (error) {
      if (!lostRaces.has(readCode(error))) throw error;
      await pause({ cause: error });
    }
  }
}
