/** The text in place of a secret. */
export const REDACTED = "[redacted]";

/** What is always secret, with a piece that its texts contain in lower case. */
const SECRET_SHAPES = [
  { clue: "k_", shape: /\b[sp]k_[\w.-]+/g }, // keys
  // JWTs. Their points are optional: requiring them after each `eyJ` would take quadratic time.
  { clue: "eyj", shape: /\beyJ[\w-]+(?:\.[\w-]+)*/g },
  { clue: "basic", shape: /\bBasic\s+[\w+/-]{8,}={0,2}/gi }, // credentials
] as const;

/** User and password in a URL, such as that of a merchant's database. */
const URL_PASSWORD = /\/\/[^\s/@:]*:[^\s/]*@/g;

/** The field name of a postback URL, in any spelling of the service. */
const POSTBACK_NAME = /^post_?back_?url$/i;
const WEBHOOK_MEMBER = /("webhook\\*"\s*:\s*\{\s*\\*"url\\*"\s*:\s*\\*")(?:[^"\\]|\\.)*/gi;
const POSTBACK_MEMBER = /(post_?back_?url\\*"\s*:\s*\\*")(?:[^"\\]|\\.)*/gi;

/** Data nested more deeply than this is redacted as a whole: following it could overflow the stack. */
const MAX_DEPTH = 100;

/** Separators between two digits of a card number, which people and programs group in many ways. */
const GROUPING = "(?:[\\s.\\/_-]|&nbsp;|%20){0,3}";

/** A longer text would result in an expression that is too large for the engine. */
const LONGEST_PATTERN = 200;

/** A text shorter than this occurs in a response by chance; only whole words of it are redacted. */
const SHORTEST_TEXT = 5;

/** Redacts what is secret in any text: keys, JWTs, credentials, passwords in URLs, postback URLs. */
export function redactShapes(text: string, lowered: string = text.toLowerCase()): string {
  let clean = text;
  for (const { clue, shape } of SECRET_SHAPES) {
    if (lowered.includes(clue)) clean = clean.replaceAll(shape, REDACTED);
  }
  if (lowered.includes("@")) clean = clean.replaceAll(URL_PASSWORD, `//${REDACTED}@`);
  if (lowered.includes("back")) clean = clean.replaceAll(POSTBACK_MEMBER, `$1${REDACTED}`);
  return lowered.includes("webhook") ? clean.replaceAll(WEBHOOK_MEMBER, `$1${REDACTED}`) : clean;
}

/**
 * Redacts the secrets of one call in untrusted texts: the body of a response, the error of a transport. It recognizes
 * each form in which they may be repeated: escaped, encoded, grouped. The secrets are those that the call registered by
 * `hide`: its keys, its card, its token and its postback URL.
 *
 * It builds the expression for a secret only if the text contains a piece of it: building all of them took a third of
 * the CPU time of a call.
 */
export class Redactor {
  readonly #secrets: readonly string[];
  readonly #patterns = new Map<string, RegExp>();

  constructor(secrets: readonly (string | undefined)[]) {
    const given: string[] = [];
    for (const secret of secrets) if (secret?.trim()) given.push(secret.trim());
    // The longest first: a signed URL begins with the unsigned one, and must not be cut by it.
    this.#secrets = given.sort((one, other) => other.length - one.length);
  }

  text(value: string): string {
    const lowered = value.toLowerCase();
    let clean = value;
    for (const secret of this.#secrets) {
      for (const piece of piecesOf(secret)) {
        if (lowered.includes(clueOf(piece))) clean = clean.replaceAll(this.#pattern(piece), REDACTED);
      }
    }
    return redactShapes(clean, lowered);
  }

  #pattern(piece: string): RegExp {
    let pattern = this.#patterns.get(piece);
    if (pattern === undefined) {
      pattern = patternFor(piece);
      this.#patterns.set(piece, pattern);
    }
    return pattern;
  }

  headers(headers: Headers): Headers {
    return new Headers(Array.from(headers, ([name, value]): [string, string] => [name, this.text(value)]));
  }
}

/** A copy of JSON data with every text in it redacted, names included. */
export function redactData(redactor: Redactor, value: unknown, depth = 0): unknown {
  if (typeof value === "string") return redactor.text(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_DEPTH) return REDACTED;
  if (Array.isArray(value)) return value.map((entry) => redactData(redactor, entry, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [
      redactor.text(key),
      POSTBACK_NAME.test(key) && typeof entry === "string"
        ? REDACTED
        : redactData(redactor, entry, depth + 1),
    ]),
  );
}

/**
 * What a text must contain, in lower case, if it repeats a secret in any form: a run of its ASCII letters and digits,
 * which no encoding changes, or the first digit of a number, which may be grouped.
 */
function clueOf(piece: string): string {
  if (/^\d+$/.test(piece)) return piece.length < SHORTEST_TEXT ? piece : piece.charAt(0);
  let longest = "";
  let end = piece.length;
  // From the end, where URLs and keys differ most. Lowered afterwards: other letters may become an ASCII one.
  for (let at = piece.length - 1; at >= -1 && longest.length < CLUE_LENGTH; at -= 1) {
    const isInRun = isAlphanumeric(piece.charCodeAt(at)) && end - at < CLUE_LENGTH;
    if (isInRun) continue;
    const start = isAlphanumeric(piece.charCodeAt(at)) ? at : at + 1;
    if (end - start > longest.length) longest = piece.slice(start, end);
    end = at;
  }
  return longest.toLowerCase();
}

/** A run of this length occurs in other texts only by chance. */
const CLUE_LENGTH = 12;

/** Whether a UTF-16 code is an ASCII letter or digit. */
function isAlphanumeric(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code >= 65 && code <= 90);
}

/** Pieces of about the same length, so that none is so short that a text contains it by chance. */
function piecesOf(secret: string): string[] {
  if (secret.length <= LONGEST_PATTERN) return [secret];
  // Never half of a surrogate pair.
  const chars = /^[\0-\x7f]*$/.test(secret) ? secret : [...secret];
  const length = Math.ceil(chars.length / Math.ceil(secret.length / LONGEST_PATTERN));
  const pieces: string[] = [];
  for (let at = 0; at < chars.length; at += length) {
    const piece = chars.slice(at, at + length);
    pieces.push(typeof piece === "string" ? piece : piece.join(""));
  }
  return pieces;
}

function patternFor(piece: string): RegExp {
  if (/^\d+$/.test(piece)) {
    // A card number may be grouped; a security code is not part of a longer number.
    return new RegExp(`(?<!\\d)${[...piece].join(piece.length < SHORTEST_TEXT ? "" : GROUPING)}(?!\\d)`, "g");
  }
  // A run of backslashes counts as one: its length depends on how often it was escaped.
  const anyForm = Array.from(piece.replaceAll(/\\+/g, "\\"), formsOf).join("");
  return new RegExp(piece.length < SHORTEST_TEXT ? `(?<!\\w)${anyForm}(?!\\w)` : anyForm, "gi");
}

/**
 * A character unchanged, or escaped for JSON, for a URL or for HTML, once or more than once. Plain letters and digits
 * are never escaped; the other characters may be escaped in different ways.
 */
function formsOf(char: string): string {
  if (/[a-z\d]/i.test(char)) return char;
  const bytes = Array.from(new TextEncoder().encode(char), (byte) => `%(?:25){0,4}${hex(byte, 2)}`);
  const units = Array.from({ length: char.length }, (_, at) => `\\\\{1,8}u${hex(char.charCodeAt(at), 4)}`);
  const point = Number(char.codePointAt(0));
  const forms = [
    bytes.join(""),
    units.join(""),
    `&#0{0,6}${point};`,
    `&#x0{0,6}${hex(point, 1)};`,
    "&[a-z]{2,8};",
  ];
  if (char === " ") forms.push("\\+");
  // The plain character last: an escaped one may begin with it.
  forms.push(char === "\\" ? "\\\\" : `\\\\{0,8}${literal(char)}`);
  // Each repetition has a limit, so that a long response takes linear time.
  return `(?:${forms.join("|")})${char === "\\" ? "{1,16}" : ""}`;
}

function hex(value: number, places: number): string {
  return value.toString(16).padStart(places, "0");
}

function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
