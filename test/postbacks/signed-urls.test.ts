import { inspect } from "node:util";
import { generateKeyPair, SignJWT } from "jose";
import {
  ConfigurationError,
  InvalidRequestError,
  PostbackUrlSigner,
  type PostbackUrlSignerOptions,
  UntrustedPostbackError,
} from "payments-sdk/postbacks";
import { describe, expect, test, vi } from "vitest";
import { failureOf, thrownBy } from "../support/merchant.ts";
import {
  aSigner,
  KEY,
  ORDER,
  OTHER_KEY,
  POSTBACK,
  partOf,
  refusalOf,
  tokenIn,
  URL_OF_SHOP,
} from "./support/signing.ts";

describe("a signed URL", () => {
  test("has an HS256 token with the amount, the expiry and 128 bits of a digest that needs the key", async () => {
    const url = await aSigner().sign(URL_OF_SHOP, ORDER);
    const other = await aSigner({ ...KEY, secret: "x".repeat(32) }).sign(URL_OF_SHOP, ORDER);

    expect(url).toMatch(/^https:\/\/loja\.example\/postbacks\?pbsig=[\w-]+\.[\w-]+\.[\w-]+$/);
    expect(partOf(tokenIn(url), 0)).toEqual({ alg: "HS256", kid: "k1", typ: "pb" });
    const digest = expect.stringMatching(/^[\w-]{22}$/);
    expect(partOf(tokenIn(url), 1)).toEqual({ a: 10_000, exp: expect.any(Number), r: digest });
    expect(url).not.toContain("pedido-77");
    expect(partOf(tokenIn(url), 1)["r"]).not.toBe(partOf(tokenIn(other), 1)["r"]);
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
    ["https://loja.example/?", "https://loja.example/?pbsig="],
    ["https://loja.example/p?a=%20+b&a=ç&c", "https://loja.example/p?a=%20+b&a=ç&c&pbsig="],
    ["https://loja.example/p?q=a?b", "https://loja.example/p?q=a?b&pbsig="],
    ["https://Loja.Example:443/a/../b", "https://Loja.Example:443/a/../b?pbsig="],
    ["\t https://loja.example/p\u00a0\r\n", "https://loja.example/p?pbsig="], // as pasted
  ])("%s", async (url, beginning) => {
    const signed = await aSigner().sign(url, ORDER);

    expect(signed.slice(0, beginning.length)).toBe(beginning);
    expect(await aSigner().verify(signed, POSTBACK)).toEqual(MATCHING);
  });

  test("but an earlier signature is replaced, before the fragment", async () => {
    const before = await aSigner().sign("https://loja.example/p?pbsig=old&a=1#part?b", ORDER);
    const signed = await aSigner().sign(before.replace("pbsig", "%70bsig"), ORDER);

    expect(signed).toMatch(/^https:\/\/loja\.example\/p\?a=1&pbsig=[\w.-]+#part\?b$/);
    expect(await aSigner().verify(signed, POSTBACK)).toEqual(MATCHING);
  });
});

describe("a signed URL is valid", () => {
  test.each([
    ["pix", 180],
    ["credit_card", 730],
    [undefined, 730],
  ] as const)("for the method %s: %d days", async (paymentMethod, days) => {
    const order = { ...ORDER, ...(paymentMethod && { paymentMethod }) };

    const { exp } = partOf(tokenIn(await aSigner().sign(URL_OF_SHOP, order)), 1);

    expect(Number(exp) / 86_400).toBeCloseTo(Date.now() / 86_400_000 + days, 2);
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
  const BAD_DATE = "expiresAt must be a Date in the future";

  test.each<[string, unknown, object | undefined, string[]]>([
    ["no order", URL_OF_SHOP, undefined, [BAD_REFERENCE, BAD_AMOUNT]],
    ["a URL without a host", "/postbacks", {}, [BAD_URL]],
    ["a URL with a line break in it", "https://loja.example/\npb", {}, [BAD_URL]],
    ["half of a surrogate pair in the reference", URL_OF_SHOP, { externalRef: "a\ud800" }, [BAD_REFERENCE]],
    ["a reference with a control character", URL_OF_SHOP, { externalRef: "order-1\0x" }, [CONTROL]],
    ["a reference too long for a postback", URL_OF_SHOP, { externalRef: "x".repeat(1_001) }, [TOO_LONG]],
    ["nothing", undefined, { externalRef: "", amount: 0 }, [BAD_URL, BAD_REFERENCE, BAD_AMOUNT]],
    ["an amount in reais", URL_OF_SHOP, { amount: 19.9 }, [BAD_AMOUNT]],
    [
      "an unknown method",
      URL_OF_SHOP,
      { paymentMethod: "boleto" },
      ['paymentMethod must be "credit_card" or "pix"'],
    ],
    ["a date in the past", URL_OF_SHOP, { expiresAt: new Date(Date.now() - 1_000) }, [BAD_DATE]],
    ["a number instead of a date", URL_OF_SHOP, { expiresAt: 1e15 }, [BAD_DATE]],
  ])("%s", async (_what, url, changes, problems) => {
    const order = changes === undefined ? changes : { ...ORDER, ...changes };
    const error = await failureOf(aSigner().sign(url as string, order as typeof ORDER));

    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error.outcome).toBe("not_sent");
    const { issues } = error as InvalidRequestError;
    expect(issues.map(({ field, message }) => `${field} ${message}`)).toEqual(problems);
  });
});

test("a signed URL is refused above maxLength as it is sent, by default 2,048 characters, and is not in the message", async () => {
  const { length } = await aSigner().sign(`${URL_OF_SHOP}?x=`, ORDER);
  const urlOf = (signedLength: number) => `${URL_OF_SHOP}?x=${"y".repeat(signedLength - length)}`;
  const short = new PostbackUrlSigner({ keys: [KEY], maxLength: 700 });

  expect(await aSigner().sign(urlOf(2_048), ORDER)).toHaveLength(2_048);
  const message = "has 2049 characters once it is signed, 1 more than maxLength allows (2048)";
  expect(await failureOf(aSigner().sign(urlOf(2_049), ORDER))).toMatchObject({
    issues: [{ field: "postbackUrl", message }],
  });
  const error = await failureOf(short.sign(`${URL_OF_SHOP}/${"é".repeat(100)}`, ORDER)); // longer as it is sent
  expect(error.message).toMatch(/postbackUrl has 8\d\d characters once it is signed, .* allows \(700\)/);
  expect(error.message).not.toContain("loja.example");
});

const createSigner = (options: unknown) => new PostbackUrlSigner(options as PostbackUrlSignerOptions);

const MATCHING = { amountMatches: true, signedAmount: ORDER.amount };

describe("invalid options are refused when the signer is created", () => {
  test.each<[string, unknown, string]>([
    ["no options", undefined, "The options must be an object that can be read."],
    ["a key instead of a list", { keys: KEY }, "keys must be a list of at least one { kid, secret }."],
    ["null in the list", { keys: [KEY, null] }, "keys.1.kid must be a string that is not empty."],
    ["an empty kid", { keys: [{ ...KEY, kid: "" }] }, "keys.0.kid must be a string that is not empty."],
    ["no secret", { keys: [{ kid: "a" }] }, "keys.0.secret must be a string or bytes."],
    [
      "31 bytes",
      { keys: [{ kid: "a", secret: "x".repeat(31) }] },
      "keys.0.secret must have at least 32 bytes",
    ],
    ["a duplicate kid", { keys: [KEY, { ...OTHER_KEY, kid: "k1" }] }, "keys must have a different kid."],
    ["a length of zero", { keys: [KEY], maxLength: 0 }, "maxLength must be a whole number of characters"],
    ["an unknown option", { keys: [KEY], secret: "x" }, "secret is not an option"],
  ])("%s", (_what, options, message) => {
    const error = thrownBy(() => createSigner(options));

    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error.message).toContain(message);
  });
});

test.each<[string, string | Uint8Array]>([
  ["16 characters of two bytes each", "ç".repeat(16)],
  ["bytes, which the caller may erase", new Uint8Array(32).fill(7)],
])("a secret of 32 bytes is accepted: %s", async (_what, secret) => {
  const [same, signer] = [aSigner({ kid: "a", secret }), aSigner({ kid: "a", secret })];
  const signed = await same.sign(URL_OF_SHOP, ORDER);
  if (typeof secret !== "string") secret.fill(0);

  expect(await signer.verify(signed, POSTBACK)).toEqual(MATCHING);
});

test("the first key signs, all keys verify, and a removed key no longer verifies", async () => {
  const rotated = aSigner(OTHER_KEY, KEY);
  const byOld = await aSigner(KEY).sign(URL_OF_SHOP, ORDER);
  const byNew = await rotated.sign(URL_OF_SHOP, ORDER);

  expect(partOf(tokenIn(byNew), 0)).toMatchObject({ kid: "k2" });
  expect(await rotated.verify(byOld, POSTBACK)).toEqual(MATCHING);
  expect(await rotated.verify(byNew, POSTBACK)).toEqual(MATCHING);
  expect(await refusalOf(aSigner(OTHER_KEY).verify(byOld, POSTBACK))).toBe("bad_signature");
});

test("the platform compares a wrong signature of the right length like a valid one", async () => {
  const verify = vi.spyOn(crypto.subtle, "verify");
  const signer = aSigner();
  const valid = await signer.sign(URL_OF_SHOP, ORDER);
  await signer.verify(valid, POSTBACK);

  const wrong = valid.slice(0, -43) + "A".repeat(43);
  expect(await refusalOf(signer.verify(wrong, POSTBACK))).toBe("bad_signature");

  const [first, second, ...more] = verify.mock.calls.map(([, , ...compared]) =>
    compared.map(({ byteLength }) => byteLength),
  );
  expect([second, more]).toEqual([first, []]);
});

test("a signer never prints its secrets", () => {
  const signer = aSigner({ kid: "a", secret: "c4nary".repeat(8) });
  const { message } = thrownBy(() => createSigner({ keys: [{ kid: "c4nary-kid", secret: "c4nary" }] }));

  const shown = [
    inspect(signer, { showHidden: true, depth: 9, getters: true }),
    JSON.stringify(signer),
    String(signer),
    message,
  ];
  expect(shown.join()).not.toContain("c4nary");
});

const signer = aSigner();
const sign = () => signer.sign(URL_OF_SHOP, ORDER);

const b64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const bytesOf = (text: string) => new TextEncoder().encode(text);
const inAnHour = () => Math.floor(Date.now() / 1000) + 3600;

const NONE = b64({ alg: "none", kid: KEY.kid, typ: "pb" });
const OTHER_CLAIMS = b64({ exp: inAnHour(), a: 1, r: "AAAAAAAAAAAAAAAAAAAAAA" });

/** A URL with a given token. */
const urlWith = (token: string) => `${URL_OF_SHOP}?pbsig=${token}`;

/** A token with the claims of a real one, signed with a given key, and with changes to its header and claims. */
async function forged(header: Record<string, unknown>, key: CryptoKey | Uint8Array, claims: object = {}) {
  const real = partOf(tokenIn(await sign()), 1);
  return new SignJWT({ ...real, ...claims })
    .setProtectedHeader({ alg: "HS256", kid: KEY.kid, typ: "pb", ...header })
    .sign(key);
}

test.each<[string, object, boolean, (url: string) => string]>([
  ["the whole URL", {}, true, (url) => url],
  ["its path and query", {}, true, (url) => url.replace("https://loja.example", "")],
  ["the URL that a proxy rewrote", {}, true, (url) => url.replace(URL_OF_SHOP, "http://10.0.0.7:3000/x")],
  ["the URL with an added parameter", {}, true, (url) => `${url}&utm=1`],
  ["the URL, with another amount", { amount: 400 }, false, (url) => url],
])("a postback is trusted by %s", async (_what, changes, amountMatches, toSeen) => {
  const result = await signer.verify(toSeen(await sign()), { ...POSTBACK, ...changes });

  expect(result).toMatchObject({ amountMatches });
});

describe("a postback is refused", () => {
  test.each([
    ["pedido-78", "other_order"],
    [undefined, "no_reference"],
    [null, "no_reference"],
    [77, "no_reference"],
    ["", "no_reference"],
  ])("with the reference %j: %s", async (externalRef, reason) => {
    const postback = { ...POSTBACK, externalRef } as typeof POSTBACK;

    expect(await refusalOf(signer.verify(await sign(), postback))).toBe(reason);
  });

  test.each(["", URL_OF_SHOP, "/postbacks?x=1", `${URL_OF_SHOP}#pbsig=x`])(
    "at the URL %j: missing_signature",
    async (url) => {
      expect(await refusalOf(signer.verify(url, POSTBACK))).toBe("missing_signature");
    },
  );

  test.each(["pbsig=TOKEN", "pbsig=", "%70bsig=TOKEN"])("with a second %s: bad_signature", async (second) => {
    const signed = await sign();
    const url = `${signed}&${second.replace("TOKEN", tokenIn(signed))}`;

    expect(await refusalOf(signer.verify(url, POSTBACK))).toBe("bad_signature");
  });

  test("whose token was truncated or changed at any character: bad_signature", async () => {
    const token = tokenIn(await sign());
    const others = [..."AEIMQUYcgkosw048-_9 .\0"];
    const changed = [...token].flatMap((own, at) => {
      const other = others[at % others.length] ?? "";
      const replacement = other === own ? "B" : other;
      return [token.slice(0, at), token.slice(0, at) + replacement + token.slice(at + 1)];
    });

    // The last one has no unused bits.
    for (const last of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") {
      if (last !== token.at(-1)) changed.push(token.slice(0, -1) + last);
    }

    const reasons = await Promise.all(
      changed.map((bad) => refusalOf(signer.verify(urlWith(encodeURIComponent(bad)), POSTBACK))),
    );

    expect(new Set(reasons)).toEqual(new Set(["bad_signature"]));
  });

  const secret = bytesOf(KEY.secret);
  const past = { exp: Math.floor(Date.now() / 1000) - 10 };
  const changed = async (change: (token: string) => string) => change(tokenIn(await sign()));

  const otherKey = bytesOf("z".repeat(40));

  test.each<[string, () => Promise<string>]>([
    ["padding", () => changed((token) => `${token}=`)],
    ["a line break", () => changed((token) => `${token.slice(0, -20)}\r\n${token.slice(-20)}`)],
    ["a fourth part", () => changed((token) => `${token}.${token.split(".")[2]}`)],
    ["an unknown kid", () => forged({ kid: "k9" }, secret)],
    ["no kid", () => forged({ kid: undefined }, secret)],
    ["the kid of another key", () => forged({ kid: OTHER_KEY.kid }, secret)],
    ["HS384", () => forged({ alg: "HS384" }, bytesOf(KEY.secret.repeat(2)))],
    ["RS256", async () => forged({ alg: "RS256" }, (await generateKeyPair("RS256")).privateKey)],
    ["the algorithm none", () => changed((token) => `${NONE}.${token.split(".")[1]}.`)],
    ["none, and a signature", () => changed((token) => token.replace(/^[^.]+/, NONE))],
    ["other claims", () => changed((token) => token.replace(/\.[^.]+\./, `.${OTHER_CLAIMS}.`))],
    ["an expiry in the past, unsigned", () => forged({}, otherKey, past)],
  ])("if the token has %s: bad_signature", async (_what, make) => {
    const url = urlWith(encodeURIComponent(await make()));

    expect(await refusalOf(aSigner(KEY, OTHER_KEY).verify(url, POSTBACK))).toBe("bad_signature");
  });

  test.each<[string, object, object, string]>([
    ["an expiry in the past", {}, past, "expired"],
    ["the type of a session of the shop", { typ: "JWT" }, {}, "other_purpose"],
    ["no type", { typ: undefined }, {}, "other_purpose"],
    ["no expiry", {}, { exp: undefined }, "other_purpose"],
    ["no amount", {}, { a: undefined }, "other_purpose"],
    ["an amount that is text", {}, { a: "10000" }, "other_purpose"],
    ["no digest", {}, { r: undefined }, "other_purpose"],
  ])("if the signed token has %s", async (_what, header, claims, reason) => {
    const url = urlWith(await forged({ ...header }, secret, claims));

    expect(await refusalOf(signer.verify(url, POSTBACK))).toBe(reason);
  });
});

test("the error has a reason, but neither the URL nor the reference", async () => {
  const error: unknown = await signer.verify(urlWith("c4nary"), POSTBACK).catch((thrown) => thrown);

  expect(error).toBeInstanceOf(UntrustedPostbackError);
  expect(error).toMatchObject({
    code: "untrusted_postback",
    reason: "bad_signature",
    outcome: "not_applicable",
  });
  expect(JSON.stringify(error) + String((error as Error).stack)).not.toMatch(/c4nary|loja\.example|pedido/);
});
