import { hasLuhnDigit, isCnpj, isCpf } from "../../spec/check-digits.ts";
import { endpoints, type ServiceEndpointName } from "../../spec/endpoints.ts";
import { isJsonObject, parseJson } from "../body-rules.ts";

/** What the request log contains instead of a key, a card token or card data. */
const REDACTED = "[redacted]";

/** Longer bodies are not kept. */
const BODY_MAX_BYTES = 64 * 1024;

/**
 * Redacts a body for the request log. The body of a tokenization is not kept, because all of it is card data, nor is
 * one that is not JSON, because nothing shows which of its parts are secret.
 *
 * @param endpoint that the body was sent to.
 */
export function redactRequestBody(text: string, endpoint: ServiceEndpointName | undefined): string {
  if (text === "") return "";
  if (endpoint === endpoints.createCardToken.name)
    return `[${byteLength(text)} bytes of card data, not kept]`;
  const value = parseJson(text);
  if (value === undefined) return `[${byteLength(text)} bytes that are not JSON]`;
  return keepShort(text, () => redactJson(value));
}

/** Redacts a body that the gateway sends. One that is not JSON is a token, half of a body, or a page. */
export function redactResponseBody(text: string): string {
  const value = parseJson(text);
  return keepShort(text, () => (value === undefined ? redactText(text) : redactJson(value)));
}

/** Redacts the path and the query of a URL. */
export function redactPath({ pathname, search }: URL): string {
  const parameters = search.slice(1).split("&");
  const isSecret = isSplitNumber(parameters.map((parameter) => decode(parameter.replace(/^[^=]*=/, ""))));
  const query = parameters.map((parameter) => redactParameter(parameter, isSecret)).join("&");
  return redactEncoded(pathname) + (search === "" ? "" : `?${query}`);
}

function redactParameter(parameter: string, isPartOfNumber: boolean): string {
  const [name = "", ...value] = parameter.split("=");
  return value.length > 0 && (isPartOfNumber || isSensitive(decode(name)))
    ? `${redactEncoded(name)}=${REDACTED}`
    : redactEncoded(parameter);
}

/**
 * Text in which something is redacted is encoded again: its decoded form may contain control characters, and characters
 * that separate the parts of a URL.
 */
