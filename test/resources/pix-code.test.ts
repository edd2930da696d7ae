import fc from "fast-check";
import { createGateway } from "payments-sdk/sandbox";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { findCodeDrift } from "../../src/resources/transactions/pix-code-drift.ts";
import { json } from "../support/http-server.ts";
import { aPix, eventsOf, merchantAt } from "../support/merchant.ts";
import { aPixData, envelope } from "../support/service-responses.ts";
import { startMerchant } from "../support/start-merchant.ts";

const CRC = "has no valid CRC";
const CURRENCY = "is not in BRL";
const AMOUNT = "has another amount";

const field = (tag: string, value: string, length = value.length) =>
  `${tag}${String(length).padStart(2, "0")}${value}`;

/** CRC-16/CCITT-FALSE of the bytes of a text in UTF-8: polynomial 0x1021, from 0xFFFF. */
function crcOf(text: string): string {
  let crc = 0xffff;
  for (const byte of Buffer.from(text)) {
    for (let bit = 7; bit >= 0; bit -= 1) {
      const isSet = (crc >> 15) ^ ((byte >> bit) & 1);
      crc = ((crc << 1) ^ (isSet ? 0x1021 : 0)) & 0xffff;
    }
  }
  return crc.toString(16).toUpperCase().padStart(4, "0");
}

/** Field 59, with a length in bytes of UTF-8 instead of characters. */
const IN_BYTES = field("59", "Açaí & Pão 🛒", 18);

const withCrc = (code: string) => `${code}6304${crcOf(`${code}6304`)}`;

interface Content {
  readonly templates?: string;
  readonly currency?: string;
  /** Field 54. */
  readonly amount?: string;
  /** Field 59. */
  readonly name?: string;
}

function aCode({
  templates,
  currency = field("53", "986"),
  amount,
  name = field("59", "Loja"),
}: Content = {}): string {
  const account = field("26", field("00", "br.gov.bcb.pix") + field("25", "pix.example/qr/v2/9d36b84f"));
  const sum = amount === undefined ? "" : field("54", amount);
  const fields = [templates ?? account, field("52", "0000"), currency, sum, field("58", "BR")];
  return withCrc(`000201010212${fields.join("")}${name}${field("60", "SAO PAULO")}6207${field("05", "***")}`);
}

async function driftOf(qrcodeText: string): Promise<string[]> {
  const { qrcode, expirationDate } = aPixData()["pix"] as Record<string, string>;
  const data = aPixData({ pix: { qrcode, qrcodeText, expirationDate } });
  const { payments, events } = await startMerchant(json(201, envelope(data)));
  const transaction = await payments.transactions.createPix(aPix());
  expect(transaction.pix.qrcodeText).toBe(qrcodeText);
  expect(JSON.stringify(events)).not.toContain(qrcodeText.trim());
  const found = eventsOf(events, "drift");
  expect(found.every((event) => event.field === "data.pix.qrcodeText")).toBe(true);
  return found.map(({ message }) => message);
}

/** The example of the central bank's manual, which has no amount. */
const STATIC_CODE =
  "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D";

describe("a pix code is checked, and the result stays the same", () => {
  const cut = STATIC_CODE.slice(0, -8);
  const TWO_TEMPLATES = field("26", field("00", "a")) + field("51", field("00", "53037"));
  const NO_NUMBER = withCrc("000201530x986");
  const BEYOND_THE_END = withCrc("0002015399986");

  test.each<[string, string, string[]?]>([
    ["of the central bank's manual, without an amount", STATIC_CODE],
    ["over 19.90", aCode({ amount: "19.90" })],
    ["over 19.9", aCode({ amount: "19.9" })],
    ["with more templates", aCode({ templates: TWO_TEMPLATES })],
    ["with a name that is not ASCII", aCode({ name: field("59", "Açaí & Pão 🛒") })],
    ["whose lengths count bytes of UTF-8", aCode({ amount: "19.90", name: IN_BYTES })],
    ["with a CRC in lower case", STATIC_CODE.slice(0, -4) + STATIC_CODE.slice(-4).toLowerCase()],
    ["with a line break at its end", `${STATIC_CODE}\n`],
    ["with a space at its end", `${STATIC_CODE} `],
    ["of an unknown format", "PIX-CODE-7"],
    // Of a code whose fields cannot be read, only the CRC is checked.
    ["with a length that is not a number", NO_NUMBER],
    ["with a length beyond the end", BEYOND_THE_END],
    ["with such a length, and a wrong CRC", `${NO_NUMBER.slice(0, -4)}XXXX`, [CRC]],
    ["a wrong CRC", `${STATIC_CODE.slice(0, -4)}1D3E`, [CRC]],
    ["no CRC", cut, [CRC]],
    ["a CRC without its digits", `${cut}6304`, [CRC]],
    ["text after the CRC", `${STATIC_CODE}x`, [CRC]],
    ["dollars", aCode({ currency: field("53", "840") }), [CURRENCY]],
    ["no currency", aCode({ currency: "" }), [CURRENCY]],
    ["another amount", aCode({ amount: "19.91" }), [AMOUNT]],
    ["zero", aCode({ amount: "0.00" }), [AMOUNT]],
    ["cents instead of reais", aCode({ amount: "1990" }), [AMOUNT]],
    ["a comma", aCode({ amount: "19,90" }), [AMOUNT]],
    ["a third decimal place", aCode({ amount: "19.904" }), [AMOUNT]],
    ["an exponent", aCode({ amount: "1.99e1" }), [AMOUNT]],
    [
      "another amount and dollars, with lengths in bytes of UTF-8",
      aCode({ amount: "20.00", currency: field("53", "840"), name: IN_BYTES }),
      [CURRENCY, AMOUNT],
    ],
    ["only its beginning", "000201", [CRC, CURRENCY]],
  ])("%s", async (_what, code, expected = []) => {
    expect(await driftOf(code)).toEqual(expected);
  });

  test("of the sandbox", async () => {
    const { baseUrl, secretKey, publicKey, fetch } = createGateway();
    const { payments, events } = merchantAt(baseUrl, { secretKey, publicKey, fetch });

    await payments.transactions.createPix(aPix({ amount: 123_456 }));

    expect(eventsOf(events, "drift")).toEqual([]);
  });
});

test("any text can be checked", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (rest) => {
      findCodeDrift(`000201${rest}`, 1990);
    }),
  );
});

test("without a listener, the code is not checked", async () => {
  const data = aPixData({ pix: { qrcodeText: STATIC_CODE } });
  const { payments } = await startMerchant(json(201, envelope(data)), { onEvent: undefined });
  const encoded = vi.spyOn(TextEncoder.prototype, "encode");
  onTestFinished(() => encoded.mockRestore());

  await payments.transactions.createPix(aPix());

  expect(encoded.mock.calls.flat()).not.toContainEqual(expect.stringContaining("br.gov.bcb.pix"));
});
