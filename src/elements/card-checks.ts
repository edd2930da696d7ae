// The checks of a card before it is sent.

import {
  cardBrand,
  isExpired,
  isLuhnValid,
  parseExpiry,
  securityCodeLength,
} from "../tokenizer/card-formats.ts";
import { type CardParams, readCard } from "../tokenizer/tokenize.ts";

/** The inputs, in the order of the form. */
export type InputName = "number" | "holder" | "expiry" | "code";

/** What the inputs contain. */
export type CardValues = Readonly<Record<InputName, string>>;

export type Problem = "empty" | "wrong" | "expired";

/** A problem with an input. */
export interface CardIssue {
  readonly input: InputName;
  readonly problem: Problem;
  /** The field of `CardParams`. */
  readonly field: string;
  /** As in the errors of `CardTokenizer`. */
  readonly message: string;
}

const INPUT_OF: Readonly<Record<keyof CardParams, InputName>> = {
  number: "number",
  holderName: "holder",
  expirationMonth: "expiry",
  expirationYear: "expiry",
  cvv: "code",
};

/** The input of a field of `CardParams`. */
export function inputOf(field: string): InputName | undefined {
  return Object.hasOwn(INPUT_OF, field) ? INPUT_OF[field as keyof CardParams] : undefined;
}

/** The card as it is sent. */
export function toCard({ number, holder, expiry, code }: CardValues): Record<keyof CardParams, string> {
  const date = parseExpiry(expiry) ?? { expirationMonth: "", expirationYear: "" };
  return { number, holderName: holder, ...date, cvv: code };
}

/**
 * All problems of a card.
 *
 * @param isConfirmed - Whether the buyer has submitted the same value again. Some published test cards have a wrong check digit,
 * and the clock of the device may be wrong.
 */
export function checkCard(values: CardValues, isConfirmed: (input: InputName) => boolean): CardIssue[] {
  const card = toCard(values);
  const issues: CardIssue[] = [];
  const add = (field: keyof CardParams, message: string, problem: Problem) => {
    const input = INPUT_OF[field];
    issues.push({ input, field, message, problem: values[input].trim() === "" ? "empty" : problem });
  };
  const read = readCard(card);
  for (const { path, message } of read.ok ? [] : read.issues)
    add(path[0] as keyof CardParams, message, "wrong");
  /** A check that `CardTokenizer` does not have, for an input without other problems. */
  const check = (isValid: boolean, field: keyof CardParams, message: string, problem: Problem = "wrong") => {
    if (!isValid && issues.every(({ input }) => input !== INPUT_OF[field])) add(field, message, problem);
  };
  const codeLength = securityCodeLength(cardBrand(values.number)) ?? values.code.length;
  check(values.code.length === codeLength, "cvv", `must have ${codeLength} digits`);
  check(isConfirmed("expiry") || !isExpired(card), "expirationYear", "must not be in the past", "expired");
  check(isConfirmed("number") || isLuhnValid(values.number), "number", "has a wrong check digit");
  return issues;
}
