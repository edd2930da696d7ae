// What is checked before the service is asked.

import { type CardParams, readCard } from "../tokenizer/card.ts";
import {
  cardBrand,
  isExpired,
  isLuhnValid,
  parseExpiry,
  securityCodeLength,
} from "../tokenizer/card-form.ts";

/** The inputs, in the order of the form. */
export type InputName = "number" | "holder" | "expiry" | "code";

/** The texts of the inputs. */
export type CardTexts = Readonly<Record<InputName, string>>;

export type Problem = "empty" | "wrong" | "expired";

/** A problem with an input. */
export interface CardIssue {
  readonly input: InputName;
  readonly problem: Problem;
  /** The field of `CardParams`. */
  readonly field: string;
  /** As in the errors of `CardTokenizer`. */
  readonly message: string;
  /** The buyer may be right: some published test cards have a wrong check digit, and the clock of a device may be wrong. */
  readonly isDoubtful: boolean;
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
export function toCard({ number, holder, expiry, code }: CardTexts): Record<keyof CardParams, string> {
  const date = parseExpiry(expiry) ?? { expirationMonth: "", expirationYear: "" };
  return { number, holderName: holder, ...date, cvv: code };
}

/** All problems of a card. */
export function checkCard(texts: CardTexts): CardIssue[] {
  const card = toCard(texts);
  const issues: CardIssue[] = [];
  const add = (field: keyof CardParams, message: string, problem: Problem, isDoubtful = false) => {
    const input = INPUT_OF[field];
    const shown = texts[input].trim() === "" ? "empty" : problem;
    issues.push({ input, field, message, problem: shown, isDoubtful });
  };
  const read = readCard(card);
  for (const { path, message } of read.ok ? [] : read.issues)
    add(path[0] as keyof CardParams, message, "wrong");
  /** What `CardTokenizer` does not check, for an input that is right otherwise. */
  const check = (isValid: boolean, ...issue: Parameters<typeof add>) => {
    if (!isValid && issues.every(({ input }) => input !== INPUT_OF[issue[0]])) add(...issue);
  };
  const codeLength = securityCodeLength(cardBrand(texts.number)) ?? texts.code.length;
  check(texts.code.length === codeLength, "cvv", `must have ${codeLength} digits`, "wrong");
  check(!isExpired(card), "expirationYear", "must not be in the past", "expired", true);
  check(isLuhnValid(texts.number), "number", "has a wrong check digit", "wrong", true);
  return issues;
}
