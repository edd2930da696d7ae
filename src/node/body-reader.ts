/// <reference types="node" />
import type { IncomingMessage } from "node:http";
import type { Transform } from "node:stream";
import zlib from "node:zlib";
import { RESPONSE_MAX_BYTES } from "../http/transport.ts";

/**
 * May be called until the reader is destroyed.
 *
 * @param isTruncated - Whether the body was too long: the last chunk exceeds the limit.
 * @param error - Why the rest of the body cannot be decoded.
 */
export type BodyListener = (chunks: readonly Buffer[], isTruncated: boolean, error?: unknown) => void;

/** Up to this size, synchronous decompression costs a third of a stream, and blocks for a negligible time. */
const SYNC_MAX_BYTES = 16_384;

/** Reads the body of a response to its end or to the limit, and decompresses it. */
export class BodyReader {
  readonly #response: IncomingMessage;
  readonly #codings: readonly Coding[];
  readonly #onBody: BodyListener;
  /** As received; decompressed if there are decoders. */
  #chunks: Buffer[] = [];
  #bytes = 0;
  #decoders: readonly Transform[] | undefined;
  #isDestroyed = false;

  constructor(response: IncomingMessage, codings: readonly Coding[], onBody: BodyListener) {
    this.#response = response;
    this.#codings = codings;
    this.#onBody = onBody;
    response.on("data", this.#onData).on("end", this.end);
  }

  destroy(): void {
    this.#isDestroyed = true;
    for (const decoder of this.#decoders ?? []) decoder.destroy();
  }

  readonly #onData = (chunk: Buffer): void => {
    if (this.#isDestroyed) return;
    if (this.#decoders !== undefined) {
      this.#decode(chunk);
      return;
    }
    this.#keep(chunk);
    if (this.#codings.length > 0 && this.#bytes > SYNC_MAX_BYTES) this.#startDecoders();
  };

  /** Decodes what was received, and passes it to the listener. */
  readonly end = (): void => {
    // A stream that has failed does not emit the chunks that it holds.
    this.#response.off("data", this.#onData);
    for (let chunk = this.#response.read(); chunk !== null; chunk = this.#response.read())
      this.#onData(chunk);
    if (this.#isDestroyed) return;
    if (this.#decoders !== undefined) this.#decoders[0]?.end();
    else if (this.#codings.length > 0 && this.#bytes > 0) this.#decodeSync();
    else this.#onBody(this.#chunks, false);
  };

  #keep(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes > RESPONSE_MAX_BYTES) this.#onBody(this.#chunks, true);
  }

  #decodeSync(): void {
    const options = { maxOutputLength: RESPONSE_MAX_BYTES };
    try {
      const decoded = this.#codings.reduce(
        (bytes, coding) => coding.decodeSync(bytes, options),
        concat(this.#chunks),
      );
      this.#onBody([decoded], false);
    } catch {
      this.#startDecoders(); // only a stream returns the part within the limit, or before damaged data
      this.end();
    }
  }

  #startDecoders(): void {
    const encoded = concat(this.#chunks);
    this.#chunks = [];
    this.#bytes = 0;
    const decoders = this.#codings.map((coding, index) =>
      coding.createDecoder(index === 0 ? encoded[0] : undefined),
    );
    for (const decoder of decoders) decoder.on("error", (error) => this.#onBody(this.#chunks, false, error));
    const last = decoders.reduce((from, to) => from.pipe(to));
    last.on("data", (chunk: Buffer) => this.#keep(chunk));
    last.on("end", () => this.#onBody(this.#chunks, false));
    this.#decoders = decoders;
    this.#decode(encoded);
  }

  #decode(encoded: Buffer): void {
    const [first] = this.#decoders ?? [];
    if (first === undefined || first.write(encoded)) return;
    this.#response.pause();
    first.once("drain", () => this.#response.resume());
  }
}

const BYTE_ORDER_MARK = "\u{feff}";

/** Decodes text like `TextDecoder`. A truncated body is decoded up to the limit, without a partial last character. */
export function decodeText(chunks: readonly Buffer[], isTruncated: boolean): string {
  const bytes = concat(chunks);
  if (isTruncated) return new TextDecoder().decode(bytes.subarray(0, RESPONSE_MAX_BYTES), { stream: true });
  const text = bytes.toString(); // a quarter of the cost of a TextDecoder, but it keeps the byte order mark
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}

/** Without a copy if there is one chunk. */
function concat(chunks: readonly Buffer[]): Buffer {
  const [first] = chunks;
  return first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks);
}

/** A content coding. */
interface Coding {
  /** @param firstByte - The first encoded byte, if known. */
  readonly createDecoder: (firstByte: number | undefined) => Transform;
  /** @throws if the data is damaged, or if the result exceeds `maxOutputLength`. */
  readonly decodeSync: (bytes: Buffer, options: { readonly maxOutputLength: number }) => Buffer;
}

/** Incomplete data is decoded as far as possible, as `fetch` does: it may contain the id of a charge. */
const ZLIB = { finishFlush: zlib.constants.Z_SYNC_FLUSH };
const BROTLI = { finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH };

const gzip: Coding = {
  createDecoder: () => zlib.createGunzip(ZLIB),
  decodeSync: (bytes, options) => zlib.gunzipSync(bytes, { ...ZLIB, ...options }),
};
const brotli: Coding = {
  createDecoder: () => zlib.createBrotliDecompress(BROTLI),
  decodeSync: (bytes, options) => zlib.brotliDecompressSync(bytes, { ...BROTLI, ...options }),
};
const deflate: Coding = {
  createDecoder: (firstByte) => (isRaw(firstByte) ? zlib.createInflateRaw(ZLIB) : zlib.createInflate(ZLIB)),
  decodeSync: (bytes, options) =>
    (isRaw(bytes[0]) ? zlib.inflateRawSync : zlib.inflateSync)(bytes, { ...ZLIB, ...options }),
};

/** Some servers omit the zlib header that HTTP requires. */
function isRaw(firstByte: number | undefined): boolean {
  return firstByte !== undefined && (firstByte & 0x0f) !== 8;
}

/** A map, because the server chooses the name: an object would also have `constructor`. */
const CODINGS: ReadonlyMap<string, Coding> = new Map([
  ["gzip", gzip],
  ["x-gzip", gzip],
  ["br", brotli],
  ["deflate", deflate],
]);

/** The value of `accept-encoding`. */
export const ACCEPTED_CODINGS = "gzip, br, deflate";

/** The same limit as `fetch`. */
const MAX_CODINGS = 5;

/**
 * The codings of a body, the outermost first. Empty if one of them is unknown: `fetch` does not decode such a body
 * either.
 *
 * @throws {Error} if there are too many.
 */
export function parseContentEncoding(contentEncoding: string): readonly Coding[] {
  const names = contentEncoding.toLowerCase().split(",").reverse();
  if (names.length > MAX_CODINGS) throw new Error("the response has too many content encodings");
  const codings = names.map((name) => CODINGS.get(name.trim()));
  return codings.every((coding) => coding !== undefined) ? codings : [];
}
