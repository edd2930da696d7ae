/** The content of a pix code. */
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
