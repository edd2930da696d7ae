import { isRecord } from "../data/own-properties.ts";
import { explainUnknown, type FoundIssue, type Validated } from "../data/validate.ts";
import { toIssues } from "../errors/issue.ts";
import { ConfigurationError, InvalidRequestError } from "../errors/usage-errors.ts";
import type { Call } from "../http/call.ts";
import { errorForStatus, issuesIn } from "../http/error-for-status.ts";
import type { WithResponse } from "../http/result.ts";
import { withoutSeparators } from "../spec/check-digits.ts";
import { PUBLIC_KEY_PARAMETER } from "../spec/endpoints.ts";
import { CARD_NUMBER_DIGITS } from "../spec/limits.ts";
import { type CardToken, parseToken } from "./card-token.ts";

/**
 * Card data as the buyer types it.
 *
 * Spec: "POST /api/v1/card-token".
 */
export interface CardParams {
  /** 12 to 19 digits; spaces, dashes and invisible characters are removed. The check digit may be wrong, as in some published test cards. */
  number: string;
  /** Name as printed on the card. */
  holderName: string;
  /** 1 to 12, as a number or a string. */
  expirationMonth: number | string;
  /** Two or four digits, as a number or a string; 31 means 2031. */
  expirationYear: number | string;
  /** Security code of three or four digits; a string, because it may start with a zero. */
  cvv: string;
}

/** Body of the request for a token: five strings, with the expiry as `MM` and `YYYY`. */
export type CardTokenRequest = Readonly<Record<keyof CardParams, string>>;

const NOT_A_FIELD = "is not a field of the specification";
const { min, max } = CARD_NUMBER_DIGITS;
const NUMBER = new RegExp(`^\\d{${min},${max}}$`);

/** The value of a field as it is sent, or what is wrong with it. */
type FieldResult = { readonly value: string } | { readonly message: string };

/** Converts each field, in the order of the specification, in which they are also sent. */
const FIELDS: { readonly [Name in keyof CardParams]: (input: unknown) => FieldResult } = {
  number: (input) => {
    const digits = typeof input === "string" ? withoutSeparators(input) : input;
    return matchText(digits, NUMBER, `must have ${min} to ${max} digits`);
  },
  holderName: (input) => {
    const name = typeof input === "string" ? input.trim() : input;
    if (name === "") return { message: "must not be empty" };
    if (typeof name === "string" && /^\d*$/.test(withoutSeparators(name)))
      return { message: "must be a name, not a number" };
    // A lone surrogate is not a character: the service would receive another name.
    return matchText(name, /^\P{Surrogate}+$/u, "must not contain half of a surrogate pair");
  },
  expirationMonth: (input) => {
    const month = toDigits(input);
    const message = "must be a month from 1 to 12";
    return /^(0?[1-9]|1[0-2])$/.test(month) ? { value: month.padStart(2, "0") } : { message };
  },
  expirationYear: (input) => {
    const year = toDigits(input);
    const message = "must be a year of two or four digits";
    return /^(\d{2}|2\d{3})$/.test(year) ? { value: year.padStart(4, "20") } : { message };
  },
  cvv: (input) => matchText(input, /^\d{3,4}$/, "must have 3 or 4 digits"),
};

/** The fields of a card. */
export const CARD_FIELDS = Object.keys(FIELDS) as (keyof CardParams)[];

/** The field that an issue of the service refers to, such as `expirationMonth` for `card.expiration_month`. */
function toCardField(field: string): string {
  const toLetters = (name = "") => name.toLowerCase().replaceAll(/[^a-z]/g, "");
  const last = toLetters(field.split(".").at(-1));
  return CARD_FIELDS.find((name) => toLetters(name) === last) ?? field;
}

/**
 * @internal
 *
 * Checks a card and converts it to the body of the request. Returns all problems together; unknown names with the nearest
 * known one.
 *
 * Without zod, because a buyer's page would load 5 kB of it for five strings.
 */
export function readCard(card: unknown): Validated<CardTokenRequest> {
  if (!isRecord(card)) return { ok: false, issues: [{ path: [], message: "must be an object" }] };
  const issues: FoundIssue[] = [];
  try {
    for (const name of Object.keys(card)) {
      if (Object.hasOwn(FIELDS, name) || card[name] === undefined) continue;
      issues.push({ path: [name], message: explainUnknown(name, CARD_FIELDS, NOT_A_FIELD) });
    }
  } catch {
    issues.push({ path: [], message: "could not be read" });
  }
  const request: Partial<Record<keyof CardParams, string>> = {};
  for (const name of CARD_FIELDS) {
    const result = readField(card, name);
    if ("value" in result) request[name] = result.value;
    else issues.push({ path: [name], message: result.message });
  }
  return issues.length === 0 ? { ok: true, value: request as CardTokenRequest } : { ok: false, issues };
}

function readField(card: Readonly<Record<string, unknown>>, name: keyof CardParams): FieldResult {
  try {
    const input = card[name];
    return input === undefined ? { message: "is required" } : FIELDS[name](input);
  } catch {
    return { message: "could not be read" };
  }
}

function matchText(text: unknown, pattern: RegExp, message: string): FieldResult {
  if (typeof text !== "string") return { message: "must be a string" };
  return pattern.test(text) ? { value: text } : { message };
}

/** The digits of a whole number, or a trimmed string; empty for anything else. */
function toDigits(input: unknown): string {
  if (typeof input === "number") return Number.isInteger(input) ? String(input) : "";
  return typeof input === "string" ? input.trim() : "";
}

/** The work of a call that converts a card to a token, for `PaymentsClient` and `CardTokenizer`. */
export async function tokenize(
  call: Call,
  publicKey: string | undefined,
  card: CardParams,
): Promise<WithResponse<CardToken>> {
  const checked = readCard(card);
  if (!checked.ok) {
    throw new InvalidRequestError(toIssues(checked.issues), call.context("not_sent"), "customer");
  }
  call.assertValid(true);
  if (publicKey === undefined) {
    const message =
      "The public key is missing: set `publicKey`. PaymentsClient also reads PAYMENTS_PUBLIC_KEY.";
    throw new ConfigurationError(message, call.context("not_sent"));
  }
  const { number, cvv, holderName } = checked.value;
  call.hide([publicKey, number, cvv, holderName]);
  const query = new URLSearchParams({ [PUBLIC_KEY_PARAMETER]: publicKey }).toString();
  const body = JSON.stringify(checked.value);
  const request = { query, authorization: undefined, body };
  const response = await call.config.platform.sendWithRetries(call, request);
  if (!response.isOk) {
    const issues = issuesIn(call, response);
    const renamed = issues.map(({ field, message }) => ({ field: toCardField(field), message }));
    throw errorForStatus(call, response, undefined, renamed);
  }
  return call.result(parseToken(call, response), response);
}
