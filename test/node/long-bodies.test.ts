import type { Transform } from "node:stream";
import zlib, { brotliCompressSync, gzipSync } from "node:zlib";
import { describe, expect, test, vi } from "vitest";
import { responseFrom } from "./support/direct-send.ts";
import { httpResponse, type OnSocket, respondWith, startRaw } from "./support/raw-server.ts";

/** Bytes of a response that are read. */
const LIMIT = 5_000_000;
const GZIP = "content-encoding: gzip\r\n";
const START = '{"id":4021,"pad":"';
const padded = (length: number) => START + "x".repeat(length - START.length);

async function textOf(onSocket: OnSocket) {
  const { baseUrl } = await startRaw(onSocket);
  const { text, cut } = await responseFrom(baseUrl);
  return { text, cut };
}

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
    ["compressed", respondWith(httpResponse(gzipSync(padded(LIMIT)), GZIP))],
    ["compressed, and long", respondWith(httpResponse(gzipSync(padded(LIMIT), { level: 0 }), GZIP))],
  ])("a body of that length is complete: %s", async (_how, onSocket) => {
    const decoded = await textOf(onSocket);

    expect(decoded.cut).toBe(false);
    expect(decoded.text === padded(LIMIT)).toBe(true);
  });

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
    const { text, cut } = await textOf(onSocket);

    expect(cut).toBe(true);
    expect(text.slice(0, START.length)).toBe(START);
    expect(text.length).toBeGreaterThan(LIMIT - 70_000);
    expect(text.length).toBeLessThanOrEqual(LIMIT);
  });

  test.each<[string, OnSocket]>([
    ["compressed", endless(`HTTP/1.1 200 OK\r\n${GZIP}\r\n`, gzipSync(padded(50_000), { level: 0 }))],
  ])("the connection of an endless body is closed: %s", async (_how, onSocket) => {
    const { baseUrl, open } = await startRaw(onSocket);

    const { cut } = await responseFrom(baseUrl);

    expect(cut).toBe(true);
    await expect.poll(open).toBe(0);
  });

  test("bytes that arrive faster than they are decoded wait in the network, not in memory", async () => {
    const created = vi.spyOn(zlib, "createGunzip");
    const send = responseFrom(
      (await startRaw(respondWith(httpResponse(gzipSync(padded(LIMIT), { level: 0 }), GZIP)))).baseUrl,
    );
    await expect.poll(() => created.mock.results.length, { interval: 1 }).toBe(1);
    const decoder: Transform = created.mock.results[0]?.value;
    const buffered: number[] = [];
    decoder.on("data", () => buffered.push(decoder.writableLength));

    const { text } = await send;

    expect(text === padded(LIMIT)).toBe(true);
    expect(Math.max(...buffered)).toBeLessThan(500_000);
  });

  test("an incomplete character at the limit is removed", async () => {
    const { text, cut } = await textOf(respondWith(httpResponse(`${"x".repeat(LIMIT - 1)}ção`)));

    expect(cut).toBe(true);
    expect(text).toHaveLength(LIMIT - 1);
  });
});
