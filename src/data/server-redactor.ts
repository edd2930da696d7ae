import { findShapes, fold, type Range, Redactor } from "./redactor.ts";

/** What is always secret in the texts that a server reads, besides keys and tokens. */
export const SERVER_SHAPES: readonly RegExp[] = [
  // A key in hex, also with a separator between the bytes.
  /(?<![\da-wyz])7[03]([\s:,-]{0,2})6b(?=\1[5]f)(?:\1[\da-f]{2})*/gi,
  // User and password in a URL: `//user:a/b@host`, too, which no parser accepts. Digits and a slash are a port.
  /(\/\/)[^\s/@:]*:(?:(?!\d+[/?#])(?:(?!\/\/)[^\s"<>])*|[^\s/]*)(?=@)/g,
  // Passwords in connection strings, queries, variables, JSON, objects and SQL, but no sentence about a password.
  /((?:pass\w{0,9}|pwd|\bidentified by)["'`]?(?:\s{0,9}[=:]>?\s{0,9}|\s{1,9}(?=["'`]))(["'`]?))(?:(?<=["'`])(?:\\[\s\S]|\2\2|(?!\2)[^\\])+|[^\s"'`]+)/gi,
  /((?:"webhook"\s*:\s*\{\s*"|post_?back_?)url"\s*:\s*")(?:[^"\\]|\\.)*/gi, // postback URLs in JSON
];

/** A part of a key, of an encoded key or of a card token is redacted if it has at least this many characters. */
const RUN = 12;

/** Each run contains a piece of this length that begins at a multiple of it. */
const PIECE = RUN / 2;

/** Also redacts what only servers have: passwords of databases, and encodings and parts of the secret key. */
export class ServerRedactor extends Redactor {
  /** Folded. The character between them is not `_`, which could be a quote after a key. */
  readonly #encodings: string;

  constructor(secrets: readonly (string | undefined)[]) {
    super(secrets);
    this.#encodings = secrets.map(encodingsOf).join("0");
  }

  protected override *find(text: string, folded: string): Iterable<Range> {
    yield* super.find(text, folded);
    yield* findShapes(text, SERVER_SHAPES);
    for (let at = 0; at < folded.length; at += PIECE) {
      if (!this.#encodings.includes(folded.slice(at, at + PIECE))) continue;
      for (let start = Math.max(0, at - PIECE); start <= at && start + RUN <= folded.length; start += 1) {
        if (this.#encodings.includes(folded.slice(start, start + RUN))) yield [start, start + RUN];
      }
    }
  }
}

/** Folded encodings of keys: almost all calls of a process have the same keys. */
const known = new Map<string, string>();

/**
 * A key as it is, in hex, and in base64 as a part of another text, in which it can begin at each of three places; folded.
 * A card token is only folded: each call has its own, so encodings cost time.
 */
function encodingsOf(secret = ""): string {
  if (!/^[!-9;-?A-~]{12,}$/.test(secret)) return ""; // of a URL, name or e-mail, other texts may have a part
  if (secret.startsWith("eyJ")) return fold(secret);
  let encodings = known.get(secret);
  if (encodings === undefined) {
    const hex = Array.from(secret, (char) => char.charCodeAt(0).toString(16)).join("");
    const base64 = ["", " ", "  "].map((before) => btoa(before + secret).replace(/=+$/, ""));
    encodings = fold([secret, hex, ...base64].join("0"));
    if (known.size === 100) known.clear();
    if (/^[sp]k_|^c[2G]tf/.test(secret)) known.set(secret, encodings); // no card number stays in memory
  }
  return encodings;
}
