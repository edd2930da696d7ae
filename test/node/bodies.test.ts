import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
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

describe("a compressed body is decoded", () => {
  test.each<[string, Buffer]>([
    ["gzip", gzipSync(WORDS)],
    ["x-gzip", gzipSync(WORDS)],
    ["br", brotliCompressSync(WORDS)],
    ["deflate", deflateSync(WORDS)],
    ["deflate", deflateRawSync(WORDS)], // without the header that HTTP requires
    ["gzip, br", brotliCompressSync(gzipSync(WORDS))],
    ["br ,\tgzip", gzipSync(brotliCompressSync(WORDS))],
  ])("%s", async (coding, body) => {
    const decoded = await readBody(respondWith(httpResponse(body, `content-encoding: ${coding}\r\n`)));

    expect(decoded).toEqual({ text: WORDS, isTruncated: false });
  });

  test.each<[string, Buffer]>([
    ["gzip", gzipSync(LONG)],
    ["br", brotliCompressSync(LONG)],
    ["deflate", deflateSync(LONG)],
    ["deflate", deflateRawSync(LONG)],
    ["gzip, br", brotliCompressSync(gzipSync(LONG))],
  ])("%s, as a stream if it is long", async (coding, body) => {
    const decoded = await readBody(respondWith(httpResponse(body, `content-encoding: ${coding}\r\n`)));

    expect(body.length).toBeGreaterThan(20_000);
    expect(decoded.isTruncated).toBe(false);
    expect(decoded.text === LONG).toBe(true);
  });

  test("also if the connection ends before the whole body is decoded", async () => {
    const body = gzipSync(padded(LIMIT), { level: 0 });

    const decoded = await readBody(
      respondAndEnd(httpResponse(body, "content-encoding: gzip\r\nconnection: close\r\n")),
    );

    expect(decoded.isTruncated).toBe(false);
    expect(decoded.text === padded(LIMIT)).toBe(true);
  });

  test.each(["identity", "gzip, unknown", "constructor", "__proto__", "gzip, gzip, gzip, gzip, gzip, gzip"])(
    "unless the coding is unknown, or there are too many: %s",
    async (coding) => {
      for (const body of [WORDS, WORDS.padEnd(20_000)]) {
        const decoded = await readBody(respondWith(httpResponse(body, `content-encoding: ${coding}\r\n`)));

        expect(decoded.text).toBe(body);
      }
    },
  );
});

const compressed = gzipSync(WORDS);
const long = gzipSync(LONG);
const GZIP = "content-encoding: gzip\r\n";

describe("a broken body fails the call", () => {
  test.each<[string, string | Buffer]>([
    ["an invalid chunk length", `${chunked('{"id":1}')}x\r\n`],
    ["text that is not gzip", httpResponse(WORDS, GZIP)],
    ["a long text that is not gzip", httpResponse(LONG, GZIP)],
  ])("%s", async (_what, response) => {
    const { baseUrl, open } = await startRaw(respondAndEnd(response));

    const result = await trySend(baseUrl);

    expect(result).toMatchObject({ isSent: true, headersReceived: true, response: undefined });
    expect(result.error).toBeInstanceOf(Error);
    await expect.poll(open).toBe(0);
  });
});

describe("a complete body with incomplete compressed data is decoded as far as possible", () => {
  test.each<[string, Buffer, string]>([
    ["gzip", compressed.subarray(0, -9), WORDS],
    ["gzip", long.subarray(0, -9), LONG],
    ["deflate", deflateSync(WORDS).subarray(0, -5), WORDS],
    ["br", brotliCompressSync(WORDS).subarray(0, -3), WORDS],
    ["br", brotliCompressSync(LONG).subarray(0, -3), LONG],
  ])("%s", async (coding, body, whole) => {
    const { text } = await readBody(respondWith(httpResponse(body, `content-encoding: ${coding}\r\n`)));

    expect(text.length).toBeGreaterThan(10);
    expect(whole.startsWith(text)).toBe(true);
  });
});

