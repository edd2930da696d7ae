import { PostbackUrlSigner } from "payments-sdk/postbacks";
import { describe, expect, test } from "vitest";
import { KEY, POSTBACK, URL_OF_SHOP } from "../support/signing.ts";
import { aReceiver, DUPLICATE, FAILED, HANDLED, signer, urlOf } from "./support/receiver.ts";

const contextOf = ({ onPostback }: ReturnType<typeof aReceiver>, call = 0) =>
  onPostback.mock.calls[call]?.[1];

describe("a postback", () => {
  test("to the URL of its order is signed, and its amount matches", async () => {
    const receiver = aReceiver();
    await receiver.post();

    expect(contextOf(receiver)).toMatchObject({ trust: "signed", amountMatches: true });
  });

  test("of another amount runs, and is told: a refund of a part may send its own", async () => {
    const receiver = aReceiver();

    expect(await receiver.post({ ...POSTBACK, amount: 400 })).toEqual(HANDLED);
    expect(contextOf(receiver)).toMatchObject({ trust: "signed", amountMatches: false });
  });

  test("whose status was changed is NOT caught by the signature: it proves the order, and not the status", async () => {
    const receiver = aReceiver();

    expect(await receiver.post({ ...POSTBACK, status: "refunded" })).toEqual(HANDLED);
    expect(contextOf(receiver)).toMatchObject({ trust: "signed", amountMatches: true });
  });

  test("that was forged without the URL does not run", async () => {
    const receiver = aReceiver();
    const stranger = new PostbackUrlSigner({
      keys: [{ kid: KEY.kid, secret: "what a stranger has guessed it could be" }],
    });

    const answer = await receiver.post(POSTBACK, await stranger.sign(URL_OF_SHOP, POSTBACK));

    expect(answer).toMatchObject({ status: 401, body: { reason: "bad_signature" } });
    expect(receiver.onPostback).not.toHaveBeenCalled();
  });

  test("that was replayed for another order does not run", async () => {
    const receiver = aReceiver();

    const answer = await receiver.post({ ...POSTBACK, externalRef: "pedido-78" });

    expect(answer).toMatchObject({ status: 401, body: { reason: "other_order" } });
    expect(receiver.onPostback).not.toHaveBeenCalled();
  });

  test.each([[undefined], [""]])("whose reference is %j does not run", async (externalRef) => {
    const receiver = aReceiver();

    const answer = await receiver.post({ ...POSTBACK, externalRef });

    expect(answer).toMatchObject({ status: 401, body: { reason: "no_reference" } });
  });
});

describe("who knows the URL of one order", () => {
  const OWN = { ...POSTBACK, externalRef: "of the attacker" };

  test("cannot swallow the postback of another by posting its id first", async () => {
    const receiver = aReceiver();
    await receiver.post(OWN, await urlOf("of the attacker"));

    expect(await receiver.post()).toEqual(HANDLED);
  });

  test("cannot make a postback of another look late", async () => {
    const receiver = aReceiver();
    await receiver.post({ ...OWN, status: "refunded" }, await urlOf("of the attacker"));
    await receiver.post();

    expect(contextOf(receiver, 1)).toMatchObject({ previousStatus: undefined, transition: "advance" });
  });
});

describe("without a signer", () => {
  const unsigned = { signer: undefined, allowUnsigned: true } as const;

  test("a postback to any URL runs, and says that nothing is proven", async () => {
    const receiver = aReceiver(unsigned);

    expect(await receiver.post(POSTBACK, URL_OF_SHOP)).toEqual(HANDLED);
    expect(contextOf(receiver)).toMatchObject({ trust: "unsigned", amountMatches: undefined });
  });

  test("a postback without a reference runs once, too", async () => {
    const receiver = aReceiver(unsigned);
    const pix = { ...POSTBACK, externalRef: undefined };

    expect([await receiver.post(pix), await receiver.post(pix)]).toEqual([HANDLED, DUPLICATE]);
  });
});

describe("with a signer and allowUnsigned", () => {
  const both = { signer, allowUnsigned: true } as const;

  test("a postback without a signature is unsigned", async () => {
    const receiver = aReceiver(both);

    expect(await receiver.post(POSTBACK, URL_OF_SHOP)).toEqual(HANDLED);
    expect(contextOf(receiver)).toMatchObject({ trust: "unsigned", amountMatches: undefined });
  });

  test.each([
    ["a wrong signature", async () => `${URL_OF_SHOP}?pbsig=x`],
    ["one of another order", async () => urlOf("pedido-78")],
  ])("a postback with %s is refused all the same", async (_what, urlOfSender) => {
    expect(await aReceiver(both).post(POSTBACK, await urlOfSender())).toMatchObject({ status: 401 });
  });

  test("an unsigned one does not make a signed one a duplicate, nor a late one", async () => {
    const receiver = aReceiver(both);
    await receiver.post(POSTBACK, URL_OF_SHOP);
    await receiver.post({ ...POSTBACK, status: "refunded" }, URL_OF_SHOP);

    expect(await receiver.post()).toEqual(HANDLED);
    expect(contextOf(receiver, 2)).toMatchObject({ trust: "signed", transition: "advance" });
  });
});

describe("a signer of the merchant's own", () => {
  test("is asked with the URL and the postback", async () => {
    const asked: unknown[] = [];
    const verify = async (...question: unknown[]) => {
      asked.push(question);
      return { amountMatches: true };
    };

    await aReceiver({ signer: { verify } }).post(POSTBACK, "https://loja.example/p?x=1");

    expect(asked).toEqual([["https://loja.example/p?x=1", expect.objectContaining(POSTBACK)]]);
  });

  test("may be of another copy of the package: its errors are known by their code", async () => {
    const brand = { [Symbol.for("payments-sdk.error")]: true };
    const foreign = Object.assign(new Error(), brand, { code: "untrusted_postback", reason: "expired" });
    const verify = () => Promise.reject(foreign);

    expect(await aReceiver({ signer: { verify } }).post()).toMatchObject({
      status: 401,
      body: { reason: "expired" },
    });
  });

  test.each([[false], [true], [{}], [undefined]])(
    "has to say whether the amount matches: %j is no trust",
    async (said) => {
      const verify = async () => said as never;
      const receiver = aReceiver({ signer: { verify } });

      expect(await receiver.post()).toEqual(FAILED);
      expect(receiver.onPostback).not.toHaveBeenCalled();
    },
  );

  test("that fails is nobody's forgery: 500, so that the postback comes again", async () => {
    const verify = () => Promise.reject(new Error("the key server is away"));
    const receiver = aReceiver({ signer: { verify } });

    expect(await receiver.post()).toEqual(FAILED);
    expect(receiver.onPostback).not.toHaveBeenCalled();
    expect(receiver.events).toMatchObject([
      { type: "failed", status: 500, error: { message: "the key server is away" } },
    ]);
  });
});
