import { describe, expect, test } from "vitest";
import { aReceiver, DUPLICATE, FAILED, HANDLED, signer, urlOf } from "../support/receiver.ts";
import { POSTBACK, URL_OF_SHOP } from "../support/signing.ts";

const contextOf = ({ onPostback }: ReturnType<typeof aReceiver>) => onPostback.mock.lastCall?.[1];

test("a postback to the signed URL of its order is handled with any amount and status: only the order is proven", async () => {
  const receiver = aReceiver();

  expect(await receiver.post({ ...POSTBACK, amount: 400, status: "refunded" })).toEqual(HANDLED);
  expect(contextOf(receiver)).toMatchObject({ trust: "signed", amountMatches: false });
  expect(await receiver.post()).toEqual(HANDLED);
  expect(contextOf(receiver)).toMatchObject({ trust: "signed", amountMatches: true });
});

test("the URL of one order cannot be used to suppress the postback of another order or to make it look late", async () => {
  const receiver = aReceiver();
  const own = { ...POSTBACK, externalRef: "attack-1" };
  await receiver.post(own, await urlOf("attack-1"));
  await receiver.post({ ...own, status: "refunded" }, await urlOf("attack-1"));

  expect(await receiver.post()).toEqual(HANDLED);
  expect(contextOf(receiver)).toMatchObject({ previousStatus: undefined, transition: "advance" });
});

test("without a signer a postback to any URL runs once, as unsigned", async () => {
  const receiver = aReceiver({ signer: undefined, allowUnsigned: true });
  const pix = { ...POSTBACK, externalRef: undefined };

  expect([await receiver.post(pix, URL_OF_SHOP), await receiver.post(pix, URL_OF_SHOP)]).toEqual([
    HANDLED,
    DUPLICATE,
  ]);
  expect(contextOf(receiver)).toMatchObject({ trust: "unsigned", amountMatches: undefined });
});

test("with a signer and allowUnsigned, an unsigned postback does not make a signed one a duplicate, late or busy", async () => {
  const receiver = aReceiver({ signer, allowUnsigned: true });
  let meanwhile: unknown;
  await receiver.post(POSTBACK, URL_OF_SHOP);
  receiver.onPostback.mockImplementationOnce(async () => {
    meanwhile = await receiver.post();
  });
  await receiver.post({ ...POSTBACK, status: "refunded" }, URL_OF_SHOP);

  expect(meanwhile).toEqual(HANDLED);
  expect(contextOf(receiver)).toMatchObject({ trust: "signed", transition: "advance" });
});

test("with a signer and allowUnsigned, a postback to the signed URL of another order is still refused", async () => {
  const receiver = aReceiver({ signer, allowUnsigned: true });

  expect(await receiver.post(POSTBACK, await urlOf("another-order"))).toMatchObject({ status: 401 });
  expect(receiver.onPostback).not.toHaveBeenCalled();
});

describe("a custom signer", () => {
  const verifying = (verify: (...args: unknown[]) => Promise<unknown>) =>
    aReceiver({ signer: { verify: verify as typeof signer.verify } });

  test("may be of another copy of the package: its errors are recognized by their code", async () => {
    const brand = { [Symbol.for("payments-sdk.error")]: true, mayHaveCharged: false };
    const foreign = Object.assign(new Error(), brand, { code: "untrusted_postback", reason: "expired" });

    const reply = await verifying(() => Promise.reject(foreign)).post();

    expect(reply).toMatchObject({ status: 401, body: { reason: "expired" } });
  });

  test.each<[string, () => Promise<unknown>]>([
    ["resolves with true instead of amountMatches", async () => true],
    ["resolves with an empty object", async () => ({})],
    ["resolves with a text as amountMatches", async () => ({ amountMatches: "false" })],
    ["resolves with nothing", async () => undefined],
    ["rejects", () => Promise.reject(new Error("the key server is away"))],
  ])(
    "that %s has not proven a forgery: 500, so that the postback is delivered again",
    async (_what, verify) => {
      const receiver = verifying(verify);

      expect(await receiver.post()).toEqual(FAILED);
      expect(receiver.onPostback).not.toHaveBeenCalled();
      expect(receiver.events).toMatchObject([{ type: "failed", status: 500 }]);
    },
  );
});
