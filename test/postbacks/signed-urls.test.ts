import { InvalidRequestError, PostbackUrlSigner } from "payments-sdk/postbacks";
import { describe, expect, test, vi } from "vitest";
import { failureOf } from "../support/merchant.ts";
import { aSigner, KEY, ORDER, POSTBACK, partOf, refusalOf, tokenIn, URL_OF_SHOP } from "./support/signing.ts";

const DAY_IN_SECONDS = 86_400;
const MATCHING = { amountMatches: true };

describe("a signed URL", () => {
  test("has an HS256 token with its key id and its purpose", async () => {
    const url = await aSigner().sign(URL_OF_SHOP, ORDER);

    expect(url).toMatch(/^https:\/\/loja\.example\/postbacks\?pbsig=[\w-]+\.[\w-]+\.[\w-]+$/);
    expect(partOf(tokenIn(url), 0)).toEqual({ alg: "HS256", kid: "k1", typ: "pb" });
  });

  test("contains the amount, the expiry and 128 bits of a digest, and nothing else", async () => {
    const url = await aSigner().sign(URL_OF_SHOP, ORDER);

    expect(partOf(tokenIn(url), 1)).toEqual({
      a: 10_000,
      exp: expect.any(Number),
      r: expect.stringMatching(/^[\w-]{22}$/),
    });
  });

  test("does not reveal the reference, not even to someone who guesses it", async () => {
    const one = await aSigner(KEY).sign(URL_OF_SHOP, ORDER);
    const other = await aSigner({ ...KEY, secret: "x".repeat(32) }).sign(URL_OF_SHOP, ORDER);

    expect(one).not.toContain("pedido-77");
    expect(partOf(tokenIn(one), 1)["r"]).not.toBe(partOf(tokenIn(other), 1)["r"]); // the digest needs the key
  });

  test("has a digest that is never the prefix of a signature, for any reference", async () => {
    const [header = "", payload = "", signature = ""] = tokenIn(
      await aSigner().sign(URL_OF_SHOP, ORDER),
    ).split(".");

    const url = await aSigner().sign(URL_OF_SHOP, { ...ORDER, externalRef: `${header}.${payload}` });

    expect(signature.startsWith(String(partOf(tokenIn(url), 1)["r"]).slice(0, -1))).toBe(false);
  });
});

