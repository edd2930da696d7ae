import { nearestName } from "../data/nearest-name.ts";
import { isRecord } from "../data/own.ts";
import type { FoundIssue } from "../data/snapshot.ts";
import type { Validated } from "../data/validate.ts";
import { CARD_NUMBER_DIGITS } from "../spec/limits.ts";

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

/** What goes on the wire for a token: five strings, `MM` and `YYYY` among them. */
export type CardTokenRequest = Readonly<Record<keyof CardParams, string>>;

/** What a field becomes on the wire, or what is wrong with it. */
type Read = { readonly wire: string } | { readonly message: string };

const { min, max } = CARD_NUMBER_DIGITS;
const NUMBER = new RegExp(`^\\d{${min},${max}}$`);

/** In the order of the specification, which is that of the wire. */
const FIELDS: { readonly [Name in keyof CardParams]: (value: unknown) => Read } = {
  number: (value) => {
    const digits = typeof value === "string" ? value.replaceAll(/[\s-]/g, "") : undefined;
    return orMessage(digits, NUMBER, `must have ${min} to ${max} digits`);
  },
  holderName: (value) => {
    const name = typeof value === "string" ? value.trim() : undefined;
    if (name === "") return { message: "must not be empty" };
    if (name !== undefined && /^[\d\s-]+$/.test(name)) return { message: "must be a name, not a number" };
    // Half of a surrogate pair is no character: it would arrive as another name.
    return orMessage(name, /^\P{Surrogate}+$/u, "must not contain half of a surrogate pair");
  },
  expirationMonth: (value) => {
    const month = digitsOf(value);
    const message = "must be a month from 1 to 12";
    return /^(0?[1-9]|1[0-2])$/.test(month) ? { wire: month.padStart(2, "0") } : { message };
  },
  expirationYear: (value) => {
    const year = digitsOf(value);
    const message = "must be a year of two or four digits";
    return /^(\d{2}|2\d{3})$/.test(year) ? { wire: year.padStart(4, "20") } : { message };
  },
  cvv: (value) =>
    orMessage(typeof value === "string" ? value : undefined, /^\d{3,4}$/, "must have 3 or 4 digits"),
};

/** The fields of a card. */
export const CARD_FIELDS = Object.keys(FIELDS) as (keyof CardParams)[];

/** The field that a complaint of the service is about, such as `expirationMonth` for `card.expiration_month`. */
export function cardFieldOf(field: string): string {
  const plain = (name = "") => name.toLowerCase().replaceAll(/[^a-z]/g, "");
  const last = plain(field.split(".").at(-1));
  return CARD_FIELDS.find((name) => plain(name) === last) ?? field;
}

/**
 * Makes a card what goes on the wire. All problems come back together, unknown names with the nearest known
 * one.
 *
 * By hand instead of with zod, because a buyer's page would load 5 kB of it for five strings.
 */
export function readCard(card: unknown): Validated<CardTokenRequest> {
  if (!isRecord(card)) return { ok: false, issues: [{ path: [], message: "must be an object" }] };
  const issues = unknownNames(card);
  const wire: Partial<Record<keyof CardParams, string>> = {};
  for (const name of CARD_FIELDS) {
    const read = readField(card, name);
    if ("wire" in read) wire[name] = read.wire;
    else issues.push({ path: [name], message: read.message });
  }
  return issues.length === 0 ? { ok: true, value: wire as CardTokenRequest } : { ok: false, issues };
}

function readField(card: Readonly<Record<string, unknown>>, name: keyof CardParams): Read {
  let value: unknown;
  try {
    value = card[name];
  } catch {
    return { message: "could not be read" };
  }
  return value === undefined ? { message: "is required" } : FIELDS[name](value);
}

function unknownNames(card: Readonly<Record<string, unknown>>): FoundIssue[] {
  try {
    return Object.keys(card)
      .filter((name) => !Object.hasOwn(FIELDS, name) && card[name] !== undefined)
      .map((name) => ({ path: [name], message: explain(name) }));
  } catch {
    return [{ path: [], message: "could not be read" }];
  }
}

function explain(name: string): string {
  const meant = nearestName(name, CARD_FIELDS);
  return meant === undefined
    ? "is not a field that the specification names"
    : `is not a known field (did you mean ${meant}?)`;
}

function orMessage(text: string | undefined, pattern: RegExp, message: string): Read {
  if (text === undefined) return { message: "must be a string" };
  return pattern.test(text) ? { wire: text } : { message };
}

/** Digits of a number or of a text; an empty text where there are none. */
function digitsOf(value: unknown): string {
  if (typeof value === "number") return Number.isInteger(value) ? String(value) : "";
  return typeof value === "string" ? value.trim() : "";
}
