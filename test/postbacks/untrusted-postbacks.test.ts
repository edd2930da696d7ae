import { generateKeyPair, SignJWT } from "jose";
import { UntrustedPostbackError } from "payments-sdk/postbacks";
import { describe, expect, test } from "vitest";
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

describe("a postback to the URL of its order is trusted", () => {
  test.each([
    ["the whole URL", (url: string) => url],
    ["its path and query", (url: string) => url.replace("https://loja.example", "")],
    [
      "the URL after a proxy rewrote it",
      (url: string) => url.replace(URL_OF_SHOP, "http://10.0.0.7:3000/hooks/x"),
    ],
    ["the URL with an added parameter", (url: string) => `${url}&utm=1`],
  ])("by %s", async (_what, seen) => {
    expect(await signer.verify(seen(await sign()), POSTBACK)).toEqual({ amountMatches: true });
  });

  test("with another amount, which amountMatches reports", async () => {
    expect(await signer.verify(await sign(), { ...POSTBACK, amount: 400 })).toEqual({ amountMatches: false });
  });
});

describe("a postback is refused", () => {
  test("of another order: other_order", async () => {
    const other = { ...POSTBACK, externalRef: "pedido-78" };

    expect(await refusalOf(signer.verify(await sign(), other))).toBe("other_order");
  });

  test.each([[undefined], [null], [77], [""]])("with the reference %j: no_reference", async (externalRef) => {
    const postback = { ...POSTBACK, externalRef } as unknown as typeof POSTBACK;

    expect(await refusalOf(signer.verify(await sign(), postback))).toBe("no_reference");
  });

  test.each([
    ["has no signature", URL_OF_SHOP],
    ["has no signature in its path and query", "/postbacks?x=1"],
    ["has a signature in its fragment", `${URL_OF_SHOP}#pbsig=x`],
    ["is empty", ""],
  ])("whose URL %s: missing_signature", async (_what, url) => {
    expect(await refusalOf(signer.verify(url, POSTBACK))).toBe("missing_signature");
  });

  test("whose URL has two signatures, even two valid ones: bad_signature", async () => {
    const url = await sign();

    for (const second of [`pbsig=${tokenIn(url)}`, "pbsig=", `%70bsig=${tokenIn(url)}`])
      expect(await refusalOf(signer.verify(`${url}&${second}`, POSTBACK))).toBe("bad_signature");
  });

  test.each<[string, (token: string) => string]>([
    ["padding", (token) => `${token}=`],
    ["white space before it", (token) => ` ${token}`],
    ["a line break after it", (token) => `${token}\n`],
    ["a line break inside", (token) => `${token.slice(0, -20)}\r\n${token.slice(-20)}`],
    ["a fourth part", (token) => `${token}.${token.split(".")[2]}`],
  ])("whose token has %s: bad_signature", async (_what, change) => {
    const token = encodeURIComponent(change(tokenIn(await sign())));

    expect(await refusalOf(signer.verify(urlWith(token), POSTBACK))).toBe("bad_signature");
  });

  test("whose token was truncated or changed at any character: bad_signature", async () => {
    const token = tokenIn(await sign());
    const others = [..."AEIMQUYcgkosw048-_9 .\0"];
    const changed = [...token].flatMap((own, at) => {
      const other = others[at % others.length] ?? "";
      const replacement = other === own ? "B" : other;
      return [token.slice(0, at), token.slice(0, at) + replacement + token.slice(at + 1)];
    });

    const reasons = await Promise.all(
      changed.map((bad) => refusalOf(signer.verify(urlWith(encodeURIComponent(bad)), POSTBACK))),
    );

    expect(new Set(reasons)).toEqual(new Set(["bad_signature"]));
  });

  test("whose signature has another last character: it has no unused bits", async () => {
    const url = await sign();
    const others = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"].filter(
      (last) => last !== url.at(-1),
    );

    const reasons = await Promise.all(
      others.map((last) => refusalOf(signer.verify(url.slice(0, -1) + last, POSTBACK))),
    );

    expect(new Set(reasons)).toEqual(new Set(["bad_signature"]));
  });

  test.each([
    ["an unknown key", async () => forged({}, bytesOf("z".repeat(40)))],
    ["an unknown kid", async () => forged({ kid: "k9" }, bytesOf(KEY.secret))],
    ["no kid", async () => forged({ kid: undefined }, bytesOf(KEY.secret))],
    ["the kid of another key", async () => forged({ kid: OTHER_KEY.kid }, bytesOf(KEY.secret))],
    ["HS384", async () => forged({ alg: "HS384" }, bytesOf(KEY.secret.repeat(2)))],
    ["RS256", async () => forged({ alg: "RS256" }, (await generateKeyPair("RS256")).privateKey)],
    ["the algorithm none", async () => `${NONE}.${tokenIn(await sign()).split(".")[1]}.`],
    ["the algorithm none, and a signature", async () => tokenIn(await sign()).replace(/^[^.]+/, NONE)],
    [
      "the claims of another token",
      async () => tokenIn(await sign()).replace(/\.[^.]+\./, `.${OTHER_CLAIMS}.`),
    ],
  ])("with %s: bad_signature", async (_what, make) => {
    const keys = aSigner(KEY, OTHER_KEY);

    expect(await refusalOf(keys.verify(urlWith(await make()), POSTBACK))).toBe("bad_signature");
  });

  test.each<[string, Record<string, unknown>, object]>([
    ["for a session of the shop", { typ: "JWT" }, {}],
    ["without a type", { typ: undefined }, {}],
    ["without an expiry", {}, { exp: undefined }],
    ["without an amount", {}, { a: undefined }],
    ["whose amount is text", {}, { a: "10000" }],
    ["without a digest", {}, { r: undefined }],
  ])("with a token of the same key %s: other_purpose", async (_what, header, claims) => {
    const token = await forged(header, bytesOf(KEY.secret), claims);

    expect(await refusalOf(signer.verify(urlWith(token), POSTBACK))).toBe("other_purpose");
  });

  test("with an expired token: expired, but only if its signature is valid", async () => {
    const past = { exp: Math.floor(Date.now() / 1000) - 10 };
    const valid = await forged({}, bytesOf(KEY.secret), past);
    const invalid = await forged({}, bytesOf("z".repeat(40)), past);

    expect(await refusalOf(signer.verify(urlWith(valid), POSTBACK))).toBe("expired");
    expect(await refusalOf(signer.verify(urlWith(invalid), POSTBACK))).toBe("bad_signature");
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