function redactEncoded(text: string): string {
  const decoded = decode(text);
  const redacted = redactText(decoded);
  if (redacted === decoded) return text;
  return encodeURI(redacted)
    .replaceAll(encodeURI(REDACTED), REDACTED)
    .replace(/[#&+?]/g, encodeURIComponent);
}

/** Unlike `decodeURIComponent`, which fails on a wrong `%` and on bytes that are not UTF-8, and would decode nothing. */
function decode(text: string): string {
  const toText = (escapes: string) => {
    const bytes = escapes.slice(1).split("%");
    return new TextDecoder().decode(Uint8Array.from(bytes, (hex) => Number.parseInt(hex, 16)));
  };
  return toAscii(text.replaceAll("+", " ").replace(/(?:%[\da-f]{2})+/gi, toText));
}

function keepShort(text: string, redact: () => string): string {
  const bytes = byteLength(text);
  const redacted = bytes > BODY_MAX_BYTES ? text : redact();
  return byteLength(redacted) > BODY_MAX_BYTES ? `[${bytes} bytes, not kept]` : redacted;
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** The JSON is written anew: text that a parser ignores, such as a repeated field, could contain anything. */
function redactJson(value: unknown): string {
  try {
    return JSON.stringify(redactValue(value, "", "", false));
  } catch {
    return REDACTED; // nested too deeply
  }
}

/**
 * @param name of the field that has the value; for an entry of a list, that of the list.
 * @param owner name of the field that has the object with this field.
 * @param isSecret whether every text and number in the value is redacted.
 */
function redactValue(value: unknown, name: string, owner: string, isSecret: boolean): unknown {
  if (Array.isArray(value)) {
    const isSecretList = isSecret || isSplitNumber(value);
    return value.map((entry) => redactValue(entry, name, owner, isSecretList));
  }
  if (isJsonObject(value)) {
    // An entry of a list of named values, such as `{ "name": "cvv", "value": "123" }`.
    const isNamed = [value["name"], value["key"]].some(
      (text) => typeof text === "string" && isSensitive(text),
    );
    const isSplit = isSplitNumber(Object.values(value).filter((inner) => typeof inner === "string"));
    const fields = Object.entries(value).map(([key, inner]) => {
      const isSecretField = isSecret || isSplit || isSensitive(key, name) || (key === "value" && isNamed);
      return [redactText(key), redactValue(inner, key, name, isSecretField)];
    });
    return Object.fromEntries(fields);
  }
  if (typeof value !== "string" && typeof value !== "number") return value;
  const text = String(value);
  if (isSecret) return REDACTED;
  if (owner === "document" && (isCpf(text) || isCnpj(text))) return value;
  // Published test cards fail the Luhn check, so every long number of this name counts.
  if (name === "number" && owner !== "document" && toAscii(text).replace(/\D/g, "").length >= 12) {
    return REDACTED;
  }
  const redacted = IDENTIFIERS.includes(name) ? redactIdentifier(text) : redactString(text);
  return redacted === text ? value : redacted;
}

const SENSITIVE_NAMES = [
  /cvv|cvc|csc|cvn|securitycode|verification(?:code|value)|track[12]?data/,
  /^(?:pan|holder|holdername)$|holder|nameoncard|^cc|^card(?!inal)|creditcard(?:n|h|e|c)|cardn/,
  /^(?:credit|debit|payment)(?:card|cc)(?:data|info|details)?$/,
  /^(?:exp|expiry|expire|expires|expiration|valid(?:thru|until|to)?)(?:date|month|year|mm|yy|yyyy)?$/,
  /^(?:hash|token|password|authorization|(?:api|secret|public)key)$/,
];

/** Whether the value of a field is a key, a token or card data. Covers the names of other gateways and of HTML forms. */
function isSensitive(field: string, owner = ""): boolean {
  if (owner === "pix" && field === "expirationDate") return false; // of the code
  const name = field
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^a-z\d]/g, "");
  return SENSITIVE_NAMES.some((pattern) => pattern.test(name));
}

/** Values by which a merchant searches, and codes of many digits in which a card number would be found by chance. */
const IDENTIFIERS = ["externalRef", "externalId", "secureId", "secureUrl", "qrcode", "qrcodeText"];

/** Only whole groups of digits count: a part of a longer number is a card number by chance. */
function redactIdentifier(text: string): string {
  const ascii = toAscii(text);
  if (isCardNumber(ascii.replace(/[^\p{L}\p{N}]/gu, ""))) return REDACTED;
  const redacted = redactSecrets(ascii).replace(GROUPED_NUMBER, (run) =>
    !/[a-f]/i.test(run) && hasCardNumber(run.replace(AFTER_YEAR, " ").split(/\D+/)) ? REDACTED : run,
  );
  return redacted === ascii ? text : redacted;
}

/** A text can be JSON itself, as `metadata` is, or a form. */
function redactString(text: string): string {
  if (!/^\s*[[{"]/.test(text)) return redactText(text);
  const value = parseJson(text);
  return value === undefined ? REDACTED : JSON.stringify(redactValue(value, "", "", false));
}

/** Redacts a text of any kind. */
export function redactText(text: string): string {
  const redactPair = (pair: string, name: string) => (isSensitive(name) ? `${name}: ${REDACTED}` : pair);
  const ascii = toAscii(text);
  const redacted = redactSecrets(ascii)
    .replace(FORM_PAIR, redactPair)
    .replace(JSON_PAIR, redactPair)
    .replace(LONG_NUMBER, (run) => {
      const digits = run.replace(/\D/g, "");
      // Other digits, such as a security code, can stand before and after the number.
      return hasCardNumber(digits.length > 16 ? [...digits] : run.split(/\D+/)) ? REDACTED : run;
    });
  return redacted === ascii ? text : redacted;
}

/** The text with ASCII characters for those that stand for them, such as digits of other scripts. */
function toAscii(text: string): string {
  return text.normalize("NFKC").replace(/(?!\d)\p{Nd}/gu, (digit) => {
    const code = Number(digit.codePointAt(0));
    let zero = code; // the digits of a script are ten characters in a row
    while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
    return String((code - zero) % 10);
  });
}

/** Whether the groups of digits among these values are a card number together. */
function isSplitNumber(values: readonly unknown[]): boolean {
  const texts = values.map((value) => (typeof value === "object" ? "" : toAscii(String(value))));
  return isCardNumber(texts.filter((text) => /^\d{1,6}$/.test(text)).join(""));
}

/** A name and its value in a form, or in a piece of JSON. Bounded, so that a long text takes no longer. */
const FORM_PAIR = /(?<![^\s=&?;,])([^\s=&?;,]{1,60})=([^\s&;,]*)/g;
const JSON_PAIR = /"([^"\\]{1,60})\\*"\s{0,9}:\s{0,9}\\*"?([^"\\,}\]]*)/g;

/** A key of any account, also in base64 as in Basic authentication, and a JWT. */
const SECRETS = [
  /(?<![a-z])(?:sk|pk)_[\w-]+/gi,
  /(?<![a-z\d+/])(?:c2tf|cGtf)[a-z\d+/=_-]{4,}/gi,
  /\bbasic +[a-z\d+/=_-]+/gi,
  /(?<![\w-])eyJ[\w-]+\.[\w-]+\.[\w-]*/g,
];

function redactSecrets(text: string): string {
  return SECRETS.reduce((result, pattern) => result.replace(pattern, REDACTED), text);
}

/** 13 digits or more, with what people and forms write between them. */
const LONG_NUMBER = /\d(?:(?:[^\p{L}\p{N}]{0,5}|x)\d){12,}/giu;

/**
 * A UUID, which is not looked through, also without its dashes as in pix codes; or digits in groups as on a card. Between
 * them is no `***`, as in pix codes, and no colon, as before a port.
 */
const GROUPED_NUMBER =
  /[\da-f]{8}(?:-?[\da-f]{4}){3}-?[\da-f]{12}|(?<!\d)(?:\d{13,20}|\d{4}(?:(?:[^\p{L}\p{N}*:/]{1,5}|x)\d{3,6})+)(?!\d)/giu;

/** Between a year and a number of 16 digits. After the year of a date is a month, with which no card number begins. */
const AFTER_YEAR = /(?<=^20\d\d)(?=\d{16}$)/;

/** Lengths and first digits of the numbers that the card networks issue. None starts with a year, as dates do. */
const CARD_NUMBER = /^(?:4\d{12}|3[0689]\d{12}|3[47]\d{13}|(?!2[01])[2-6]\d{15}|[56]\d{16,17}|[4-6]\d{18})$/;

/** Whether consecutive groups of digits are a card number together. */
function hasCardNumber(groups: readonly string[]): boolean {
  return groups.some((_, start) => {
    let digits = "";
    return groups.slice(start, start + 19).some((group) => {
      digits += group;
      return isCardNumber(digits);
    });
  });
}

function isCardNumber(digits: string): boolean {
  return CARD_NUMBER.test(digits) && hasLuhnDigit(digits);
}
