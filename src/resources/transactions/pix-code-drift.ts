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
export function findCodeDrift(received: string, cents: number): string[] {
  if (!PIX_CODE.test(received)) return [];
  const code = received.trimEnd();
  const isWhole =
    code.slice(-8, -4) === "6304" && Number(`0x${code.slice(-4)}`) === computeCrc(code.slice(0, -4));
  const problems = isWhole ? [] : ["has no valid CRC"];
  const fields = parseCode(code) ?? parseCode(toByteText(code));
  if (fields === undefined) return problems;
  const amount = fields.get("54");
  if (fields.get("53") !== BRL) problems.push("is not in BRL");
  if (amount !== undefined && !isAmount(amount, cents)) problems.push("has another amount");
  return problems;
}

function isAmount(reais: string, cents: number): boolean {
  return /^\d+(\.\d{1,2})?$/.test(reais) && Math.round(Number(reais) * 100) === cents;
}

/** One character for each byte of the text in UTF-8. */
function toByteText(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
}

/** The values by tag; `undefined` if the lengths do not add up. */
function parseCode(code: string): Map<string, string> | undefined {
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

/** CRC-16/CCITT-FALSE of the text in UTF-8. */
function computeCrc(text: string): number {
  let crc = 0xffff;
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1;
  }
  return crc & 0xffff;
}