describe("the rest of a URL does not change", () => {
  test.each([
    ["https://loja.example", "https://loja.example?pbsig="],
    ["https://loja.example/?", "https://loja.example/?pbsig="],
    ["https://loja.example/p?a=%20+b&a=ç&c", "https://loja.example/p?a=%20+b&a=ç&c&pbsig="],
    ["https://loja.example/p?a&", "https://loja.example/p?a&pbsig="],
    ["https://loja.example/p?q=a?b", "https://loja.example/p?q=a?b&pbsig="],
    ["https://Loja.Example:443/a/../b", "https://Loja.Example:443/a/../b?pbsig="],
    ["\t https://loja.example/p\u00a0\r\n", "https://loja.example/p?pbsig="], // as pasted
  ])("%s", async (url, beginning) => {
    const signed = await aSigner().sign(url, ORDER);

    expect(signed.slice(0, beginning.length)).toBe(beginning);
    expect(await aSigner().verify(signed, POSTBACK)).toEqual(MATCHING);
  });

  test("a fragment stays after the query", async () => {
    const signed = await aSigner().sign("https://loja.example/p?a=1#part?b", ORDER);

    expect(signed).toMatch(/^https:\/\/loja\.example\/p\?a=1&pbsig=[\w.-]+#part\?b$/);
    expect(await aSigner().verify(signed, POSTBACK)).toEqual(MATCHING);
  });

  test("an earlier signature is replaced", async () => {
    const before = await aSigner().sign("https://loja.example/p?pbsig=old&a=1", { ...ORDER, amount: 1 });
    const signed = await aSigner().sign(before.replace("pbsig", "%70bsig"), ORDER);

    expect(new URL(signed).searchParams.getAll("pbsig")).toHaveLength(1);
    expect(signed).toContain("?a=1&pbsig=");
    expect(await aSigner().verify(signed, POSTBACK)).toEqual(MATCHING);
  });
});

describe("a signed URL is valid", () => {
  test.each([
    ["for 180 days for a pix", { paymentMethod: "pix" }, 180],
    ["for two years for a card", { paymentMethod: "credit_card" }, 730],
    ["for two years if the method is unknown", {}, 730],
  ] as const)("%s", async (_what, order, days) => {
    const now = Math.floor(Date.now() / 1000);

    const { exp } = partOf(tokenIn(await aSigner().sign(URL_OF_SHOP, { ...ORDER, ...order })), 1);

    expect(Math.abs(Number(exp) - now - days * DAY_IN_SECONDS)).toBeLessThan(60);
  });

  test("until expiresAt", async () => {
    const expiresAt = new Date(Date.now() + 3_600_000);
    const signer = aSigner();
    const signed = await signer.sign(URL_OF_SHOP, { ...ORDER, expiresAt });
    vi.useFakeTimers({ toFake: ["Date"] });

    vi.setSystemTime(expiresAt.getTime() - 2_000);
    expect(await signer.verify(signed, POSTBACK)).toEqual(MATCHING);
    vi.setSystemTime(expiresAt.getTime() + 2_000);
    expect(await refusalOf(signer.verify(signed, POSTBACK))).toBe("expired");

    vi.useRealTimers();
  });
});

describe("invalid input is refused, with all problems at once", () => {
  const BAD_URL =
    "postbackUrl must be an absolute http or https URL without spaces, invisible characters or backslashes";
  const BAD_REFERENCE = "externalRef must be a string that is not empty";
  const BAD_AMOUNT = "amount must be a whole number of cents above zero";
  const CONTROL = "externalRef must not contain control characters";
  const TOO_LONG = "externalRef must have at most 1000 characters";
  const BAD_METHOD = 'paymentMethod must be "credit_card" or "pix"';
  const BAD_DATE = "expiresAt must be a Date in the future";

  test.each<[string, unknown, object, string[]]>([
    ["a URL without a host", "/postbacks", {}, [BAD_URL]],
    ["a URL of another scheme", "ftp://loja.example", {}, [BAD_URL]],
    ["a URL with a line break in it", "https://loja.example/\npb", {}, [BAD_URL]],
    ["half of a surrogate pair in the reference", URL_OF_SHOP, { externalRef: "a\ud800" }, [BAD_REFERENCE]],
    ["a reference with a control character", URL_OF_SHOP, { externalRef: "order-1\0x" }, [CONTROL]],
    ["a reference too long for a postback", URL_OF_SHOP, { externalRef: "x".repeat(1_001) }, [TOO_LONG]],
    ["nothing", undefined, { externalRef: "", amount: 0 }, [BAD_URL, BAD_REFERENCE, BAD_AMOUNT]],
    ["an amount in reais", URL_OF_SHOP, { amount: 19.9 }, [BAD_AMOUNT]],
    ["an unknown method", URL_OF_SHOP, { paymentMethod: "boleto" }, [BAD_METHOD]],
    ["a date in the past", URL_OF_SHOP, { expiresAt: new Date(Date.now() - 1_000) }, [BAD_DATE]],
    ["an invalid date", URL_OF_SHOP, { expiresAt: new Date("x") }, [BAD_DATE]],
    ["a number instead of a date", URL_OF_SHOP, { expiresAt: 1e15 }, [BAD_DATE]],
  ])("%s", async (_what, url, changes, problems) => {
    const error = await failureOf(aSigner().sign(url as string, { ...ORDER, ...changes }));

    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error.outcome).toBe("not_sent");
    const { issues } = error as InvalidRequestError;
    expect(issues.map(({ field, message }) => `${field} ${message}`)).toEqual(problems);
  });

  test("no order", async () => {
    const error = await failureOf(aSigner().sign(URL_OF_SHOP, undefined as unknown as typeof ORDER));

    expect(error.message).toContain(BAD_REFERENCE);
    expect(error.message).toContain(BAD_AMOUNT);
  });
});

describe("a signed URL that is too long is refused", () => {
  test("above 2,048 characters", async () => {
    const { length } = await aSigner().sign(`${URL_OF_SHOP}?x=`, ORDER);
    const urlOf = (signedLength: number) => `${URL_OF_SHOP}?x=${"y".repeat(signedLength - length)}`;

    expect(await aSigner().sign(urlOf(2_048), ORDER)).toHaveLength(2_048);
    const message = "has 2049 characters once it is signed, 1 more than maxLength allows (2048)";
    expect(await failureOf(aSigner().sign(urlOf(2_049), ORDER))).toMatchObject({
      issues: [{ field: "postbackUrl", message }],
    });
  });

  test("by its length as sent, which is larger with characters beyond ASCII", async () => {
    const error = await failureOf(aSigner().sign(`${URL_OF_SHOP}/${"é".repeat(400)}`, ORDER));

    expect(error.message).toMatch(/postbackUrl has 26\d\d characters once it is signed/);
  });

  test("above maxLength, and is not in the message", async () => {
    const signer = new PostbackUrlSigner({ keys: [KEY], maxLength: 100 });

    const { message } = await failureOf(signer.sign(URL_OF_SHOP, ORDER));

    expect(message).toContain("more than maxLength allows (100)");
    expect(message).not.toContain("loja.example");
  });
});
