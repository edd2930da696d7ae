/// <reference types="node" />
import type { Transform } from "node:stream";
import zlib from "node:zlib";

/** A way in which a body is packed. */
export interface Coding {
  /** @param firstByte - Of what is packed, where it is known. */
  readonly stream: (firstByte: number | undefined) => Transform;
  /** @throws where it would be longer than `maxOutputLength`, with the code `ERR_BUFFER_TOO_LARGE`. */
  readonly atOnce: (bytes: Buffer, options: { readonly maxOutputLength: number }) => Buffer;
}

/** What lacks its end is unpacked as far as it goes: the id of a charge may be in it. So does `fetch`. */
const ZLIB = { finishFlush: zlib.constants.Z_SYNC_FLUSH };
const BROTLI = { finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH };

const gzip: Coding = {
  stream: () => zlib.createGunzip(ZLIB),
  atOnce: (bytes, options) => zlib.gunzipSync(bytes, { ...ZLIB, ...options }),
};
const brotli: Coding = {
  stream: () => zlib.createBrotliDecompress(BROTLI),
  atOnce: (bytes, options) => zlib.brotliDecompressSync(bytes, { ...BROTLI, ...options }),
};
const deflate: Coding = {
  stream: (firstByte) => (isRaw(firstByte) ? zlib.createInflateRaw(ZLIB) : zlib.createInflate(ZLIB)),
  atOnce: (bytes, options) =>
    isRaw(bytes[0])
      ? zlib.inflateRawSync(bytes, { ...ZLIB, ...options })
      : zlib.inflateSync(bytes, { ...ZLIB, ...options }),
};

/** By a name that a server chose: an object would know `constructor`, too. */
const CODINGS: ReadonlyMap<string, Coding> = new Map([
  ["gzip", gzip],
  ["x-gzip", gzip],
  ["br", brotli],
  ["deflate", deflate],
]);

/** Some servers leave out the header that HTTP asks for; the first byte tells. */
function isRaw(firstByte: number | undefined): boolean {
  return firstByte !== undefined && (firstByte & 0x0f) !== 8;
}

/** What a transport asks for. */
export const ACCEPTED_CODINGS = "gzip, br, deflate";

/** As `fetch`: nobody packs more often. */
const MAX_CODINGS = 5;

/**
 * How to unpack a body, the outermost coding first; nothing to do where one is unknown, as `fetch` has it.
 *
 * @throws {Error} where there are too many.
 */
export function codingsOf(contentEncoding: string): readonly Coding[] {
  const names = contentEncoding.toLowerCase().split(",").reverse();
  if (names.length > MAX_CODINGS) throw new Error("the answer is packed too often");
  const codings = names.map((name) => CODINGS.get(name.trim()));
  return codings.every((coding) => coding !== undefined) ? codings : [];
}
