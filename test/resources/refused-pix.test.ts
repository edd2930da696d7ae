import { type PaymentsError, PixRefusedError } from "payments-sdk";
import { describe, expect, test } from "vitest";
import { json, text } from "../support/http-server.ts";
import { aPix, eventsOf, failureOf, PUBLIC_KEY, SECRET_KEY } from "../support/merchant.ts";
import { aPixData, created, envelope, PIX_CODE, PNG } from "../support/service-responses.ts";
import { startMerchant } from "../support/start-merchant.ts";

type Json = Record<string, unknown>;

const PICTURE = `data:image/png;base64,${PNG}`;

/** A refused pix without a code. */
const aRefusedPix = (overrides: Json = {}) =>
  aPixData({ status: "refused", refusedAmount: 1990, pix: undefined, ...overrides });

async function failureFor(data: Json): Promise<PaymentsError> {
  const { payments } = await startMerchant(json(201, envelope(data)));
  return failureOf(payments.transactions.createPix(aPix()));
}

describe("a pix that nobody can pay throws a PixRefusedError with outcome rejected", () => {
  test.each<[string, string, unknown]>([
    ["refused", "refused", undefined],
    ["expired", "expired", null],
    ["cancelled", "cancelled", {}],
    ["Cancelled", "cancelled", []],
    ["canceled", "cancelled", { qrcode: "", qrcodeText: "" }],
    ["REFUSED", "refused", { qrcode: null, expirationDate: "2026-11-21T12:00:00.000Z" }],
  ])("if it is %s and has neither code nor picture", async (sent, status, pix) => {
    const error = await failureFor(aRefusedPix({ status: sent, pix, refusedReason: "Wrong document" }));

    expect(error).toBeInstanceOf(PixRefusedError);
    expect(error.toJSON()).toEqual({
      ...{ name: "PixRefusedError", code: "pix_refused", message: error.message, outcome: "rejected" },
      ...{ mayHaveCharged: false, actor: "customer", endpoint: "transactions.create" },
      ...{ externalRef: "order-1", transactionId: 4021, status, refusedReason: "Wrong document" },
    });
    expect(error.message).toContain("Wrong document");
  });

  test("also by the method create, and with another 2xx, and its drift is reported", async () => {
    const { payments, events } = await startMerchant(json(200, envelope(aRefusedPix({ fees: "99" }))));

    const error = await failureOf(payments.transactions.create({ ...aPix(), paymentMethod: "pix" }));

    expect(error).toMatchObject({ code: "pix_refused", outcome: "rejected" });
    expect(eventsOf(events, "drift").map(({ field }) => field)).toContain("data.fees");
  });
});

test.each<[Json, string]>([
  [{}, "unspecified"],
  [{ refusedReason: { code: 7, message: "Wrong document" } }, "Wrong document"],
  [{ refusedReason: `${SECRET_KEY} and ${PUBLIC_KEY}` }, "[redacted] and [redacted]"],
  [{ paymentMethod: undefined }, "unspecified"],
  [{ paymentMethod: "PIX" }, "unspecified"],
  [{ amount: "1990", paidAmount: "0.00", refundedAmount: "" }, "unspecified"],
  [{ pix: false }, "unspecified"],
])("a refused pix with %j is refused, with a redacted reason", async (data, refusedReason) => {
  expect(await failureFor(aRefusedPix(data))).toMatchObject({ code: "pix_refused", refusedReason });
});

describe("the outcome of a pix without a code stays created or unknown", () => {
  const CREATED = { code: "unexpected_response", outcome: "created", transactionId: 4021 };
  const UNKNOWN = { code: "unexpected_response", outcome: "unknown" };

  test.each<[string, Json, object]>([
    ["with an unknown status", { status: "PENDING_3DS" }, CREATED],
    ["without a status", { status: undefined }, CREATED],
    ["approved", { status: "approved" }, CREATED],
    ["pending, with its picture alone", { status: "pending", pix: { qrcode: PICTURE } }, CREATED],
    ["refused, but paid", { paidAmount: 1990 }, CREATED],
    ["refused, but paid, as a text", { paidAmount: "19.90" }, CREATED],
    ["refused, but paid in another form", { paidAmount: { cents: 1990 } }, CREATED],
    [
      "refused, with an amount that JavaScript cannot convert",
      { amount: { valueOf: 1, toString: 1 } },
      CREATED,
    ],
    ["refused, with such a method", { paymentMethod: { toString: 1 } }, CREATED],
    ["refused, but refunded", { refundedAmount: 1990 }, CREATED],
    ["refused, with its code in an array", { pix: [{ qrcodeText: PIX_CODE }] }, CREATED],
    ["refused, with a code of another name", { pix: { payload: PIX_CODE } }, CREATED],
    ["refused, with a code in another form", { pix: { qrcodeText: [PIX_CODE] } }, CREATED],
    ["refused, of another amount", { amount: 5000, externalId: undefined }, CREATED],
    ["refused as a card payment", { paymentMethod: "credit_card" }, CREATED],
    ["refused, but paid, with its picture alone", { paidAmount: 1990, pix: { qrcode: PICTURE } }, CREATED],
    ["refused, with a text that is no picture", { pix: { qrcode: "n/a" } }, CREATED],
    ["refused, without an id", { id: undefined }, UNKNOWN],
    ["refused, of another order", { externalId: "order-2" }, UNKNOWN],
  ])("if it is %s", async (_what, overrides, expected) => {
    expect(await failureFor(aRefusedPix(overrides))).toMatchObject(expected);
  });

  test("if another transaction stands beside it", async () => {
    const { payments } = await startMerchant(json(201, envelope([aRefusedPix(), aPixData({ id: 4022 })])));

    expect(await failureOf(payments.transactions.createPix(aPix()))).toMatchObject(CREATED);
  });

  test("if its id is beyond 2^53 - 1", async () => {
    const body = JSON.stringify(envelope(aRefusedPix())).replace("4021", "90071992547409931234");
    const { payments } = await startMerchant(text(201, body));

    const error = await failureOf(payments.transactions.createPix(aPix()));

    expect(error).toMatchObject({ ...CREATED, transactionId: "90071992547409931234" });
  });
});

test.each<[string, Json]>([
  ["a code", { qrcodeText: PIX_CODE }],
  ["a picture alone", { qrcodeText: "", qrcode: PICTURE }],
])("a refused pix with %s is a result, with its reason", async (_what, pix) => {
  const data = aPixData({ status: "refused", refusedReason: "Wrong document", pix });
  const { payments } = await startMerchant(created(data));

  const transaction = await payments.transactions.createPix(aPix());

  expect(transaction).toMatchObject({ refusedReason: "Wrong document", pix });
});

test("a refused pix after a redirect that a custom fetch followed keeps the outcome created", async () => {
  const { payments } = await startMerchant(json(201, envelope(aRefusedPix())), {
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      return Object.defineProperty(response, "redirected", { value: true });
    },
  });

  expect(await failureOf(payments.transactions.createPix(aPix()))).toMatchObject({ outcome: "created" });
});
