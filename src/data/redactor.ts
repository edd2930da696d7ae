/** The text in place of a secret. */
export const REDACTED = "[redacted]";

/** What is always secret. The first group of an expression, if it has one, is kept. */
export const SECRET_SHAPES: readonly RegExp[] = [
  /\b[sp]k_[\w.-]+/g, // keys
  // Credentials. Keys in base64 begin like this, also in a part of them; other texts only by chance.
  /(?:\bbasic\s+|(?<![\da-z])(?=c[2g]tf))[\w+/-]{8,}={0,2}/gi,
  // JWTs. Their points are optional: requiring them after each `eyJ` would take quadratic time.
  /\beyJ[\w-]+(?:\.[\w-]+)*/g,
];

/** Escapes of URLs (one for a character), JavaScript, JSON and HTML. */
const ESCAPE =
  /%[c-f][\da-f](?:%[89ab][\da-f]){1,3}|(?:%|\\x|\\u..)[\da-f]{2}|\\["'\\/bfnrt]|&(?:#\d{1,8}|#x[\da-f]{1,8}|[a-z]{2,31});/gi;

/** Stands for an HTML entity that has only a name. No letter or digit of a key has such an entity. */
const ANY_CHARACTER = "\uffff";

/** From the first character to the character after the last. */
export type Range = readonly [start: number, end: number];

/** Redacts what is secret in any text: keys, JWTs and credentials. */
export function redactShapes(text: string): string {
  return replaceRanges(text, [...findShapes(text, SECRET_SHAPES)]);
}

/**
 * Redacts the secrets of one call in untrusted texts: the body of a response, the error of a transport. These are the
 * secrets that the call registered by `hide`, such as its keys, its card, its token and its postback URL, and all texts
 * whose shape is always secret. Letters in the other case count as the same.
 *
 * It removes the escapes of a text, one layer after the other, and looks for the secrets in each layer.
 */
export class Redactor {
  readonly #secrets: readonly string[];

  constructor(secrets: readonly (string | undefined)[]) {
    // In pieces, because a longer text is too large for a regular expression.
    this.#secrets = secrets.flatMap((secret = "") =>
      layersOf(secret.trim()).flatMap(({ text }) => text.match(/[\s\S]{1,1000}/g) ?? []),
    );
  }

  text(value: string): string {
    return redactLayers(value, (text) => this.find(text, fold(text)));
  }

  headers(headers: Headers): Headers {
    return new Headers(Array.from(headers, ([name, value]): [string, string] => [name, this.text(value)]));
  }

  /** Finds the secrets in one layer. */
  protected *find(text: string, folded: string): Iterable<Range> {
    yield* findShapes(text, SECRET_SHAPES);
    const lettersOf = (foldedText: string) => foldedText.replaceAll("_", "");
    const letters = lettersOf(folded);
    for (const secret of this.#secrets) {
      if (secret.length > text.length) continue; // each of its characters matches one or more
      // Few texts contain a secret, and building all patterns would take long.
      if (letters.includes(lettersOf(fold(secret)))) yield* findShapes(text, [toPattern(secret)]);
    }
  }
}

/** Redacts what `find` finds in a text, and in the text without one or more layers of its escapes. */
export function redactLayers(value: string, find: (text: string) => Iterable<Range>): string {
  const found: Range[] = [];
  for (const { text, originOf } of layersOf(value)) {
    for (const [start, end] of find(text)) found.push([originOf(start), originOf(end)]);
  }
  return replaceRanges(value, found);
}

/** A copy of JSON data with every text in it redacted, names included. */
export function redactData(redactor: Redactor, value: unknown, depth = 0): unknown {
  if (typeof value === "string") return redactor.text(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= 100) return REDACTED; // following it could overflow the stack
  if (Array.isArray(value)) return value.map((entry) => redactData(redactor, entry, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [
      redactor.text(key),
      /^post_?back_?url$/i.test(key) && typeof entry === "string"
        ? REDACTED
        : redactData(redactor, entry, depth + 1),
    ]),
  );
}

export function* findShapes(text: string, shapes: readonly RegExp[]): Iterable<Range> {
  for (const shape of shapes) {
    if (text.search(shape) < 0) continue; // cheaper than `matchAll`, which copies the expression
    for (const { 0: match, 1: kept = "", index } of text.matchAll(shape)) {
      yield [index + kept.length, index + match.length];
    }
  }
}

/**
 * Matches a secret without its escapes. The number of a card, a phone or a CNPJ, which may have letters, may be grouped; a
 * security code is not part of a longer number.
 */
function toPattern(secret: string): RegExp {
  const isNumber = /^(?:[\dA-Z]{12})?\d+$/.test(secret);
  const isShort = secret.length < 5; // occurs in a response by chance, so only whole words of it are redacted
  const edge = isNumber ? "\\d" : isShort ? "\\w" : "[]";
  const pattern =
    isNumber && !isShort
      ? [...secret].join(`[\\s()./_${ANY_CHARACTER}-]{0,3}`)
      : secret.replaceAll(/[^a-z\d]/gi, `[\\$&+${ANY_CHARACTER}]`); // a form has a plus for a space
  return new RegExp(`(?<!${edge})${pattern}(?!${edge})`, "gi");
}

/** Of the same length, because everything that is not an ASCII letter or digit becomes `_`. */
export function fold(text: string): string {
  return text.replaceAll(/[^a-z\d]/gi, "_").toLowerCase();
}

/** Ranges that overlap are replaced by one text. */
function replaceRanges(text: string, ranges: Range[]): string {
  let clean = "";
  let end = 0;
  for (const [start, stop] of ranges.sort(([one], [other]) => one - other)) {
    if (start >= end) clean += text.slice(end, start) + REDACTED;
    end = Math.max(end, stop);
  }
  return clean + text.slice(end);
}

/** A text without some of its escapes. */
interface Layer {
  readonly text: string;
  /** Where a character, or the end, is in the text with all escapes. */
  readonly originOf: (at: number) => number;
}

/**
 * The text as it is, then without its escapes, then without the escapes that this leaves, and so on: at most five times,
 * such as for JSON in JSON in a URL.
 */
function layersOf(text: string): Layer[] {
  let layer: Layer = { text, originOf: (at) => at };
  const layers = [layer];
  while (layers.length <= 5 && layer.text.search(ESCAPE) >= 0) {
    layer = withoutEscapes(layer);
    layers.push(layer);
  }
  return layers;
}

function withoutEscapes(outer: Layer): Layer {
  const places: number[] = [];
  let at = 0;
  const keepUntil = (end: number) => {
    for (; at < end; at += 1) places.push(at);
  };
  const text = outer.text.replace(ESCAPE, (escaped: string, index: number) => {
    keepUntil(index);
    const character = toCharacter(escaped);
    for (const _ of character.split("")) places.push(index);
    at += escaped.length;
    return character;
  });
  keepUntil(outer.text.length + 1);
  return { text, originOf: (place) => outer.originOf(Number(places[place])) };
}

function toCharacter(escaped: string): string {
  if (/^\\[^ux]/i.test(escaped)) return escaped.slice(1).replace(/[nrt]/, " ");
  const code = Number(escaped.replace(/^\\[ux]|^&#x/i, "0x").replace(/^&#|;/g, ""));
  try {
    if (code >= 0) return String.fromCodePoint(code);
    if (escaped.startsWith("%")) return decodeURIComponent(escaped);
  } catch {
    return ANY_CHARACTER;
  }
  return { "&amp;": "&", "&quot;": '"', "&lowbar;": "_" }[escaped] ?? ANY_CHARACTER;
}
