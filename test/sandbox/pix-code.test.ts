import { Buffer } from "node:buffer";
import fc from "fast-check";
import jsqr from "jsqr";
import { createGateway, type GatewayOptions } from "payments-sdk/sandbox";
import { hasError, PixElementType, parsePix } from "pix-utils";
import { PNG } from "pngjs";
import { describe, expect, test } from "vitest";
import { aGuidePix, bodyOf, merchantOf } from "./support/wire.ts";

async function pixOf(amount: number, company: NonNullable<GatewayOptions["company"]> = {}) {
  const limits = { transactionMinAmount: 1, transactionMaxAmount: 9_999_999_999 };
  const { create } = merchantOf(createGateway({ company: { ...company, limits } }));
  const { data } = await bodyOf(await create(aGuidePix({ amount })));
  return data.pix as { qrcode: string; qrcodeText: string };
}

/** Tag, length, value: read apart by the rule of EMV alone. */
function fieldsIn(code: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (let at = 0; at < code.length; ) {
    const length = Number(code.slice(at + 2, at + 4));
    fields.set(code.slice(at, at + 2), code.slice(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return fields;
}

function pixelsOf(dataUri: string): PNG {
  return PNG.sync.read(Buffer.from(dataUri.replace("data:image/png;base64,", ""), "base64"), {
    checkCRC: true,
  });
}

test("a parser of someone else's finds a valid dynamic pix code", async () => {
  const { qrcodeText } = await pixOf(1990, { name: "Loja Exemplo Ltda" });

  const parsed = parsePix(qrcodeText);

  if (hasError(parsed)) throw new Error(parsed.message);
  expect(parsed).toMatchObject({
    type: PixElementType.DYNAMIC,
    merchantName: "Loja Exemplo Ltda",
    merchantCity: "SAO PAULO",
    transactionCurrency: "986",
    countryCode: "BR",
  });
});

test("that parser does see a wrong CRC", async () => {
  const { qrcodeText } = await pixOf(1990);
  const spoilt = qrcodeText.replace("SAO PAULO", "SAO PAULA");

  const parsed = parsePix(spoilt);

  expect(hasError(parsed)).toBe(true);
});

test.each([
  [1, "0.01"],
  [10, "0.10"],
  [100, "1.00"],
  [1990, "19.90"],
  [9_999_999_999, "99999999.99"],
])("the code of %i cents says %s", async (amount, decimal) => {
  const { qrcodeText } = await pixOf(amount);

  const fields = fieldsIn(qrcodeText);

  expect(fields.get("54")).toBe(decimal);
  expect(fields.get("53")).toBe("986");
});

test("a dynamic code has a location without scheme, at most 77 characters, and *** for a txid", async () => {
  const fields = fieldsIn((await pixOf(100)).qrcodeText);

  const account = fieldsIn(fields.get("26") ?? "");

  expect(fields.get("01")).toBe("12"); // may be paid once
  expect(account.get("00")).toBe("br.gov.bcb.pix");
  expect(account.get("25")).toMatch(/^[\w.-]+\.test\/[\w/]+$/); // a host that can never exist
  expect(account.get("25")?.length).toBeLessThanOrEqual(77);
  expect(fieldsIn(fields.get("62") ?? "").get("05")).toBe("***");
});

test("two codes differ", async () => {
  const codes = [await pixOf(100), await pixOf(100)].map(({ qrcodeText }) => qrcodeText);

  expect(codes[0]).not.toBe(codes[1]);
});

describe("the merchant's name", () => {
  test.each([
    ["Padaria São João", "Padaria Sao Joao"],
    ["A very long name of a company with limited liability", "A very long name of a com"],
    ["Twenty-four characters.. and", "Twenty-four characters.."], // no space at the end
    ["日本", "SANDBOX"], // nothing of it is ASCII
  ])("%j stands as %j", async (name, expected) => {
    const { qrcodeText } = await pixOf(100, { name });

    expect(fieldsIn(qrcodeText).get("59")).toBe(expected);
  });

  test("any name gives a code of ASCII, at most 512 characters, that is read back from its picture", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: "grapheme", maxLength: 60 }),
        fc.integer({ min: 1, max: 9_999_999_999 }),
        async (name, amount) => {
          const { qrcode, qrcodeText } = await pixOf(amount, { name });

          const { data, width, height } = pixelsOf(qrcode);
          const read = jsqr.default(new Uint8ClampedArray(data), width, height);

          expect(qrcodeText).toMatch(/^[ -~]{1,512}$/);
          expect(hasError(parsePix(qrcodeText))).toBe(false);
          expect(read?.data).toBe(qrcodeText);
        },
      ),
      { numRuns: 25 },
    );
  });
});

describe("the picture", () => {
  test("is a square PNG in black and white", async () => {
    const { data, width, height, ...png } = pixelsOf((await pixOf(1990)).qrcode);

    const colours = new Set(new Uint32Array(new Uint8Array(data).buffer));

    expect(width).toBe(height);
    expect(png).toMatchObject({ depth: 1, color: false });
    expect([...colours].sort()).toEqual([0xff000000, 0xffffffff]);
  });

  test("has a quiet zone of four modules on every side", async () => {
    const { data, width } = pixelsOf((await pixOf(1990)).qrcode);
    const isBlack = (x: number, y: number) => data[(y * width + x) * 4] === 0;
    const lines = Array.from({ length: width }, (_, at) => at);

    const blackRows = lines.filter((y) => lines.some((x) => isBlack(x, y)));
    const blackColumns = lines.filter((x) => lines.some((y) => isBlack(x, y)));

    expect([blackRows[0], blackColumns[0]]).toEqual([24, 24]); // four modules of six pixels
    expect([blackRows.at(-1), blackColumns.at(-1)]).toEqual([width - 25, width - 25]);
  });
});
