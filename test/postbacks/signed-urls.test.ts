import { InvalidRequestError } from "payments-sdk/postbacks";
import { describe, expect, test, vi } from "vitest";
import { failureOf } from "../support/merchant.ts";
import { aSigner, KEY, ORDER, POSTBACK, partOf, refusalOf, tokenIn, URL_OF_SHOP } from "./support/signing.ts";

const DAY_IN_SECONDS = 86_400;

describe("a signed URL", () => {
  test("is the URL with one more parameter", async () => {
    const url = await aSigner().sign(URL_OF_SHOP, ORDER);

    expect(url).toMatch(/^https:\/\/loja\.example\/postbacks\?pbsig=[\w-]+\.[\w-]+\.[\w-]+$/);
  });

  test("carries an HS256 token that names its key and its purpose", async () => {
    const url = await aSigner().sign(URL_OF_SHOP, ORDER);

    expect(partOf(tokenIn(url), 0)).toEqual({ alg: "HS256", kid: "k1", typ: "pb" });
  });

  test("tells the amount, the expiry and 128 bits of a digest, and nothing else", async () => {
    const url = await aSigner().sign(URL_OF_SHOP, ORDER);

    expect(partOf(tokenIn(url), 1)).toEqual({
      a: 10_000,
      exp: expect.any(Number),
      r: expect.stringMatching(/^[\w-]{22}$/),
    });
  });

  test("does not tell the reference, not even to those who guess it", async () => {
    const one = await aSigner(KEY).sign(URL_OF_SHOP, ORDER);
    const other = await aSigner({ ...KEY, secret: "x".repeat(32) }).sign(URL_OF_SHOP, ORDER);

    expect(one).not.toContain("pedido-77");
    expect(partOf(tokenIn(one), 1)["r"]).not.toBe(partOf(tokenIn(other), 1)["r"]); // it takes the key
  });

  test("has a digest that is no part of a signature, whatever the reference is", async () => {
    const [header = "", payload = "", signature = ""] = tokenIn(
      await aSigner().sign(URL_OF_SHOP, ORDER),
    ).split(".");

    const url = await aSigner().sign(URL_OF_SHOP, { ...ORDER, externalRef: `${header}.${payload}` });

    expect(signature.startsWith(String(partOf(tokenIn(url), 1)["r"]).slice(0, -1))).toBe(false);
  });

  test("leaves a usual address room below 255 characters", async () => {
    const url = await aSigner({ kid: "2026-11", secret: KEY.secret }).sign(
      "https://api.minha-loja.com.br/v1/payments/postbacks",
      { ...ORDER, amount: 999_999_999 },
    );

    expect(url.length).toBeLessThanOrEqual(255);
  });
});

