/// <reference types="node" />
import type { Transform } from "node:stream";
import zlib from "node:zlib";
import { RESPONSE_MAX_BYTES } from "../http/transport.ts";

/** What was received of a body. */
export interface Body {
  readonly chunks: readonly Buffer[];
  /** Whether the body was too long: the chunks reach the limit. */
  readonly isTruncated: boolean;
  /** Why the rest of the body is missing: its connection failed, the signal aborted, or it cannot be decoded. */
  readonly failure: unknown;
}

/** A content coding. */
interface Coding {
  readonly createDecoder: (encoded: Buffer) => Transform;
  /** @throws if the data is damaged, or too long when it is decoded. */
  readonly decodeSync: (encoded: Buffer) => Buffer;
}

/** Incomplete data is decoded as far as possible, as `fetch` does: it may contain the id of a charge. */
const ZLIB = { finishFlush: zlib.constants.Z_SYNC_FLUSH, maxOutputLength: RESPONSE_MAX_BYTES };
const BROTLI = { ...ZLIB, finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH };

const gzip: Coding = {
  createDecoder: () => zlib.createGunzip(ZLIB),
  decodeSync: (encoded) => zlib.gunzipSync(encoded, ZLIB),
};
const brotli: Coding = {
  createDecoder: () => zlib.createBrotliDecompress(BROTLI),
  decodeSync: (encoded) => zlib.brotliDecompressSync(encoded, BROTLI),
};
const deflate: Coding = {
  createDecoder: (encoded) => (isRaw(encoded) ? zlib.createInflateRaw(ZLIB) : zlib.createInflate(ZLIB)),
  decodeSync: (encoded) => (isRaw(encoded) ? zlib.inflateRawSync : zlib.inflateSync)(encoded, ZLIB),
};

/** Some servers omit the zlib header that HTTP requires. */
function isRaw(encoded: Buffer): boolean {
  return encoded.length > 0 && (encoded.readUInt8() & 0x0f) !== 8;
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

/** Up to this size, synchronous decompression costs a third of a stream, and blocks for a negligible time. */
const SYNC_MAX_BYTES = 16_384;

/**
 * Decompresses a body up to its limit, its end or the first damaged byte. A body with an unknown coding, or with too
 * many codings, is returned as it is.
 */
export async function decodeBody(body: Body, contentEncoding: string | undefined): Promise<Body> {
  const names = contentEncoding?.toLowerCase().split(",").reverse() ?? [];
  const codings = names.map((name) => CODINGS.get(name.trim()));
  if (codings.includes(undefined) || codings.length > MAX_CODINGS) return body;
  let decoded = body;
  for (const coding of codings) if (coding !== undefined) decoded = await decode(decoded, coding);
  return decoded;
}

async function decode({ chunks, isTruncated, failure }: Body, coding: Coding): Promise<Body> {
  const encoded = Buffer.concat(chunks);
  if (encoded.length === 0) return { chunks, isTruncated, failure };
  if (encoded.length <= SYNC_MAX_BYTES) {
    try {
      return { chunks: [coding.decodeSync(encoded)], isTruncated, failure };
    } catch {
      // Only a stream returns the part within the limit, or before damaged data.
    }
  }
  const decoder = coding.createDecoder(encoded);
  return new Promise((resolve) => {
    const decoded: Buffer[] = [];
    let bytes = 0;
    decoder.on("data", (chunk: Buffer) => {
      decoded.push(chunk);
      bytes += chunk.length;
      if (bytes > RESPONSE_MAX_BYTES) decoder.destroy();
    });
    decoder.on("error", (error) => resolve({ chunks: decoded, isTruncated, failure: failure ?? error }));
    decoder.on("close", () =>
      resolve({ chunks: decoded, isTruncated: isTruncated || bytes > RESPONSE_MAX_BYTES, failure }),
    );
    decoder.end(encoded);
  });
}

/** A truncated body is decoded up to the limit, without a partial last character. */
export function decodeText({ chunks, isTruncated }: Body): string {
  const bytes = Buffer.concat(chunks).subarray(0, RESPONSE_MAX_BYTES);
  return new TextDecoder().decode(bytes, { stream: isTruncated });
}
