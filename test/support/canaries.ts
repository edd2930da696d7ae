import { inspect } from "node:util";

/** Secrets that the SDK must never expose, and a search for them in everything that it returns, throws or reports. */

const b64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

export const SECRET = "sk_live_c4naryS/+=k";
export const PUBLIC = "pk_live_c4naryP/+=k";
export const NUMBER = "4539148803436467";
export const CVV = "8317";
export const HOLDER = "ZULMIRA CANÁRIO";
export const OPAQUE_TOKEN = "tok/canary+0paque==";
export const JWT = `${b64({ alg: "HS256" })}.${b64({ jti: 1, sub: "c4nary" })}.c4narySignature`;
export const POSTBACK = 'https://canary.example/pb?order=ação&sig=c4nary"Sig';

const CANARIES = { SECRET, PUBLIC, NUMBER, CVV, HOLDER, OPAQUE_TOKEN, JWT, POSTBACK } as const;

const PAIR = Buffer.from(`${SECRET}:${PUBLIC}`).toString("base64");

/** JSON as Go and PHP write it: non-ASCII characters and HTML's special characters as \uXXXX. */
const asciiJson = (text: string) =>
  JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(/[^\x20-\x7e]|[&<>']/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);

const inHtml = (text: string) =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll('"', "&quot;")
    .replaceAll("Á", "&Aacute;")
    .replaceAll("/", "&#x2F;");

/** The forms in which a server, a proxy or a logger may repeat a text. */
export function formsOf(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1);
  return [
    text,
    json,
    json.replaceAll("/", "\\/"),
    asciiJson(text),
    JSON.stringify(json).slice(1, -1), // JSON inside JSON
    encodeURIComponent(text),
    encodeURIComponent(text).toLowerCase(),
    encodeURI(text),
    new URLSearchParams({ q: text }).toString().slice(2),
    inHtml(text),
    text.toUpperCase(),
  ];
}

/** A text that repeats canaries in every form, one a line. */
export function echoOf(canaries: readonly string[]): string {
  const lines = canaries.flatMap(formsOf);
  if (canaries.includes(SECRET))
    lines.push(PAIR, `Basic ${PAIR}`, `authorization=${encodeURIComponent(PAIR)}`);
  if (canaries.includes(NUMBER)) lines.push("4539 1488 0343 6467", "4539-1488-0343-6467");
  return lines.join(" |\n");
}

/** Patterns that find a canary, even if only a part of it was not redacted. */
const TRACES: Readonly<Record<string, RegExp>> = {
  key: /c4nary[SP]|_live_/i,
  pair: new RegExp(PAIR.slice(4, 24)),
  number: /4539[ -]?1488|0343[ -]?6467/,
  cvv: /(?<![\d.])8317(?!\d)/,
  holder: /ZULMIRA|CAN.{1,14}RIO/i,
  opaqueToken: /0paque/i,
  jwt: new RegExp(`${JWT.slice(10, 30)}|c4narySignature`, "i"),
  postback: /canary\.example|canary%2Eexample|c4nary.{1,8}Sig/i,
};

/** The canaries that can be found in a text. */
export function tracesIn(text: string): string[] {
  return Object.entries(TRACES).flatMap(([name, trace]) => (trace.test(text) ? [name] : []));
}

/** Everything that a log can show of a value. */
export function everythingOf(value: unknown): string {
  const shown = [
    inspect(value, { showHidden: true, getters: true, depth: 10, maxStringLength: null }),
    `${value}`,
  ];
  shown.push(inspect(value), JSON.stringify(value) ?? "");
  for (let cause: unknown = value; cause instanceof Error; cause = cause.cause) {
    shown.push(String(cause.stack), String(cause), JSON.stringify(cause));
    if ("body" in cause) shown.push(String(cause.body));
    if ("headers" in cause) shown.push(JSON.stringify([...(cause.headers as Headers)]));
  }
  return shown.join("\n");
}

export function leaksIn(value: unknown): string[] {
  return tracesIn(everythingOf(value));
}

export const ALL = Object.values(CANARIES);
