import { CARD_NUMBER_DIGITS } from "../spec/limits.ts";
import { matching, object, type Problem, required, text } from "./wire-rules.ts";

/** The body of a tokenization once {@link cardProblems} found nothing. */
export interface CardRequest {
  readonly number: string;
  readonly holderName: string;
  /** `MM`. */
  readonly expirationMonth: string;
  /** `YYYY`. */
  readonly expirationYear: string;
  readonly cvv: string;
}

const { min, max } = CARD_NUMBER_DIGITS;

/** Luhn is not among the rules: published test cards fail it. */
const rule = object({
  number: required(matching(new RegExp(`^\\d{${min},${max}}$`), `Must be ${min} to ${max} digits`)),
  holderName: required(text),
  expirationMonth: required(matching(/^(?:0[1-9]|1[0-2])$/, "Must be a month as MM, 01 to 12")),
  expirationYear: required(matching(/^\d{4}$/, "Must be a year as YYYY")),
  cvv: required(matching(/^\d{3,4}$/, "Must be 3 or 4 digits")),
});

/** Every problem of a tokenization body. Spec: "POST /api/v1/card-token". */
export function cardProblems(body: unknown): readonly Problem[] {
  return rule(body, "");
}
