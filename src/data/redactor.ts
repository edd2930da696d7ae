/** What stands where a secret was. */
export const REDACTED = "[redacted]";

/** Shapes that are secret wherever they come from: keys, JWTs, Basic credentials. */
const SECRET_SHAPES = [
  /\b[sp]k_[\w.-]+/g,
  // It ends wherever it likes: looking for the points of a JWT behind each `eyJ` would take quadratic time.
  /\beyJ[\w-]+(?:\.[\w-]+)*/g,
  /\bBasic\s+[\w+/-]{8,}={0,2}/gi,
] as const;

/** Name and password in a URL, such as that of a merchant's database. */
const URL_PASSWORD = /\/\/[^\s/@:]*:[^\s/]*@/g;

/** A postback URL under its own name, which the service may have written in its own way. */
const POSTBACK_NAME = /^post_?back_?url$/i;
const WEBHOOK_MEMBER = /("webhook\\*"\s*:\s*\{\s*\\*"url\\*"\s*:\s*\\*")(?:[^"\\]|\\.)*/gi;
const POSTBACK_MEMBER = /(post_?back_?url\\*"\s*:\s*\\*")(?:[^"\\]|\\.)*/gi;

/** Data further in than this is struck out whole: following it to its end could end the stack. */
const MAX_DEPTH = 100;

/** What may stand between two digits of a card number, which people and programs group in many ways. */
const GROUPING = "(?:[\\s.\\/_-]|&nbsp;|%20){0,3}";

/** Of a longer text an expression would be made that is too large for the engine. */
const LONGEST_PATTERN = 200;

/** Shorter texts than this stand in an answer by chance; only whole numbers of them are struck out. */
const SHORTEST_TEXT = 5;

/**
 * Strikes the secrets of one call out of texts that came from outside: an answer's body, a transport's
 * error. It knows the secrets in each form that they may come back in.
 */
export class Redactor {
  readonly #patterns: readonly RegExp[];

  constructor(secrets: Iterable<string | undefined>) {
    this.#patterns = [...new Set(secrets)].flatMap((secret) => patternsFor(secret?.trim() ?? ""));
  }

  text(value: string): string {
    let clean = value;
    for (const pattern of this.#patterns) clean = clean.replaceAll(pattern, REDACTED);
    for (const shape of SECRET_SHAPES) clean = clean.replaceAll(shape, REDACTED);
    clean = clean.replaceAll(URL_PASSWORD, `//${REDACTED}@`);
    return clean.replaceAll(POSTBACK_MEMBER, `$1${REDACTED}`).replaceAll(WEBHOOK_MEMBER, `$1${REDACTED}`);
  }

  /** A copy of JSON data with every text in it clean, names included. */
  data(value: unknown, depth = 0): unknown {
    if (typeof value === "string") return this.text(value);
    if (typeof value !== "object" || value === null) return value;
    if (depth >= MAX_DEPTH) return REDACTED;
    if (Array.isArray(value)) return value.map((entry) => this.data(entry, depth + 1));
    return Object.fromEntries(
      Object.entries(value).map(([key, entry]) => [
        this.text(key),
        POSTBACK_NAME.test(key) && typeof entry === "string" ? REDACTED : this.data(entry, depth + 1),
      ]),
    );
  }

  headers(headers: Headers): Headers {
    return new Headers(Array.from(headers, ([name, value]): [string, string] => [name, this.text(value)]));
  }
}

function patternsFor(secret: string): RegExp[] {
  if (secret === "") return [];
  if (secret.length > LONGEST_PATTERN) return piecesOf(secret).flatMap(patternsFor);
  if (/^\d+$/.test(secret)) {
    // A card number comes back in groups as well; a security code is no part of a longer number.
    return [
      new RegExp(`(?<!\\d)${[...secret].join(secret.length < SHORTEST_TEXT ? "" : GROUPING)}(?!\\d)`, "g"),
    ];
  }
  // A run of backslashes is one: how many come back depends on how often they were escaped.
  const anyForm = Array.from(secret.replaceAll(/\\+/g, "\\"), formsOf).join("");
  return [new RegExp(secret.length < SHORTEST_TEXT ? `(?<!\\w)${anyForm}(?!\\w)` : anyForm, "gi")];
}

/** Pieces of much the same length, so that none is so short that it stands somewhere by chance. */
function piecesOf(secret: string): string[] {
  const chars = [...secret];
  const length = Math.ceil(chars.length / Math.ceil(secret.length / LONGEST_PATTERN));
  return Array.from({ length: Math.ceil(chars.length / length) }, (_, at) =>
    chars.slice(at * length, (at + 1) * length).join(""),
  );
}

/**
 * A character as it is, or escaped for JSON, for a URL or for HTML, once or more than once. Nobody escapes
 * plain letters and digits; the rest of a secret may come back in a mixture of these.
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
  // The plain character last: it may be the beginning of an escaped one.
  forms.push(char === "\\" ? "\\\\" : `\\\\{0,8}${literal(char)}`);
  // No repetition is without a bound, so that a long answer takes no more than linear time.
  return `(?:${forms.join("|")})${char === "\\" ? "{1,16}" : ""}`;
}

function hex(value: number, places: number): string {
  return value.toString(16).padStart(places, "0");
}

function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
