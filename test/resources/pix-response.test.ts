import { describe, expect, test } from "vitest";
import { json } from "../support/http-server.ts";
import { aPix, eventsOf, failureOf } from "../support/merchant.ts";
import { aPixData, envelope, PIX_CODE, PNG } from "../support/service-responses.ts";
import { startMerchant } from "../support/start-merchant.ts";

const URI = `data:image/png;base64,${PNG}`;
const EXPIRES = "2026-11-21T12:00:00.000Z";

async function read(pix: unknown) {
  const { payments, events } = await startMerchant(json(201, envelope(aPixData({ pix }))));
  const transaction = await payments.transactions.createPix(aPix());
  const drift = eventsOf(events, "drift").map(({ field, message }) => `${field} ${message}`);
  return { pix: transaction.pix, drift };
}

describe("the code and the picture are returned in the right fields", () => {
  const MOVED = "data.pix.qrcode contains the pix code";
  const TEXT_MISSING = "data.pix.qrcodeText is missing";
  const BOTH = { qrcode: URI, qrcodeText: PIX_CODE };
  const ONLY_CODE = { qrcodeText: PIX_CODE };
  const NOT_PNG = "data.pix.qrcode is not a PNG data URI";
  const JPEG = { qrcode: "data:image/jpeg;base64,/9j/4AAQ", qrcodeText: PIX_CODE };
  const NOT_A_PICTURE = { qrcode: "see the app", qrcodeText: PIX_CODE };
  const WITH_URL = { qrcode: "https://pay.example/qr.png", qrcodeText: PIX_CODE };
  const UNKNOWN_FORMAT = { qrcode: URI, qrcodeText: "PIX-CODE-7" };

  test.each<[string, object, object, string[]]>([
    ["both in the right fields", BOTH, BOTH, []],
    ["the code in the picture's field", { qrcode: PIX_CODE }, ONLY_CODE, [TEXT_MISSING, MOVED]],
    ["each in the other's field", { qrcode: PIX_CODE, qrcodeText: URI }, BOTH, [MOVED]],
    ["the code in both fields", { qrcode: PIX_CODE, qrcodeText: PIX_CODE }, ONLY_CODE, [MOVED]],
    ["a picture as base64 without a data URL", { qrcode: PNG, qrcodeText: PIX_CODE }, BOTH, [NOT_PNG]],
    ["the URL of a picture", WITH_URL, WITH_URL, [NOT_PNG]],
    ["a JPEG", JPEG, JPEG, [NOT_PNG]],
    ["a text", NOT_A_PICTURE, NOT_A_PICTURE, [NOT_PNG]],
    ["no picture", ONLY_CODE, ONLY_CODE, ["data.pix.qrcode is missing"]],
    ["a code of an unknown format", UNKNOWN_FORMAT, UNKNOWN_FORMAT, []],
  ])("%s", async (_what, sent, received, expectedDrift) => {
    const { pix, drift } = await read({ ...sent, expirationDate: EXPIRES });

    expect(pix).toEqual({ ...received, expirationDate: EXPIRES });
    expect(drift).toEqual(expectedDrift);
  });

  test("an invalid date is undefined", async () => {
    const { pix, drift } = await read({ qrcode: null, qrcodeText: PIX_CODE, expirationDate: 7 });

    expect(pix).toEqual({ qrcodeText: PIX_CODE });
    expect(drift).toEqual(["data.pix.qrcode is null", "data.pix.expirationDate is a number"]);
  });
});

test.each<[string, unknown, object]>([
  ["no pix at all", undefined, { qrcodeText: "" }],
  ["null", null, { qrcodeText: "" }],
  ["a string", PIX_CODE, { qrcodeText: "" }],
  ["an empty object", {}, { qrcodeText: "" }],
  ["an empty code", { qrcodeText: "", expirationDate: EXPIRES }, { qrcodeText: "", expirationDate: EXPIRES }],
  ["only the picture", { qrcode: URI }, { qrcodeText: "", qrcode: URI }],
  ["the picture in the code's field", { qrcodeText: URI }, { qrcodeText: "", qrcode: URI }],
  ["a base64 picture in the code's field", { qrcodeText: PNG }, { qrcodeText: "", qrcode: URI }],
])("a pix without a code throws an error with outcome created: %s", async (_what, pix, expected) => {
  const { payments } = await startMerchant(json(201, envelope(aPixData({ pix }))));

  const error = await failureOf(payments.transactions.createPix(aPix()));

  expect(error).toMatchObject({ code: "unexpected_response", outcome: "created", transactionId: 4021 });
  expect(error).toHaveProperty("transaction.pix", expected);
});
