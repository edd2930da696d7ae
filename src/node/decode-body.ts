/// <reference types="node" />
import type { IncomingMessage } from "node:http";
import type { Transform } from "node:stream";
import zlib from "node:zlib";
import { RESPONSE_MAX_BYTES } from "../http/transport.ts";

/** What was received of a response. */
export interface Received {
  readonly response: IncomingMessage;
  readonly bytes: Buffer<ArrayBuffer>;
  /** Whether the body was too long: the bytes reach the limit. */
  readonly isTruncated: boolean;
  /** Why the rest of the body is missing: its connection failed, the signal aborted, or it cannot be decoded. */
  readonly failure: unknown;
}

/** Two ways to decode. The function throws if the data is damaged, or too long when it is decoded. */
type Coding = readonly [
  decodeSync: (encoded: Buffer, options: typeof ZLIB) => Buffer<ArrayBuffer>,
  createDecoder: (options: typeof ZLIB) => Transform,
  options: typeof ZLIB,
];

/** Incomplete data is decoded as far as possible, as `fetch` does: it may contain the id of a charge. */
const ZLIB = { finishFlush: zlib.constants.Z_SYNC_FLUSH, maxOutputLength: RESPONSE_MAX_BYTES };
const BROTLI = { ...ZLIB, finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH };

const DEFLATE: Coding = [zlib.inflateSync, zlib.createInflate, ZLIB];
/** Some servers omit the zlib header that HTTP requires. */
const RAW_DEFLATE: Coding = [zlib.inflateRawSync, zlib.createInflateRaw, ZLIB];

/** A map, because the server chooses the name: an object would also have `constructor`. */
const CODINGS: ReadonlyMap<string, Coding> = new Map<string, Coding>([
  ["gzip", [zlib.gunzipSync, zlib.createGunzip, ZLIB]],
  ["x-gzip", [zlib.gunzipSync, zlib.createGunzip, ZLIB]],
  ["br", [zlib.brotliDecompressSync, zlib.createBrotliDecompress, BROTLI]],
  ["deflate", DEFLATE],
]);

export const ACCEPTED_CODINGS = "gzip, br, deflate";

/** The same limit as `fetch`. */
const MAX_CODINGS = 5;

/** Up to this size, synchronous decompression costs a third of a stream, and blocks for a negligible time. */
const SYNC_MAX_BYTES = 16_384;

/**
 * Decompresses a body up to its limit, its end or the first damaged byte. A body with an unknown coding, or with too
 * many codings, is returned as it is.
 */
export async function decodeBody(received: Received): Promise<Received> {
  const names = received.response.headers["content-encoding"]?.toLowerCase().split(",").reverse() ?? [];
  const codings = names.map((name) => CODINGS.get(name.trim()));
  if (codings.includes(undefined) || codings.length > MAX_CODINGS) return received;
  let decoded = received;
  for (const coding of codings) if (coding !== undefined) decoded = await decode(decoded, coding);
  return decoded;
}

function decode(received: Received, coding: Coding): Received | Promise<Received> {
  const { bytes, isTruncated, failure } = received;
  const [first] = bytes;
  if (first === undefined) return received;
  const isRaw = coding === DEFLATE && (first & 0x0f) !== 8;
  const [decodeSync, createDecoder, options] = isRaw ? RAW_DEFLATE : coding;
  if (bytes.length <= SYNC_MAX_BYTES) {
    try {
      return { ...received, bytes: decodeSync(bytes, options) };
    } catch {
      // Only a stream returns the part within the limit, or before damaged data.
    }
  }
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    let error: unknown;
    const decoder = createDecoder(options);
    decoder.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length > RESPONSE_MAX_BYTES) decoder.destroy();
    });
    decoder.on("error", (thrown) => {
      error = thrown;
    });
    decoder.on("close", () => {
      const isTooLong = isTruncated || length > RESPONSE_MAX_BYTES;
      const decoded = { bytes: Buffer.concat(chunks), isTruncated: isTooLong, failure: failure ?? error };
      resolve({ ...received, ...decoded });
    });
    decoder.end(bytes);
  });
}
