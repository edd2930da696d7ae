import { createGateway, type GatewayOptions } from "payments-sdk/sandbox";
import { describe, expect, test } from "vitest";
import { aGuidePix, bodyOf, merchantOf } from "../support/wire.ts";

async function pixOf(amount: number, company: NonNullable<GatewayOptions["company"]> = {}) {
  const limits = { transactionMinAmount: 1, transactionMaxAmount: 9_999_999_999 };
  const { create } = merchantOf(createGateway({ company: { ...company, limits } }));
  const { data } = await bodyOf(await create(aGuidePix({ amount })));
  return data.pix as { qrcode: string; qrcodeText: string };
}

/** Parses tag, length and value by the EMV rules only. */
function fieldsIn(code: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (let at = 0; at < code.length; ) {
    const length = Number(code.slice(at + 2, at + 4));
    fields.set(code.slice(at, at + 2), code.slice(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return fields;
}

/** The example of a BR Code in the manual of the central bank, with its CRC. */
const MANUAL =
  "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal" +
  "6008BRASILIA62070503***63041D3D";

/** CRC-16/CCITT-FALSE by polynomial division, bit by bit. */
function crcOf(code: string): string {
  const bits = Array.from(code, (char) => char.charCodeAt(0).toString(2).padStart(8, "0")).join("");
  let rest = 0xffff;
  for (const bit of bits) rest = ((rest << 1) & 0xffff) ^ ((rest >> 15) ^ Number(bit) ? 0x1021 : 0);
  return rest.toString(16).toUpperCase().padStart(4, "0");
}

describe("the code", () => {
  test("is a dynamic BR Code: ordered EMV fields, an amount in reais, and a CRC at the end", async () => {
    const { qrcodeText } = await pixOf(1990, { name: "Loja Exemplo Ltda" });

    const fields = fieldsIn(qrcodeText);
    expect([...fields.keys()]).toEqual(["00", "01", "26", "52", "53", "54", "58", "59", "60", "62", "63"]);
    expect(Object.fromEntries(fields)).toMatchObject({
      ...{ "00": "01", "52": "0000", "53": "986", "58": "BR", "59": "Loja Exemplo Ltda", "60": "SAO PAULO" },
      "63": crcOf(qrcodeText.slice(0, -4)),
    });
    expect(crcOf(MANUAL.slice(0, -4))).toBe(MANUAL.slice(-4));
  });

  test.each([
    [1, "0.01"],
    [10, "0.10"],
    [1990, "19.90"],
    [9_999_999_999, "99999999.99"],
  ])("of %i cents contains %s", async (amount, decimal) => {
    expect(fieldsIn((await pixOf(amount)).qrcodeText).get("54")).toBe(decimal);
  });

  test("has a unique location without scheme, at most 77 characters long, and *** as txid", async () => {
    const [code, other] = [await pixOf(100), await pixOf(100)];
    const fields = fieldsIn(code.qrcodeText);

    const account = fieldsIn(fields.get("26") ?? "");

    expect(fields.get("01")).toBe("12"); // can be paid once
    expect(account.get("00")).toBe("br.gov.bcb.pix");
    expect(account.get("25")).toMatch(/^[\w.-]+\.test\/[\w/]+$/); // a host that can never exist
    expect(account.get("25")?.length).toBeLessThanOrEqual(77);
    expect(fieldsIn(fields.get("62") ?? "").get("05")).toBe("***");
    expect(other.qrcodeText).not.toBe(code.qrcodeText);
  });

  test.each([
    ["Padaria São João", "Padaria Sao Joao"],
    ["A very long name of a company with limited liability", "A very long name of a com"],
    ["Twenty-four characters.. and", "Twenty-four characters.."], // no trailing space
    ["日本 🙂", "SANDBOX"], // no ASCII characters
  ])("names the merchant %j as %j", async (name, expected) => {
    const { qrcodeText } = await pixOf(100, { name });

    expect(qrcodeText).toMatch(/^[ -~]{1,512}$/);
    expect(fieldsIn(qrcodeText).get("59")).toBe(expected);
  });
});