describe("the rest of a URL stays as it is", () => {
  test.each([
    ["https://loja.example", "https://loja.example?pbsig="],
    ["https://loja.example/?", "https://loja.example/?pbsig="],
    ["https://loja.example/p?shop=5", "https://loja.example/p?shop=5&pbsig="],
    ["https://loja.example/p?a=%20+b&a=ç&c", "https://loja.example/p?a=%20+b&a=ç&c&pbsig="],
    ["https://loja.example/p?a&", "https://loja.example/p?a&pbsig="],
    ["https://loja.example/p?q=a?b", "https://loja.example/p?q=a?b&pbsig="],
    ["https://Loja.Example:443/a/../b", "https://Loja.Example:443/a/../b?pbsig="],
  ])("%s", async (url, beginning) => {
    const signed = await aSigner().sign(url, ORDER);

    expect(signed.slice(0, beginning.length)).toBe(beginning);
    expect(await aSigner().verify(signed, POSTBACK)).toEqual({ amountMatches: true });
  });

  test("a fragment stays behind the query", async () => {
    const signed = await aSigner().sign("https://loja.example/p?a=1#part?b", ORDER);

    expect(signed).toMatch(/^https:\/\/loja\.example\/p\?a=1&pbsig=[\w.-]+#part\?b$/);
    expect(await aSigner().verify(signed, POSTBACK)).toEqual({ amountMatches: true });
  });

  test("a signature that it has is replaced", async () => {
    const before = await aSigner().sign("https://loja.example/p?pbsig=old&a=1", { ...ORDER, amount: 1 });
    const signed = await aSigner().sign(before.replace("pbsig", "%70bsig"), ORDER);

    expect(new URL(signed).searchParams.getAll("pbsig")).toHaveLength(1);
    expect(signed).toContain("?a=1&pbsig=");
    expect(await aSigner().verify(signed, POSTBACK)).toEqual({ amountMatches: true });
  });
});

describe("a signed URL is good", () => {
  test.each([
    ["for a pix", { paymentMethod: "pix" }, 180],
    ["for a card", { paymentMethod: "credit_card" }, 730],
    ["where the method is not told", {}, 730],
  ] as const)("%s", async (_what, order, days) => {
    const now = Math.floor(Date.now() / 1000);

    const { exp } = partOf(tokenIn(await aSigner().sign(URL_OF_SHOP, { ...ORDER, ...order })), 1);

    expect(Math.abs(Number(exp) - now - days * DAY_IN_SECONDS)).toBeLessThan(60);
  });

  test("until a date of the merchant's", async () => {
    const expiresAt = new Date(Date.now() + 3_600_000);
    const signer = aSigner();
    const signed = await signer.sign(URL_OF_SHOP, { ...ORDER, expiresAt });
    vi.useFakeTimers({ toFake: ["Date"] });

    vi.setSystemTime(expiresAt.getTime() - 2_000);
    expect(await signer.verify(signed, POSTBACK)).toEqual({ amountMatches: true });
    vi.setSystemTime(expiresAt.getTime() + 2_000);
    expect(await refusalOf(signer.verify(signed, POSTBACK))).toBe("expired");

    vi.useRealTimers();
  });
});

describe("what cannot be signed is refused, with every problem at once", () => {
  const nothing = { externalRef: "", amount: 0 };

  test.each<[string, unknown, unknown, string[]]>([
    ["a URL without a host", "/postbacks", ORDER, ["postbackUrl must be an absolute URL without spaces"]],
    [
      "a URL of another scheme",
      "ftp://loja.example",
      ORDER,
      ["postbackUrl must be an absolute URL without spaces"],
    ],
    [
      "a URL with a space behind it",
      `${URL_OF_SHOP} `,
      ORDER,
      ["postbackUrl must be an absolute URL without spaces"],
    ],
    [
      "a URL with a line break in it",
      "https://loja.example/\npb",
      ORDER,
      ["postbackUrl must be an absolute URL without spaces"],
    ],
    [
      "half a character in the reference",
      URL_OF_SHOP,
      { ...ORDER, externalRef: "a\ud800" },
      ["externalRef must be a string that is not empty"],
    ],
    [
      "a reference with a control character",
      URL_OF_SHOP,
      { ...ORDER, externalRef: "order-1\0x" },
      ["externalRef must not hold control characters"],
    ],
    [
      "a reference that no postback may have",
      URL_OF_SHOP,
      { ...ORDER, externalRef: "x".repeat(1_001) },
      ["externalRef must have at most 1000 characters"],
    ],
    ["no URL", undefined, ORDER, ["postbackUrl must be an absolute URL without spaces"]],
    [
      "an empty order",
      URL_OF_SHOP,
      nothing,
      ["externalRef must be a string that is not empty", "amount must be a whole number of cents above zero"],
    ],
    [
      "an amount in reais",
      URL_OF_SHOP,
      { ...ORDER, amount: 19.9 },
      ["amount must be a whole number of cents above zero"],
    ],
    [
      "a method of its own",
      URL_OF_SHOP,
      { ...ORDER, paymentMethod: "boleto" },
      ['paymentMethod must be "credit_card" or "pix"'],
    ],
    [
      "a date in the past",
      URL_OF_SHOP,
      { ...ORDER, expiresAt: new Date(0) },
      ["expiresAt must be a Date in the future"],
    ],
    [
      "a date that is none",
      URL_OF_SHOP,
      { ...ORDER, expiresAt: new Date("x") },
      ["expiresAt must be a Date in the future"],
    ],
    [
      "a number for a date",
      URL_OF_SHOP,
      { ...ORDER, expiresAt: 1e15 },
      ["expiresAt must be a Date in the future"],
    ],
    [
      "no order at all",
      "x",
      undefined,
      [
        "postbackUrl must be an absolute URL without spaces",
        "externalRef must be a string that is not empty",
        "amount must be a whole number of cents above zero",
      ],
    ],
  ])("%s", async (_what, url, order, problems) => {
    const error = await failureOf(aSigner().sign(url as string, order as typeof ORDER));

    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error).toMatchObject({ outcome: "not_sent" });
    expect((error as InvalidRequestError).issues.map(({ field, message }) => `${field} ${message}`)).toEqual(
      problems,
    );
  });

  test.each([
    [2_048, undefined],
    [2_049, 1],
    [2_100, 52],
  ])("a URL of %d characters is too long by %s", async (length, excess) => {
    const signedLength = (await aSigner().sign(`${URL_OF_SHOP}?x=`, ORDER)).length;
    const url = `${URL_OF_SHOP}?x=${"y".repeat(length - signedLength)}`;

    const end = await aSigner()
      .sign(url, ORDER)
      .then(String, (error: InvalidRequestError) => error.issues);

    if (excess === undefined) expect(end).toHaveLength(2_048);
    else {
      const message = `has ${length} characters once it is signed, ${excess} more than maxLength allows (2048)`;
      expect(end).toEqual([{ field: "postbackUrl", message }]);
    }
  });

  test("what is beyond ASCII counts as it is sent", async () => {
    const error = await failureOf(aSigner().sign(`${URL_OF_SHOP}/${"é".repeat(400)}`, ORDER));

    expect(error.message).toMatch(/postbackUrl has 26\d\d characters once it is signed/);
  });

  test("maxLength is the merchant's to choose", async () => {
    const { PostbackUrlSigner } = await import("payments-sdk/postbacks");

    const error = await failureOf(
      new PostbackUrlSigner({ keys: [KEY], maxLength: 100 }).sign(URL_OF_SHOP, ORDER),
    );

    expect(error.message).toMatch(
      /postbackUrl has \d+ characters once it is signed, \d+ more than maxLength allows \(100\)/,
    );
    expect(error.message).not.toContain("loja.example");
  });
});
