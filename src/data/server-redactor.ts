import { findShapes, fold, type Range, Redactor } from "./redactor.ts";
import { SERVER_SHAPES } from "./server-shapes.ts";

/** As many characters of a key, of a token or of one of their encodings are redacted, even if the rest is missing. */
const RUN = 12;

/** Each run contains a piece of half its length that begins at a multiple of that. */
const PIECE = RUN / 2;

/** Also redacts what only servers have: passwords of databases, and encodings and parts of the secret key. */
export class ServerRedactor extends Redactor {
  /** Folded. The character between them is not `_`, which could be a quote after a key. */
  readonly #encodings: string;

  constructor(secrets: readonly (string | undefined)[]) {
    super(secrets);
    this.#encodings = fold(secrets.flatMap(encode).join("0"));
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

/** A key as it is, in hex, and in base64 as a part of another text, in which it can begin at each of three places. */
function encode(key = ""): string[] {
  if (!/^[!-9;-~]{12,}$/.test(key)) return []; // of a URL or a name, other texts may have a part
  const hex = Array.from(key, (char) => char.charCodeAt(0).toString(16)).join("");
  return [key, hex, ...["", " ", "  "].map((before) => btoa(before + key).replace(/=+$/, ""))];
}
