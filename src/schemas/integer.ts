import * as z from "zod/mini";
import { say } from "./message.ts";
import { NO_INTEGER, readInteger } from "./read-integer.ts";

/** A whole number that JavaScript holds exactly; the service may write it as a string. */
export const Integer = z.pipe(
  z.custom<number | string>((value) => readInteger(value) !== undefined, say(NO_INTEGER)),
  z.transform((value) => Number(value) + 0), // -0 is 0
);
