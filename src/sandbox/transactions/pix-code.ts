import { correction, generate } from "lean-qr";

export interface PixCodeContent {
  /** Cents. */
  readonly amount: number;
  /** Any text; it is reduced to 25 ASCII characters. */
  readonly merchantName: string;
  /** Where a bank would fetch the charge, without `https://`; at most 77 characters. */
  readonly location: string;
}

/** A BR Code must name a city, but the company of the specification has no address. */
const CITY = "SAO PAULO";

/**
 * Creates the code of one charge: a dynamic BR Code, which is EMV tag-length-value with a CRC at the end, far
 * below the allowed 512 characters. A dynamic code has `***` instead of a txid, because the txid is part of the
 * charge that the bank fetches.
 *
 * Spec: "Transaction (`data`)", `pix.qrcodeText`. The format is defined in the central bank's manual.
 */
export function createPixCode({ amount, merchantName, location }: PixCodeContent): string {
  const code = [
    field("00", "01"),
    field("01", "12"), // can be paid once
    field("26", field("00", "br.gov.bcb.pix") + field("25", location)),
    field("52", "0000"),
    field("53", "986"), // BRL
    field("54", toDecimal(amount)),
    field("58", "BR"),
    field("59", toAscii(merchantName, 25) || "SANDBOX"),
    field("60", CITY),
    field("62", field("05", "***")),
    "6304", // the CRC covers its own tag and length
  ].join("");
  return code + crc16(code);
}

function field(tag: string, value: string): string {
  return `${tag}${String(value.length).padStart(2, "0")}${value}`;
}

/** Converts cents to `12.34` without float arithmetic. */
function toDecimal(cents: number): string {
  const digits = String(cents).padStart(3, "0");
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Removes accents and everything else that is not printable ASCII. */
function toAscii(value: string, length: number): string {
  return value
    .normalize("NFD")
    .replace(/[^ -~]/g, "")
    .trim()
    .slice(0, length)
    .trim();
}

/** CRC-16/CCITT-FALSE of an ASCII text, as four upper-case hexadecimal digits. */
function crc16(value: string): string {
  let crc = 0xffff;
  for (const character of value) {
    crc ^= character.charCodeAt(0) << 8;
    for (let bit = 0; bit < 8; bit += 1) {
      crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1;
    }
    crc &= 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, "0");
}

/** Width of one module in pixels, large enough for a phone camera to read from a screen. */
const SCALE = 4;

/** Width of the white border in modules, as ISO/IEC 18004 requires. */
const QUIET_ZONE = 4;

/**
 * Creates a QR code: a black and white PNG image, as a data URI.
 *
 * Spec: "Transaction (`data`)", `pix.qrcode`.
 */
export function toQrDataUri(text: string): string {
  const code = generate(text, { minCorrectionLevel: correction.M });
  const modules = code.size + 2 * QUIET_ZONE;
  const png = encodePng(modules, (x, y) => code.get(x - QUIET_ZONE, y - QUIET_ZONE));
  return `data:image/png;base64,${btoa(String.fromCharCode(...png))}`;
}

type IsBlack = (x: number, y: number) => boolean;

/** A square image with one bit per pixel. Hand-written, because PNG libraries need `zlib`, which only Node has. */
function encodePng(modules: number, isBlack: IsBlack): Uint8Array {
  const side = toBigEndian(modules * SCALE);
  const options = Uint8Array.of(1, 0, 0, 0, 0); // bit depth 1, grayscale
  return concat([
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    chunk("IHDR", concat([side, side, options])),
    chunk("IDAT", storeInZlibFormat(bitmap(modules, isBlack))),
    chunk("IEND", new Uint8Array()),
  ]);
}

/** Rows of packed bits, 1 for white. Each row starts with a byte that means "no filter". */
function bitmap(modules: number, isBlack: IsBlack): Uint8Array {
  const side = modules * SCALE;
  const rowLength = 1 + Math.ceil(side / 8);
  const rows = new Uint8Array(rowLength * side);
  for (let y = 0; y < modules; y += 1) {
    const start = y * SCALE * rowLength;
    for (let x = 0; x < side; x += 1) {
      const at = start + 1 + (x >> 3);
      if (!isBlack(Math.floor(x / SCALE), y)) rows[at] = (rows[at] ?? 0) | (0x80 >> (x & 7));
    }
    for (let copy = 1; copy < SCALE; copy += 1) {
      rows.copyWithin(start + copy * rowLength, start, start + rowLength);
    }
  }
  return rows;
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const body = concat([new TextEncoder().encode(type), data]);
  return concat([toBigEndian(data.length), body, toBigEndian(crc32(body))]);
}

function toBigEndian(value: number): Uint8Array {
  return Uint8Array.from([24, 16, 8, 0], (shift) => value >>> shift);
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

/**
 * One uncompressed block, without waiting for a `CompressionStream`: an image of a pix code has a tenth of the 65,535 bytes
 * that fit. RFC 1951, section 3.2.4.
 */
function storeInZlibFormat(bytes: Uint8Array): Uint8Array {
  const { length } = bytes;
  let sum = 1; // Adler-32
  let sums = 0;
  for (const byte of bytes) {
    sum = (sum + byte) % 65_521;
    sums = (sums + sum) % 65_521;
  }
  const head = [0x78, 0x01, 1, length, length >> 8, ~length, ~length >> 8];
  return Uint8Array.from([...head, ...bytes, sums >> 8, sums, sum >> 8, sum]);
}

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc >>> 0;
}
