import type { Transform } from "node:stream";
import zlib, { brotliCompressSync, gzipSync } from "node:zlib";
import { describe, expect, test, vi } from "vitest";
import { answerOf } from "./support/direct.ts";
import { answer, type OnSocket, saying, startRaw } from "./support/raw-server.ts";

/** Our limit: bytes of an answer that are read. */
const LIMIT = 5_000_000;
const GZIP = "content-encoding: gzip\r\n";
const START = '{"id":4021,"pad":"';
const padded = (length: number) => START + "x".repeat(length - START.length);

async function textOf(onSocket: OnSocket) {
  const { baseUrl } = await startRaw(onSocket);
  const { text, cut } = await answerOf(baseUrl);
  return { text, cut };
}

/** Pours bytes for as long as somebody reads. */
const endless =
  (head: string, piece: Buffer): OnSocket =>
  (socket) => {
    const pour = () => {
      while (!socket.destroyed && socket.write(piece));
    };
    socket.once("data", () => {
      socket.on("drain", pour);
      socket.write(head);
      pour();
    });
  };

describe("a body is read up to 5 MB, unpacked, and no further", () => {
  test.each<[string, OnSocket]>([
    ["packed", saying(answer(gzipSync(padded(LIMIT)), GZIP))],
    ["packed, and long", saying(answer(gzipSync(padded(LIMIT), { level: 0 }), GZIP))],
  ])("one of that length is whole: %s", async (_how, onSocket) => {
    const got = await textOf(onSocket);

    expect(got.cut).toBe(false);
    expect(got.text === padded(LIMIT)).toBe(true);
  });

  test.each<[string, OnSocket]>([
    ["packed small", saying(answer(gzipSync(padded(2 * LIMIT)), GZIP))],
    ["packed in brotli", saying(answer(brotliCompressSync(padded(2 * LIMIT)), "content-encoding: br\r\n"))],
    [
      "packed twice",
      saying(answer(gzipSync(gzipSync(padded(2 * LIMIT))), "content-encoding: gzip, gzip\r\n")),
    ],
  ])("a longer one is cut: %s", async (_how, onSocket) => {
    const { text, cut } = await textOf(onSocket);

    expect(cut).toBe(true);
    expect(text.slice(0, START.length)).toBe(START);
    expect(text.length).toBeGreaterThan(LIMIT - 70_000);
    expect(text.length).toBeLessThanOrEqual(LIMIT);
  });

  test.each<[string, OnSocket]>([
    ["packed", endless(`HTTP/1.1 200 OK\r\n${GZIP}\r\n`, gzipSync(padded(50_000), { level: 0 }))],
  ])("the connection of one that never ends is ended: %s", async (_how, onSocket) => {
    const { baseUrl, open } = await startRaw(onSocket);

    const { cut } = await answerOf(baseUrl);

    expect(cut).toBe(true);
    await expect.poll(open).toBe(0);
  });

  test("what cannot be unpacked as fast as it comes waits in the network, not in memory", async () => {
    const made = vi.spyOn(zlib, "createGunzip");
    const send = answerOf(
      (await startRaw(saying(answer(gzipSync(padded(LIMIT), { level: 0 }), GZIP)))).baseUrl,
    );
    await expect.poll(() => made.mock.results.length, { interval: 1 }).toBe(1);
    const decoder: Transform = made.mock.results[0]?.value;
    const held: number[] = [];
    decoder.on("data", () => held.push(decoder.writableLength));

    const { text } = await send;

    expect(text === padded(LIMIT)).toBe(true);
    expect(Math.max(...held)).toBeLessThan(500_000);
  });

  test("half a letter at the limit is left out", async () => {
    const { text, cut } = await textOf(saying(answer(`${"x".repeat(LIMIT - 1)}ção`)));

    expect(cut).toBe(true);
    expect(text).toHaveLength(LIMIT - 1);
  });
});
