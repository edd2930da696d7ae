import { describe, expect, test } from "vitest";
import { json, startServer } from "../support/http-server.ts";
import { aPix, eventsOf, failureOf, merchantAt } from "../support/merchant.ts";
import { aPixData, envelope, PIX_CODE, PNG } from "../support/service-answers.ts";

const URI = `data:image/png;base64,${PNG}`;
const EXPIRES = "2026-11-21T12:00:00.000Z";

async function read(pix: unknown) {
  const { baseUrl } = await startServer(json(201, envelope(aPixData({ pix }))));
  const { payments, events } = merchantAt(baseUrl);
  const transaction = await payments.transactions.createPix(aPix());
  const drift = eventsOf(events, "drift").map(({ field, message }) => `${field} ${message}`);
  return { pix: transaction.pix, drift };
}

describe("the code and the picture are put where they belong", () => {
  test.each<[string, object, object, string[]]>([
    [
      "as the specification shows them",
      { qrcode: URI, qrcodeText: PIX_CODE, expirationDate: EXPIRES },
      { qrcode: URI, qrcodeText: PIX_CODE, expirationDate: EXPIRES },
      [],
    ],
    [
      "the code in the picture's place",
      { qrcode: PIX_CODE, expirationDate: EXPIRES },
      { qrcodeText: PIX_CODE, expirationDate: EXPIRES },
      ["data.pix.qrcodeText came as nothing", "data.pix.qrcode holds the pix code"],
    ],
    [
      "each in the other's place",
      { qrcode: PIX_CODE, qrcodeText: URI, expirationDate: EXPIRES },
      { qrcode: URI, qrcodeText: PIX_CODE, expirationDate: EXPIRES },
      ["data.pix.qrcode holds the pix code"],
    ],
    [
      "the code in both places",
      { qrcode: PIX_CODE, qrcodeText: PIX_CODE, expirationDate: EXPIRES },
      { qrcodeText: PIX_CODE, expirationDate: EXPIRES },
      ["data.pix.qrcode holds the pix code"],
    ],
    [
      "a picture in bare base64",
      { qrcode: PNG, qrcodeText: PIX_CODE, expirationDate: EXPIRES },
      { qrcode: URI, qrcodeText: PIX_CODE, expirationDate: EXPIRES },
      [],
    ],
    [
      "the address of a picture",
      { qrcode: "https://pay.example/qr.png", qrcodeText: PIX_CODE, expirationDate: EXPIRES },
      { qrcode: "https://pay.example/qr.png", qrcodeText: PIX_CODE, expirationDate: EXPIRES },
      [],
    ],
    [
      "no picture and no date",
      { qrcodeText: PIX_CODE },
      { qrcodeText: PIX_CODE },
      ["data.pix.qrcode came as nothing", "data.pix.expirationDate came as nothing"],
    ],
    [
      "a picture that is null",
      { qrcode: null, qrcodeText: PIX_CODE, expirationDate: 7 },
      { qrcodeText: PIX_CODE },
      ["data.pix.qrcode came as null", "data.pix.expirationDate came as a number"],
    ],
    [
      "a code of a shape that we do not know",
      { qrcode: URI, qrcodeText: "PIX-CODE-7", expirationDate: EXPIRES },
      { qrcode: URI, qrcodeText: "PIX-CODE-7", expirationDate: EXPIRES },
      [],
    ],
  ])("%s", async (_what, sent, received, told) => {
    const { pix, drift } = await read(sent);

    expect(pix).toEqual(received);
    expect(drift).toEqual(told);
  });
});

describe("a pix without a code is created, but cannot be shown to a buyer", () => {
  test.each<[string, unknown, object]>([
    ["no pix at all", undefined, { qrcodeText: "" }],
    ["null", null, { qrcodeText: "" }],
    ["text", PIX_CODE, { qrcodeText: "" }],
    ["an empty object", {}, { qrcodeText: "" }],
    [
      "an empty code",
      { qrcodeText: "", expirationDate: EXPIRES },
      { qrcodeText: "", expirationDate: EXPIRES },
    ],
    ["only the picture", { qrcode: URI }, { qrcodeText: "", qrcode: URI }],
    ["the picture where the code belongs", { qrcodeText: URI }, { qrcodeText: "", qrcode: URI }],
    ["a bare picture where the code belongs", { qrcodeText: PNG }, { qrcodeText: "", qrcode: URI }],
  ])("%s", async (_what, pix, kept) => {
    const { baseUrl } = await startServer(json(201, envelope(aPixData({ pix }))));
    const { payments } = merchantAt(baseUrl);

    const error = await failureOf(payments.transactions.createPix(aPix()));

    expect(error).toMatchObject({ code: "unexpected_response", outcome: "created", transactionId: 4021 });
    expect(error).toHaveProperty("transaction.pix", kept);
  });
});