describe("of compressed data that is damaged, what was decoded before is kept, and the call fails", () => {
  /** With another byte at a place; a negative one counts from the end. */
  const damaged = (body: Buffer, at: number) => {
    const copy = Buffer.from(body);
    const place = (copy.length + at) % copy.length;
    copy[place] = (copy[place] ?? 0) ^ 255;
    return copy;
  };

  test.each<[string, Buffer]>([
    ["a wrong checksum", damaged(long, -6)],
    ["a wrong byte inside", damaged(long, -9_000)],
    ["more data after the end", Buffer.concat([long, Buffer.from("more")])],
  ])("%s", async (_how, body) => {
    const { baseUrl } = await startRaw(respondWith(httpResponse(body, GZIP)));

    const { partialText = "", error } = await trySend(baseUrl);

    expect(partialText.length).toBeGreaterThan(10_000);
    expect(LONG.startsWith(partialText.slice(0, 10_000))).toBe(true);
    expect(error).toBeInstanceOf(Error);
  });
});

describe("a body that is cut off before its end is never treated as complete", () => {
  const body = '{"data":{"id":4021}}';

  test.each<[string, Buffer]>([
    ["with a length", httpResponse(body)],
    ["chunked", Buffer.concat([chunked(body.slice(0, 9), body.slice(9)), Buffer.from(LAST_CHUNK)])],
    ["compressed", httpResponse(gzipSync(body), "content-encoding: gzip\r\n")],
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

describe("of a body that is cut off, what was received is kept", () => {
  const RECEIVED = '{"data":{"id":4021}}';
  const head = "HTTP/1.1 201 Created\r\n";

  test.each<[string, OnSocket, string]>([
    ["with a length", respondAndEnd(`${head}content-length: 99\r\n\r\n${RECEIVED}`), RECEIVED],
    ["chunked", respondAndEnd(chunked(RECEIVED)), RECEIVED],
    [
      "with an invalid chunk after it",
      respondAndEnd(Buffer.concat([chunked(RECEIVED), Buffer.from("x")])),
      RECEIVED,
    ],
    ["compressed", respondAndEnd(`${head}${GZIP}content-length: 999\r\n\r\n`, gzipSync(RECEIVED)), RECEIVED],
    ["compressed and long", respondAndEnd(`${head}${GZIP}content-length: 9999999\r\n\r\n`, long), LONG],
  ])("%s", async (_how, onSocket, text) => {
    const { baseUrl, open } = await startRaw(onSocket);

    const { partialText, error } = await trySend(baseUrl);

    expect(partialText === text).toBe(true);
    expect(error).toBeInstanceOf(Error);
    await expect.poll(open).toBe(0);
  });
});

test("a body without a length ends with its connection", async () => {
  const decoded = await readBody(respondAndEnd("HTTP/1.1 200 OK\r\n\r\n", '{"id":', "1}"));

  expect(decoded).toEqual({ text: '{"id":1}', isTruncated: false });
});

/** Writes bytes as long as the client reads. */
const endless =
  (head: string, piece: Buffer): OnSocket =>
  (socket) => {
    const writeMore = () => {
      while (!socket.destroyed && socket.write(piece));
    };
    socket.once("data", () => {
      socket.on("drain", writeMore);
      socket.write(head);
      writeMore();
    });
  };

describe("a body is read up to 5 MB after decoding, and no further", () => {
  test.each<[string, OnSocket]>([
    ["highly compressed", respondWith(httpResponse(gzipSync(padded(2 * LIMIT)), GZIP))],
    [
      "compressed with brotli",
      respondWith(httpResponse(brotliCompressSync(padded(2 * LIMIT)), "content-encoding: br\r\n")),
    ],
    [
      "compressed twice",
      respondWith(httpResponse(gzipSync(gzipSync(padded(2 * LIMIT))), "content-encoding: gzip, gzip\r\n")),
    ],
  ])("a longer body is truncated: %s", async (_how, onSocket) => {
    const { text, isTruncated } = await readBody(onSocket);

    expect(isTruncated).toBe(true);
    expect(text.slice(0, START.length)).toBe(START);
    expect(text.length).toBeGreaterThan(LIMIT - 70_000);
    expect(text.length).toBeLessThanOrEqual(LIMIT);
  });

  test("the connection of an endless body is closed", async () => {
    const head = `HTTP/1.1 200 OK\r\n${GZIP}\r\n`;
    const { baseUrl, open } = await startRaw(endless(head, gzipSync(padded(50_000), { level: 0 })));

    expect((await responseFrom(baseUrl)).isTruncated).toBe(true);
    await expect.poll(open).toBe(0);
  });

  test("an incomplete character at the limit is removed", async () => {
    const { text, isTruncated } = await readBody(respondWith(httpResponse(`${"x".repeat(LIMIT - 1)}ção`)));

    expect(isTruncated).toBe(true);
    expect(text).toHaveLength(LIMIT - 1);
  });
});
