import { generateKeyPair, SignJWT } from "jose";
import { UntrustedPostbackError } from "payments-sdk/postbacks";
import { describe, expect, test } from "vitest";
import {
  aSigner,
  KEY,
  ORDER,
  OTHER_KEY,
  POSTBACK,
  refusalOf,
  tokenIn,
  URL_OF_SHOP,
} from "./support/signing.ts";

const signer = aSigner();
const sign = () => signer.sign(URL_OF_SHOP, ORDER);

const b64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const bytesOf = (text: string) => new TextEncoder().encode(text);
const inAnHour = () => Math.floor(Date.now() / 1000) + 3600;

/** A URL with a token of the test's own making. */
function urlWith(token: string): string {
  return `${URL_OF_SHOP}?pbsig=${token}`;
}

/** A token with the claims of a real one, signed with another algorithm, key or header. */
async function forged(header: Record<string, unknown>, key: CryptoKey | Uint8Array, claims: object = {}) {
  const real = JSON.parse(Buffer.from(tokenIn(await sign()).split(".")[1] ?? "", "base64url").toString());
  return new SignJWT({ ...real, ...claims })
    .setProtectedHeader({ alg: "HS256", kid: KEY.kid, typ: "pb", ...header })
    .sign(key);
}

describe("a postback to the URL of its order is trusted", () => {
  test.each([
    ["the whole URL", (url: string) => url],
    ["its path and query", (url: string) => url.replace("https://loja.example", "")],
    [
      "the URL as a proxy rewrote it",
      (url: string) => url.replace("https://loja.example/postbacks", "http://10.0.0.7:3000/hooks/x"),
    ],
    ["a parameter that somebody added", (url: string) => `${url}&utm=1`],
  ])("by %s", async (_what, seen) => {
    expect(await signer.verify(seen(await sign()), POSTBACK)).toEqual({ amountMatches: true });
  });

  test("also when its amount is another, which is told", async () => {
    expect(await signer.verify(await sign(), { ...POSTBACK, amount: 400 })).toEqual({ amountMatches: false });
  });

  test("also with a status that somebody changed: the signature does not cover it", async () => {
    const changed = { ...POSTBACK, status: "refunded" };

    expect(await signer.verify(await sign(), changed)).toEqual({ amountMatches: true });
  });
});

describe("a postback is refused", () => {
  test("that names another order: other_order", async () => {
    expect(await refusalOf(signer.verify(await sign(), { ...POSTBACK, externalRef: "pedido-78" }))).toBe(
      "other_order",
    );
  });

  test.each([[undefined], [null], [77]])("that has the reference %j: no_reference", async (externalRef) => {
    const postback = { ...POSTBACK, externalRef } as unknown as typeof POSTBACK;

    expect(await refusalOf(signer.verify(await sign(), postback))).toBe("no_reference");
  });

  test.each([
    ["has none", URL_OF_SHOP],
    ["has none in its path and query", "/postbacks?x=1"],
    ["has one in its fragment", `${URL_OF_SHOP}#pbsig=x`],
    ["is empty", ""],
  ])("whose URL %s: missing_signature", async (_what, url) => {
    expect(await refusalOf(signer.verify(url, POSTBACK))).toBe("missing_signature");
  });

  test("whose URL was cut, anywhere in the token: bad_signature", async () => {
    const url = await sign();
    const token = tokenIn(url);

    const reasons = await Promise.all(
      Array.from({ length: token.length }, (_, at) =>
        refusalOf(signer.verify(urlWith(token.slice(0, at)), POSTBACK)),
      ),
    );

    expect(new Set(reasons)).toEqual(new Set(["bad_signature"]));
  });

  test("whose URL has two signatures, even two good ones: bad_signature", async () => {
    const url = await sign();

    expect(await refusalOf(signer.verify(`${url}&pbsig=${tokenIn(url)}`, POSTBACK))).toBe("bad_signature");
  });

  test.each([
    ["a key that nobody has", async () => forged({}, bytesOf("z".repeat(40)))],
    ["a kid that nobody has", async () => forged({ kid: "k9" }, bytesOf(KEY.secret))],
    ["no kid", async () => forged({ kid: undefined }, bytesOf(KEY.secret))],
    ["the kid of another key", async () => forged({ kid: OTHER_KEY.kid }, bytesOf(KEY.secret))],
    ["HS384", async () => forged({ alg: "HS384" }, bytesOf(KEY.secret.repeat(2)))],
    ["RS256", async () => forged({ alg: "RS256" }, (await generateKeyPair("RS256")).privateKey)],
    [
      "the algorithm none",
      async () => `${b64({ alg: "none", kid: KEY.kid, typ: "pb" })}.${tokenIn(await sign()).split(".")[1]}.`,
    ],
    [
      "the algorithm none, and a signature that looks like one",
      async () =>
        [
          b64({ alg: "none", kid: KEY.kid, typ: "pb" }),
          ...tokenIn(await sign())
            .split(".")
            .slice(1),
        ].join("."),
    ],
    [
      "claims of another token",
      async () => {
        const [header, , signature] = tokenIn(await sign()).split(".");
        return `${header}.${b64({ exp: inAnHour(), a: 1, r: "AAAAAAAAAAAAAAAAAAAAAA" })}.${signature}`;
      },
    ],
    ["an HTML page", async () => "<html>"],
  ])("with %s: bad_signature", async (_what, make) => {
    const keys = aSigner(KEY, OTHER_KEY);

    expect(await refusalOf(keys.verify(urlWith(encodeURIComponent(await make())), POSTBACK))).toBe(
      "bad_signature",
    );
  });

  test.each<[string, Record<string, unknown>, object]>([
    ["that is a session of the shop", { typ: "JWT" }, {}],
    ["that does not say what it is for", { typ: undefined }, {}],
    ["without an expiry", {}, { exp: undefined }],
    ["without an amount", {}, { a: undefined }],
    ["whose amount is a text", {}, { a: "10000" }],
    ["without a digest", {}, { r: undefined }],
  ])("with a token of the same key %s: other_purpose", async (_what, header, claims) => {
    const token = await forged(header, bytesOf(KEY.secret), claims);

    expect(await refusalOf(signer.verify(urlWith(token), POSTBACK))).toBe("other_purpose");
  });

  test("with a token that has expired: expired, but only where its signature is good", async () => {
    const past = { exp: Math.floor(Date.now() / 1000) - 10 };
    const good = await forged({}, bytesOf(KEY.secret), past);
    const bad = await forged({}, bytesOf("z".repeat(40)), past);

    expect(await refusalOf(signer.verify(urlWith(good), POSTBACK))).toBe("expired");
    expect(await refusalOf(signer.verify(urlWith(bad), POSTBACK))).toBe("bad_signature");
  });
});

test("the error says its reason, and neither URL nor reference", async () => {
  const error: unknown = await signer
    .verify(`${URL_OF_SHOP}?pbsig=c4nary`, POSTBACK)
    .catch((thrown) => thrown);

  expect(error).toBeInstanceOf(UntrustedPostbackError);
  expect(error).toMatchObject({
    code: "untrusted_postback",
    reason: "bad_signature",
    outcome: "not_applicable",
  });
  expect(JSON.stringify(error) + String((error as Error).stack)).not.toMatch(/c4nary|loja\.example|pedido/);
});
