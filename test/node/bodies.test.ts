import type { IncomingMessage } from "node:http";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { decodeBody } from "../../src/node/decode-body.ts";
import { createDirectSend, responseFrom, trySend } from "./support/direct-send.ts";
import {
  chunked,
  httpResponse,
  type OnSocket,
  respondAndEnd,
  respondWith,
  startRaw,
} from "./support/raw-server.ts";

/** Bytes of a response that are read. */
const LIMIT = 5_000_000;

const LAST_CHUNK = "0\r\n\r\n";

async function readBody(onSocket: OnSocket) {
  const { baseUrl } = await startRaw(onSocket);
  const { text, isTruncated } = await responseFrom(baseUrl);
  return { text, isTruncated };
}

const readEncoded = (body: string | Buffer, coding = "gzip") =>
  readBody(respondWith(httpResponse(body, `content-encoding: ${coding}\r\n`)));

describe("a body is decoded as UTF-8, in the same way as by TextDecoder", () => {
  test.each<[string, readonly number[], string]>([
    ["a byte order mark is removed", [0xef, 0xbb, 0xbf, 0x7b], "{"],
    ["a second byte order mark is kept", [0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf], "\u{feff}"],
    ["an invalid byte", [0x61, 0xff, 0x62], "a\u{fffd}b"],
    ["an incomplete character", [0x61, 0xe2, 0x82], "a\u{fffd}"],
    ["an empty body", [], ""],
  ])("%s", async (_what, bytes, text) => {
    const decoded = await readBody(respondWith(httpResponse(Buffer.from(bytes))));

    expect(decoded).toEqual({ text, isTruncated: false });
  });

  test("a character may be split between chunks", async () => {
    const bytes = Buffer.from("ação");

    const decoded = await readBody(respondWith(chunked(bytes.subarray(0, 2), bytes.subarray(2)), LAST_CHUNK));

    expect(decoded.text).toBe("ação");
  });
});

const START = '{"id":4021,"pad":"';
const padded = (length: number) => START + "x".repeat(length - START.length);
const WORDS = JSON.stringify({ id: 4021, text: "ação".repeat(50) });
const LONG = JSON.stringify(Array.from({ length: 40_000 }, (_, place) => (place * 7_919) % 10_007));
const compressed = gzipSync(WORDS);
const long = gzipSync(LONG);

describe("a compressed body is decoded, short or long", () => {
  test.each<[string, (body: string) => Buffer]>([
    ["gzip", gzipSync],
    ["x-gzip", gzipSync],
    ["br", brotliCompressSync],
    ["deflate", deflateSync],
    ["deflate", deflateRawSync], // without the header that HTTP requires
    ["gzip, br", (body) => brotliCompressSync(gzipSync(body))],
    ["br ,\tgzip", (body) => gzipSync(brotliCompressSync(body))],
  ])("%s", async (coding, encode) => {
    expect(await readEncoded(encode(WORDS), coding)).toEqual({ text: WORDS, isTruncated: false });
    expect((await readEncoded(encode(LONG), coding)).text === LONG).toBe(true);
  });

  test.each(["identity", "gzip, unknown", "constructor", "__proto__", "gzip, gzip, gzip, gzip, gzip, gzip"])(
    "unless the coding is unknown, or there are too many: %s",
    async (coding) => {
      for (const body of [WORDS, WORDS.padEnd(20_000)]) {
        expect((await readEncoded(body, coding)).text).toBe(body);
      }
    },
  );
});

describe("a complete body with incomplete compressed data is decoded as far as possible", () => {
  test.each<[string, Buffer, string]>([
    ["gzip", compressed.subarray(0, -9), WORDS],
    ["gzip", long.subarray(0, -9), LONG],
    ["deflate", deflateSync(WORDS).subarray(0, -5), WORDS],
    ["br", brotliCompressSync(WORDS).subarray(0, -3), WORDS],
    ["br", brotliCompressSync(LONG).subarray(0, -3), LONG],
  ])("%s", async (coding, body, whole) => {
    const { text } = await readEncoded(body, coding);

    expect(text.length).toBeGreaterThan(10);
    expect(whole.startsWith(text)).toBe(true);
  });
});

/** With another byte at a place; a negative one counts from the end. */
function damaged(body: Buffer, place: number): Buffer {
  const copy = Buffer.from(body);
  return copy.fill((copy.at(place) ?? 0) ^ 255, copy.length + place, copy.length + place + 1);
}

