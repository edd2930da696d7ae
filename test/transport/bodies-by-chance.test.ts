import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { answerOf, directSend } from "./support/direct.ts";
import { startRaw } from "./support/raw-server.ts";

const PACKERS = {
  "": (bytes: Buffer) => bytes,
  gzip: (bytes: Buffer) => gzipSync(bytes),
  br: (bytes: Buffer) => brotliCompressSync(bytes),
  deflate: (bytes: Buffer) => deflateSync(bytes),
} as const;

/** Bytes that are almost text, so that decoding has something to decide. */
const almostText = fc
  .array(
    fc.oneof(
      fc.string({ unit: "binary" }).map((text) => Buffer.from(text)),
      fc
        .constantFrom(...["efbbbf", "c3", "e282", "f09f98", "eda080", "ff", "80"])
        .map((hex) => Buffer.from(hex, "hex")),
    ),
    { maxLength: 12 },
  )
  .map((parts) => Buffer.concat(parts));

/** Where a body is cut into writes, as fractions of its length. */
const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 5 });

function piecesOf(bytes: Buffer, fractions: readonly number[]): Buffer[] {
  const places = fractions.map((fraction) => Math.floor(fraction * bytes.length)).toSorted((a, b) => a - b);
  return [0, ...places].map((from, index) => bytes.subarray(from, places[index] ?? bytes.length));
}

function chunksOf(pieces: readonly Buffer[]): Buffer[] {
  const sized = pieces.filter((piece) => piece.length > 0);
  return [
    ...sized.map((piece) =>
      Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from("\r\n")]),
    ),
    Buffer.from("0\r\n\r\n"),
  ];
}

test("however a body is packed and cut into pieces, it reads as TextDecoder reads it, over one connection", async () => {
  let next: readonly Buffer[] = [];
  const { baseUrl, received } = await startRaw((socket) => {
    socket.on("data", async () => {
      for (const piece of next) {
        socket.write(piece);
        await new Promise((resolve) => setImmediate(resolve));
      }
    });
  });
  const send = directSend();
  const coding = fc.constantFrom<keyof typeof PACKERS>("", "gzip", "br", "deflate");

  await fc.assert(
    fc.asyncProperty(almostText, coding, cuts, fc.boolean(), async (bytes, packing, fractions, inChunks) => {
      const packed = PACKERS[packing](bytes);
      const pieces = piecesOf(packed, fractions);
      const headers = packing === "" ? "" : `content-encoding: ${packing}\r\n`;
      const length = inChunks ? "transfer-encoding: chunked" : `content-length: ${packed.length}`;
      const head = Buffer.from(`HTTP/1.1 200 OK\r\n${headers}${length}\r\n\r\n`);
      next = [head, ...(inChunks ? chunksOf(pieces) : pieces)];

      const { text, cut } = await answerOf(baseUrl, { send });

      expect(cut).toBe(false);
      expect(text).toBe(new TextDecoder().decode(bytes));
    }),
    { numRuns: 60 },
  );
  expect(received).toHaveLength(1);
});

test("a body that is cut off anywhere before its end is never taken for whole", async () => {
  let said = Buffer.alloc(0);
  const { baseUrl } = await startRaw((socket) => {
    socket.once("data", () => socket.end(said));
  });
  const send = directSend();
  const coding = fc.constantFrom<keyof typeof PACKERS>("", "gzip", "br", "deflate");
  const fraction = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

  await fc.assert(
    fc.asyncProperty(coding, fraction, fc.boolean(), async (packing, kept, inChunks) => {
      const packed = PACKERS[packing](Buffer.from('{"success":true,"data":{"id":4021}}'));
      const headers = packing === "" ? "" : `content-encoding: ${packing}\r\n`;
      const length = inChunks ? "transfer-encoding: chunked" : `content-length: ${packed.length}`;
      const head = Buffer.from(`HTTP/1.1 200 OK\r\n${headers}${length}\r\n\r\n`);
      const whole = Buffer.concat([head, ...(inChunks ? chunksOf([packed]) : [packed])]);
      said = whole.subarray(0, Math.floor(kept * whole.length));

      await expect(answerOf(baseUrl, { send })).rejects.toThrow("expected to succeed");
    }),
    { numRuns: 40 },
  );
});
