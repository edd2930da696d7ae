import * as z from "zod/mini";
import { say } from "./message.ts";

const INTEGER_TEXT = /^-?\d{1,16}$/;
const MESSAGE = say("must be a whole number of at most 2^53 - 1");

const IntegerText = z.pipe(
  z.string().check(z.regex(INTEGER_TEXT)),
  z.pipe(
    z.transform((text: string) => Number(text)),
    z.int(MESSAGE),
  ),
);

/** A whole number that JavaScript holds exactly; the service may write it as a string. */
export const Integer = z.union([z.int(MESSAGE), IntegerText], MESSAGE);
