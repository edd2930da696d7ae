import { describe, expect, test } from "vitest";
import { json, startServer } from "../support/http-server.ts";
import { aPix, eventsOf, failureOf, merchantAt } from "../support/merchant.ts";
import { aPixData, envelope, PIX_CODE, PNG } from "../support/service-responses.ts";

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
  const MOVED = "data.pix.qrcode holds the pix code";

  test.each<[string, object, object, string[]]>([
    ["in their places", { qrcode: URI, qrcodeText: PIX_CODE }, { qrcode: URI, qrcodeText: PIX_CODE }, []],
    [
      "the code in the picture's place",
      { qrcode: PIX_CODE },
      { qrcodeText: PIX_CODE },
      ["data.pix.qrcodeText came as nothing", MOVED],
    ],
    [
      "each in the other's place",
      { qrcode: PIX_CODE, qrcodeText: URI },
      { qrcode: URI, qrcodeText: PIX_CODE },
      [MOVED],
    ],
    [
      "the code in both places",
      { qrcode: PIX_CODE, qrcodeText: PIX_CODE },
      { qrcodeText: PIX_CODE },
      [MOVED],
    ],
    [
      "a picture in bare base64",
      { qrcode: PNG, qrcodeText: PIX_CODE },
      { qrcode: URI, qrcodeText: PIX_CODE },
      [],
    ],
    [
      "the address of a picture",
      { qrcode: "https://pay.example/qr.png", qrcodeText: PIX_CODE },
      { qrcode: "https://pay.example/qr.png", qrcodeText: PIX_CODE },
      [],
    ],
    ["no picture", { qrcodeText: PIX_CODE }, { qrcodeText: PIX_CODE }, ["data.pix.qrcode came as nothing"]],
    [
      "a code of a shape that we do not know",
      { qrcode: URI, qrcodeText: "PIX-CODE-7" },
      { qrcode: URI, qrcodeText: "PIX-CODE-7" },
      [],
    ],
  ])("%s", async (_what, sent, received, told) => {
    const { pix, drift } = await read({ ...sent, expirationDate: EXPIRES });

    expect(pix).toEqual({ ...received, expirationDate: EXPIRES });
    expect(drift).toEqual(told);
  });

  test("a date that is none is left out", async () => {
    const { pix, drift } = await read({ qrcode: null, qrcodeText: PIX_CODE, expirationDate: 7 });

    expect(pix).toEqual({ qrcodeText: PIX_CODE });
    expect(drift).toEqual(["data.pix.qrcode came as null", "data.pix.expirationDate came as a number"]);
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
