import type { Drift } from "../../data/json.ts";

/** How a pix code begins: EMV payload format indicator, version 01. */
export const PIX_CODE = /^000201/;

/** ISO 4217: Brazilian real. */
const BRL = "986";

/**
 * What is wrong with the content of a pix code, without the code. A text in another format is not checked, and neither
 * are the currency and the amount if the fields cannot be read. Lengths count characters, or the bytes of UTF-8. Takes
 * linear time.
 *
 * Spec: "`data.pix`", `qrcodeText`. The format is defined in the central bank's manual: fields of tag, length and value,
 * the last of which is a CRC-16.
 *
 * @param received - White space at its end is ignored.
 * @param cents - The amount of the transaction. A code may have none.
 */
export function findCodeDrift(received: string, cents: number): Drift[] {
  if (!PIX_CODE.test(received)) return [];
  const code = received.trimEnd();
  const bytes = new TextEncoder().encode(code);
  const problems: string[] = [];
  const crc = code.slice(-8, -4) === "6304" ? Number(`0x${code.slice(-4)}`) : Number.NaN;
  if (crc !== computeCrc(bytes.subarray(0, -4))) problems.push("has no valid CRC");
  const fields = parseFields(code) ?? parseFields(new TextDecoder("latin1").decode(bytes));
  const amount = fields?.get("54");
  if (fields !== undefined && fields.get("53") !== BRL) problems.push("is not in BRL");
  const isAmount =
    amount === undefined || (/^\d+(\.\d{1,2})?$/.test(amount) && Math.round(Number(amount) * 100) === cents);
  if (!isAmount) problems.push("has another amount");
  return problems.map((message) => ({ field: "data.pix.qrcodeText", message }));
}

/** The values by tag; `undefined` if the lengths do not add up. */
function parseFields(code: string): Map<string, string> | undefined {
  const fields = new Map<string, string>();
  let at = 0;
  while (at < code.length) {
    const length = code.slice(at + 2, at + 4);
    if (!/^\d\d$/.test(length)) return undefined;
    const end = at + 4 + Number(length);
    fields.set(code.slice(at, at + 2), code.slice(at + 4, end));
    at = end;
  }
  return at === code.length ? fields : undefined;
}

/** CRC-16/CCITT-FALSE. */
function computeCrc(bytes: Uint8Array): number {
  let crc = 0xffff;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1;
  }
  return crc & 0xffff;
}