const GZIP = "content-encoding: gzip\r\n";
const cutOff = (body: Buffer) =>
  Buffer.concat([Buffer.from(`HTTP/1.1 201 Created\r\n${GZIP}content-length: 9999999\r\n\r\n`), body]);

describe("a damaged body fails the call, and what was decoded before is kept", () => {
  test.each<[string, string | Buffer, number]>([
    ["an invalid chunk length", `${chunked('{"id":1}')}x\r\n`, 0],
    ["text that is not gzip", httpResponse(WORDS, GZIP), 0],
    ["a long text that is not gzip", httpResponse(LONG, GZIP), 0],
    ["a wrong checksum", httpResponse(damaged(long, -6), GZIP), 10_000],
    ["a wrong byte inside", httpResponse(damaged(long, -9_000), GZIP), 10_000],
    ["a short body that is cut off", cutOff(gzipSync(LONG.slice(0, 99))), 99],
    ["a long body that is cut off", cutOff(long), LONG.length],
    ["more data after the end", httpResponse(Buffer.concat([long, Buffer.from("more")]), GZIP), 10_000],
  ])("%s", async (_what, response, decodedLength) => {
    const { baseUrl, open } = await startRaw(respondAndEnd(response));

    const result = await trySend(baseUrl);

    const { partialText = "", error } = result;
    expect(result).toMatchObject({ isSent: true, headersReceived: true, response: undefined });
    expect(error).toBeInstanceOf(Error);
    expect(partialText.length).toBeGreaterThanOrEqual(decodedLength);
    expect(LONG.startsWith(partialText.slice(0, decodedLength))).toBe(true);
    await expect.poll(open).toBe(0);
  });
});

describe("a body that is cut off before its end is never treated as complete", () => {
  const body = '{"data":{"id":4021}}';

  test.each<[string, Buffer]>([
    ["with a length", httpResponse(body)],
    ["chunked", Buffer.concat([chunked(body.slice(0, 9), body.slice(9)), Buffer.from(LAST_CHUNK)])],
    ["compressed", httpResponse(gzipSync(body), GZIP)],
  ])("%s", async (_how, complete) => {
    let sent = complete;
    const { baseUrl } = await startRaw((socket) => socket.once("data", () => socket.end(sent)));
    const send = createDirectSend();

    for (let length = 1; length < complete.length; length += 1) {
      sent = complete.subarray(0, length);
      expect((await trySend(baseUrl, { send })).response).toBeUndefined();
    }
  });
});

test.each<[string, string | Buffer, string]>([
  ["304 with any content-length", "HTTP/1.1 304 Not Modified\r\ncontent-length: 99\r\n\r\n", "POST"],
  ["a response to HEAD", "HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n", "HEAD"],
  ["a content-encoding without a body", httpResponse("", "content-encoding: gzip\r\n"), "POST"],
])("%s has no body", async (_what, response, method) => {
  const { baseUrl } = await startRaw(respondWith(response));

  expect(await responseFrom(baseUrl, { method })).toMatchObject({ text: "", isTruncated: false });
});

describe("a body is read up to 5 MB after decoding, and no further", () => {
  test.each<[string, string, Buffer]>([
    ["highly compressed", "gzip", gzipSync(padded(2 * LIMIT))],
    ["compressed with brotli", "br", brotliCompressSync(padded(2 * LIMIT))],
    ["compressed twice", "gzip, gzip", gzipSync(gzipSync(padded(2 * LIMIT)))],
  ])("a longer body is truncated: %s", async (_how, coding, body) => {
    const { text, isTruncated } = await readEncoded(body, coding);

    expect(isTruncated).toBe(true);
    expect(text.slice(0, START.length)).toBe(START);
    expect(text.length).toBeGreaterThan(LIMIT - 70_000);
    expect(text.length).toBeLessThanOrEqual(LIMIT);
  });

  test("the rest of a compressed body is not decoded, because it may be far longer", async () => {
    const response = { headers: { "content-encoding": "gzip" } } as IncomingMessage;
    const bytes = gzipSync(Buffer.alloc(8 * LIMIT));

    const decoded = await decodeBody({ response, bytes, isTruncated: false, failure: undefined });

    expect(decoded.bytes.length).toBeLessThan(2 * LIMIT);
  });

  test("an incomplete character at the limit is removed", async () => {
    const { text, isTruncated } = await readBody(respondWith(httpResponse(`${"x".repeat(LIMIT - 1)}ção`)));

    expect(isTruncated).toBe(true);
    expect(text).toHaveLength(LIMIT - 1);
  });
});
