import * as z from "zod/mini";
import { say } from "./message.ts";

const INTEGER_TEXT = /^-?\d{1,16}$/;

/** What is said of a value that is none. */
export const NO_INTEGER = "must be a whole number of at most 2^53 - 1";

/** A whole number that JavaScript holds exactly; the service may write it as a string. */
export function readInteger(value: unknown): number | undefined {
  const number = typeof value === "string" && INTEGER_TEXT.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) ? (number as number) + 0 : undefined; // -0 is 0
}

/** A whole number that JavaScript holds exactly; the service may write it as a string. */
export const Integer = z.pipe(
  z.custom<number | string>((value) => readInteger(value) !== undefined, say(NO_INTEGER)),
  z.transform((value) => Number(value) + 0), // -0 is 0
);
