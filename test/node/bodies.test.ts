import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { answerOf, directSend, endingOf } from "./support/direct.ts";
import { answer, chunked, type OnSocket, saying, sayingAndEnding, startRaw } from "./support/raw-server.ts";

/** Our limit: bytes of an answer that are read. */
const LIMIT = 5_000_000;

const LAST_CHUNK = "0\r\n\r\n";

async function textOf(onSocket: OnSocket) {
  const { baseUrl } = await startRaw(onSocket);
  const { text, cut } = await answerOf(baseUrl);
  return { text, cut };
}

describe("a body is text in UTF-8, as TextDecoder reads it", () => {
  test.each<[string, readonly number[], string]>([
    ["a mark of the byte order is left out", [0xef, 0xbb, 0xbf, 0x7b], "{"],
    ["a second one is not", [0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf], "\u{feff}"],
    ["a byte that is none", [0x61, 0xff, 0x62], "a\u{fffd}b"],
    ["a letter that lacks its end", [0x61, 0xe2, 0x82], "a\u{fffd}"],
    ["nothing", [], ""],
  ])("%s", async (_what, bytes, text) => {
    const got = await textOf(saying(answer(Buffer.from(bytes))));

    expect(got).toEqual({ text, cut: false });
  });

  test("a letter may be cut by a chunk", async () => {
    const bytes = Buffer.from("ação");

    const got = await textOf(saying(chunked(bytes.subarray(0, 2), bytes.subarray(2)), LAST_CHUNK));

    expect(got.text).toBe("ação");
  });
});

const START = '{"id":4021,"pad":"';
const padded = (length: number) => START + "x".repeat(length - START.length);
const WORDS = JSON.stringify({ id: 4021, what: "ação".repeat(50) });
const LONG = JSON.stringify(Array.from({ length: 40_000 }, (_, place) => (place * 7_919) % 10_007));

describe("a packed body is unpacked", () => {
  test.each<[string, Buffer]>([
    ["gzip", gzipSync(WORDS)],
    ["x-gzip", gzipSync(WORDS)],
    ["br", brotliCompressSync(WORDS)],
    ["deflate", deflateSync(WORDS)],
    ["deflate", deflateRawSync(WORDS)], // without the header that HTTP asks for
    ["gzip, br", brotliCompressSync(gzipSync(WORDS))],
    ["br ,\tgzip", gzipSync(brotliCompressSync(WORDS))],
  ])("%s", async (coding, body) => {
    const got = await textOf(saying(answer(body, `content-encoding: ${coding}\r\n`)));

    expect(got).toEqual({ text: WORDS, cut: false });
  });

  test("two headers count as one", async () => {
    const body = brotliCompressSync(gzipSync(WORDS));

    const got = await textOf(saying(answer(body, "content-encoding: gzip\r\ncontent-encoding: br\r\n")));

    expect(got.text).toBe(WORDS);
  });

  test.each<[string, Buffer]>([
    ["gzip", gzipSync(LONG)],
    ["br", brotliCompressSync(LONG)],
    ["deflate", deflateSync(LONG)],
    ["deflate", deflateRawSync(LONG)],
    ["gzip, br", brotliCompressSync(gzipSync(LONG))],
  ])("%s, as it comes where it is long", async (coding, body) => {
    const got = await textOf(saying(answer(body, `content-encoding: ${coding}\r\n`)));

    expect(body.length).toBeGreaterThan(20_000);
    expect(got.cut).toBe(false);
    expect(got.text === LONG).toBe(true);
  });

  test("and read to its end, where its connection ends before it could be", async () => {
    const body = gzipSync(padded(LIMIT), { level: 0 });

    const got = await textOf(
      sayingAndEnding(answer(body, "content-encoding: gzip\r\nconnection: close\r\n")),
    );

    expect(got.cut).toBe(false);
    expect(got.text === padded(LIMIT)).toBe(true);
  });

  test.each(["identity", "gzip, unknown", "constructor", "__proto__"])(
    "unless nobody knows how: %s",
    async (coding) => {
      for (const body of [WORDS, WORDS.padEnd(20_000)]) {
        const got = await textOf(saying(answer(body, `content-encoding: ${coding}\r\n`)));

        expect(got.text).toBe(body);
      }
    },
  );
});

const packed = gzipSync(WORDS);
const long = gzipSync(LONG);
const GZIP = "content-encoding: gzip\r\n";
const PACKED_SIX_TIMES = Array.from({ length: 6 }).reduce<Buffer>(
  (body) => gzipSync(body),
  Buffer.from(WORDS),
);

describe("a body that ends early breaks the call off", () => {
  test.each<[string, string | Buffer]>([
    ["a chunk whose length is none", `${chunked('{"id":1}')}x\r\n`],
    ["what is no gzip", answer(WORDS, GZIP)],
    ["a long text that is no gzip", answer(LONG, GZIP)],
    ["six codings", answer(PACKED_SIX_TIMES, "content-encoding: gzip, gzip, gzip, gzip, gzip, gzip\r\n")],
  ])("%s", async (_what, said) => {
    const { baseUrl, open } = await startRaw(sayingAndEnding(said));

    const ending = await endingOf(baseUrl);

    expect(ending).toMatchObject({ left: true, heard: true, answer: undefined });
    expect(ending.error).toBeInstanceOf(Error);
    await expect.poll(open).toBe(0);
  });
});

describe("a packed body that came whole and lacks its own end is unpacked as far as it goes", () => {
  test.each<[string, Buffer, string]>([
    ["gzip", packed.subarray(0, -9), WORDS],
    ["gzip", long.subarray(0, -9), LONG],
    ["deflate", deflateSync(WORDS).subarray(0, -5), WORDS],
    ["br", brotliCompressSync(WORDS).subarray(0, -3), WORDS],
    ["br", brotliCompressSync(LONG).subarray(0, -3), LONG],
  ])("%s", async (coding, body, whole) => {
    const { text } = await textOf(saying(answer(body, `content-encoding: ${coding}\r\n`)));

    expect(text.length).toBeGreaterThan(10);
    expect(whole.startsWith(text)).toBe(true);
  });
});

describe("a body that is cut off anywhere before its end is never taken for whole", () => {
  const body = '{"data":{"id":4021}}';

  test.each<[string, Buffer]>([
    ["with a length", answer(body)],
    ["in chunks", Buffer.concat([chunked(body.slice(0, 9), body.slice(9)), Buffer.from(LAST_CHUNK)])],
    ["packed", answer(gzipSync(body), "content-encoding: gzip\r\n")],
  ])("%s", async (_how, whole) => {
    let said = whole;
    const { baseUrl } = await startRaw((socket) => socket.once("data", () => socket.end(said)));
    const send = directSend();

    for (let length = 1; length < whole.length; length += 1) {
      said = whole.subarray(0, length);
      expect((await endingOf(baseUrl, { send })).answer).toBeUndefined();
    }
  });
});

test("an answer is read that has bytes behind it which nobody asked for", async () => {
  const got = await textOf(saying(Buffer.concat([answer(WORDS), Buffer.from("garbage")])));

  expect(got.text).toBe(WORDS);
});

test("a body without a length ends with its connection", async () => {
  const got = await textOf(sayingAndEnding("HTTP/1.1 200 OK\r\n\r\n", '{"id":', "1}"));

  expect(got).toEqual({ text: '{"id":1}', cut: false });
});
