import * as z from "zod/mini";
import { CARD_NUMBER_DIGITS } from "../spec/limits.ts";
import { say } from "./message.ts";

/**
 * A card as a buyer types it.
 *
 * Spec: "POST /api/v1/card-token".
 */
export interface CardParams {
  /** Spaces and dashes are taken out. The check digit is not enforced: published test cards fail it. */
  number: string;
  /** Name as on the card. */
  holderName: string;
  /** 1 to 12, as a number or as text. */
  expirationMonth: number | string;
  /** Two or four digits, as a number or as text; 31 means 2031. */
  expirationYear: number | string;
  /** Security code, three or four digits, as text because it may start with a zero. */
  cvv: string;
}

const { min, max } = CARD_NUMBER_DIGITS;
const NUMBER = new RegExp(`^\\d{${min},${max}}$`);
const NUMBER_MESSAGE = `must have ${min} to ${max} digits`;
const MONTH_MESSAGE = "must be a month from 1 to 12";
const YEAR_MESSAGE = "must be a year of two or four digits";

const digitsOf = (value: string) => value.replaceAll(/[\s-]/g, "");

const CardNumber = z.pipe(
  z.string(say("must be a string")).check(z.refine((value) => NUMBER.test(digitsOf(value)), NUMBER_MESSAGE)),
  z.transform(digitsOf),
);

const HolderName = z.pipe(
  z.string(say("must be a string")).check(
    z.refine((value) => value.trim() !== "", "must not be empty"),
    z.refine((value) => !/^[\d\s-]+$/.test(value) || value.trim() === "", "must be a name, not a number"),
  ),
  z.transform((value) => value.trim()),
);

/** Digits of a number or of a text; an empty text where there are none. */
function toDigits(value: unknown): string {
  if (typeof value === "number") return Number.isInteger(value) ? String(value) : "";
  return typeof value === "string" ? value.trim() : "";
}

const ExpirationMonth = z.pipe(
  z.custom<number | string>((value) => /^(0?[1-9]|1[0-2])$/.test(toDigits(value)), say(MONTH_MESSAGE)),
  z.transform((value) => toDigits(value).padStart(2, "0")),
);

const ExpirationYear = z.pipe(
  z.custom<number | string>((value) => /^(\d{2}|2\d{3})$/.test(toDigits(value)), say(YEAR_MESSAGE)),
  z.transform((value) => toDigits(value).padStart(4, "20")),
);

/** What goes on the wire for a token: five strings, `MM` and `YYYY` among them. */
export const CardTokenRequest = z.object(
  {
    number: CardNumber,
    holderName: HolderName,
    expirationMonth: ExpirationMonth,
    expirationYear: ExpirationYear,
    cvv: z.string(say("must be a string")).check(z.regex(/^\d{3,4}$/, "must have 3 or 4 digits")),
  },
  "must be an object",
);

export type CardTokenRequest = z.output<typeof CardTokenRequest>;
