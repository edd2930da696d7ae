import { DOCUMENT_LENGTHS, PUBLIC_KEY_PREFIX, SECRET_KEY_PREFIX } from "../../spec/values.ts";
import { isJsonObject, parseJson } from "../validation.ts";

/** What the request log contains instead of a key, a card token or card data. */
const REDACTED = "[redacted]";

/** Names of fields, in lower case and without separators, for the spellings of other gateways too. */
const SENSITIVE_FIELDS: ReadonlySet<string> = new Set([
  ...["number", "cardnumber", "pan", "cvv", "cvv2", "cvc", "cvc2", "csc", "cid", "securitycode", "track"],
  ...["holder", "holdername", "cardholder", "cardholdername", "nameoncard"],
  ...["expirationmonth", "expirationyear", "expirymonth", "expiryyear", "expmonth", "expyear", "expiry"],
  ...["hash", "cardhash", "token", "cardtoken", "secretkey", "publickey", "password", "authorization"],
]);

const KEY = new RegExp(`\\b(?:${SECRET_KEY_PREFIX}|${PUBLIC_KEY_PREFIX})[!-9;-~]*[\\w-]`, "g");
const JWT = /(?<![\w-])eyJ[\w-]+\.[\w-]+\.[\w-]*/g;
const BASIC = /\bbasic +[a-z\d+/=_-]+/gi;
/** 13 to 19 digits, with separators as people and URLs write them. */
const LONG_NUMBER = /(?<![\d.])\d(?:(?:%20|[ +.-])?\d){12,18}(?!\d)/g;

/** Redacts a body that was sent to the service. In one that is not JSON, all longer numbers are redacted. */
export function redactRequestBody(text: string): string {
  const value = parseJson(text);
  return value === undefined ? redactText(text).replace(/\d{3,}/g, REDACTED) : redactJson(value);
}

/** Redacts a body that the gateway sends. */
export function redactResponseBody(text: string): string {
  const value = parseJson(text);
  return value === undefined ? redactText(text) : redactJson(value);
}

/** Redacts the path and the query of a URL. */
export function redactPath({ pathname, search }: URL): string {
  const query = search.replace(/([?&])([^=&]*)=([^&]*)/g, (whole, separator, name) =>
    isSensitive(name) ? `${separator}${name}=${REDACTED}` : whole,
  );
  return redactText(pathname + query);
}

/** The JSON is written anew: text that a parser ignores, such as a repeated field, could contain anything. */
function redactJson(value: unknown): string {
  try {
    return JSON.stringify(redactValue(value, ""));
  } catch {
    return REDACTED; // nested too deeply
  }
}

/** @param name of the field that has the value. */
function redactValue(value: unknown, name: string): unknown {
  if (typeof value === "string") return redactString(value);
  if (typeof value === "number") return isCardNumber(String(value)) ? REDACTED : value;
  if (Array.isArray(value)) return value.map((entry) => redactValue(entry, name));
  if (!isJsonObject(value)) return value;
  const fields = Object.entries(value).map(([key, inner]) => {
    if (name === "document" && key === "number" && isTaxId(inner)) return [key, inner];
    return [redactText(key), isSensitive(key) ? REDACTED : redactValue(inner, key)];
  });
  return Object.fromEntries(fields);
}

/** A text can be JSON itself, as `metadata` is. */
function redactString(text: string): string {
  const value = /^\s*[[{]/.test(text) ? parseJson(text) : undefined;
  return value === undefined ? redactText(text) : JSON.stringify(redactValue(value, ""));
}

/** The number of a customer's `cpf` or `cnpj`. */
function isTaxId(value: unknown): boolean {
  return typeof value === "string" && value.length <= DOCUMENT_LENGTHS.cnpj;
}

function isSensitive(field: string): boolean {
  return SENSITIVE_FIELDS.has(field.toLowerCase().replace(/[^a-z\d]/g, ""));
}

function redactText(text: string): string {
  return text
    .replace(BASIC, REDACTED)
    .replace(KEY, REDACTED)
    .replace(JWT, REDACTED)
    .replace(LONG_NUMBER, (digits) => (isCardNumber(digits.replaceAll("%20", "")) ? REDACTED : digits));
}

/** Card numbers start with 3 to 6 or with 2; timestamps in milliseconds start with 1. */
function isCardNumber(text: string): boolean {
  const digits = text.replace(/\D/g, "");
  return /^[2-6]\d{12,18}$/.test(digits) && passesLuhn(digits);
}

function passesLuhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const weighted = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (weighted > 9 ? weighted - 9 : weighted);
  }, 0);
  return sum % 10 === 0;
}
