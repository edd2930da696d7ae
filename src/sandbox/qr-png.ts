import { correction, generate } from "lean-qr";
import { deflate } from "./deflate.ts";

/** Pixels a side of one module: wide enough for a telephone's camera to read it from a screen. */
const SCALE = 6;

/** Modules of white around the code, as ISO/IEC 18004 asks for. */
const QUIET_ZONE = 4;

/**
 * A text as the picture of a QR code: a PNG in black and white, as a data URI.
 *
 * Spec: "Transaction (`data`)", `pix.qrcode`.
 */
export async function qrDataUri(text: string): Promise<string> {
  const code = generate(text, { minCorrectionLevel: correction.M });
  const modules = code.size + 2 * QUIET_ZONE;
  const isBlack = (x: number, y: number) => code.get(x - QUIET_ZONE, y - QUIET_ZONE);

  const png = await encodePng(modules, isBlack);

  return `data:image/png;base64,${btoa(String.fromCharCode(...png))}`;
}

type IsBlack = (x: number, y: number) => boolean;

/** A square picture with one bit a pixel. Written by hand, because `zlib` exists in Node only. */
async function encodePng(modules: number, isBlack: IsBlack): Promise<Uint8Array> {
  const header = new Uint8Array(13); // width, height; then depth 1, greyscale, no options
  const view = new DataView(header.buffer);
  view.setUint32(0, modules * SCALE);
  view.setUint32(4, modules * SCALE);
  view.setUint8(8, 1);

  return concat([
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    chunk("IHDR", header),
    chunk("IDAT", await deflate(bitmap(modules, isBlack))),
    chunk("IEND", new Uint8Array()),
  ]);
}

/** Rows of packed bits, 1 for white, each behind a byte that says "no filter". */
function bitmap(modules: number, isBlack: IsBlack): Uint8Array<ArrayBuffer> {
  const side = modules * SCALE;
  const rowLength = 1 + Math.ceil(side / 8);
  const rows = new Uint8Array(rowLength * side);
  for (let y = 0; y < modules; y += 1) {
    const row = bitsOf(side, rowLength, (x) => isBlack(x, y));
    for (let copy = 0; copy < SCALE; copy += 1) rows.set(row, (y * SCALE + copy) * rowLength);
  }
  return rows;
}

function bitsOf(side: number, rowLength: number, isBlack: (x: number) => boolean): Uint8Array {
  const row = new Uint8Array(rowLength);
  for (let x = 0; x < side; x += 1) {
    const index = 1 + (x >> 3);
    if (!isBlack(Math.floor(x / SCALE))) row[index] = (row[index] ?? 0) | (0x80 >> (x & 7));
  }
  return row;
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const body = concat([new TextEncoder().encode(type), data]);
  return concat([bigEndian(data.length), body, bigEndian(crc32(body))]);
}

function bigEndian(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc >>> 0;
}
