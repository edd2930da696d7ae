import { createHmac } from "node:crypto";
import { PostbackUrlSigner } from "payments-sdk/postbacks";
import { describe, expect, test } from "vitest";
import { ORDER, POSTBACK, refusalOf, tokenIn, URL_OF_SHOP } from "./support/signing.ts";

/** The key of the example in RFC 7515, appendix A.1: 64 bytes. */
const SECRET = Buffer.from(
  "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow",
  "base64url",
);
const signer = new PostbackUrlSigner({ keys: [{ kid: "k1", secret: SECRET }] });
const tokens = await Promise.all(
  Array.from({ length: 20 }, (_, second) =>
    signer.sign(URL_OF_SHOP, { ...ORDER, expiresAt: new Date(Date.now() + 60_000 + second * 1_000) }),
  ),
);
// With characters that the standard alphabet writes in another way; all but one in a billion have some.
const [HEADER = "", CLAIMS = "", TAG = ""] =
  tokens.map((url) => tokenIn(url).split(".")).find((parts) => /[-_]/.test(parts[2] ?? "")) ?? [];

const base64url = (text: string) => Buffer.from(text).toString("base64url");
const headerOf = (alg: unknown, more: object = {}) =>
  base64url(JSON.stringify({ alg, kid: "k1", typ: "pb", ...more }));
const tagOf = (text: string, secret: Uint8Array = SECRET, hash = "sha256") =>
  createHmac(hash, secret).update(text).digest("base64url");
const signed = (header: string, claims = CLAIMS, secret?: Uint8Array, hash?: string) =>
  `${header}.${claims}.${tagOf(`${header}.${claims}`, secret, hash)}`;
const verify = (token: string) =>
  signer.verify(`${URL_OF_SHOP}?pbsig=${encodeURIComponent(token)}`, POSTBACK);

test("the HMAC of the example in RFC 7515, appendix A.1, is that of this file", () => {
  const header = "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9";
  const claims =
    "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ";

  expect(tagOf(`${header}.${claims}`)).toBe("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk");
});

test("a token with this HMAC is trusted, whoever wrote it and in whatever order its header is", async () => {
  const header = base64url('{ "typ":"pb",\r\n "kid":"k1", "alg":"HS256" }');

  expect(await verify(signed(header))).toEqual({ amountMatches: true });
  expect(await verify(`${HEADER}.${CLAIMS}.${tagOf(`${HEADER}.${CLAIMS}`)}`)).toEqual({
    amountMatches: true,
  });
});

const flipped = Buffer.from(TAG, "base64url");
const withFlippedBit = (bit: number) => {
  const bytes = Buffer.from(flipped);
  bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return `${HEADER}.${CLAIMS}.${bytes.toString("base64url")}`;
};
const withTag = (tag: string) => `${HEADER}.${CLAIMS}.${tag}`;
const bytes = (length: number, value: number) => Buffer.alloc(length, value).toString("base64url");

describe("a token is refused", () => {
  test("with any bit of its tag flipped", async () => {
    for (let bit = 0; bit < 256; bit += 1)
      expect(await refusalOf(verify(withFlippedBit(bit)))).toBe("bad_signature");
  });

  test.each<[string, string]>([
    ["an empty tag", withTag("")],
    ["a tag of zeros", withTag(bytes(32, 0))],
    ["a tag of ones", withTag(bytes(32, 255))],
    ["half of its tag", withTag(bytes(16, 0))],
    ["a byte after its tag", withTag(Buffer.concat([flipped, Buffer.from([0])]).toString("base64url"))],
    ["its tag twice", withTag(TAG + TAG)],
    ["padding", `${withTag(TAG)}=`],
    ["the standard alphabet", withTag(TAG.replaceAll("-", "+").replaceAll("_", "/"))],
    ["the tag in hexadecimal", withTag(flipped.toString("hex"))],
    ["white space before it", ` ${withTag(TAG)}`],
    ["a line break after it", `${withTag(TAG)}\n`],
    ["a line break inside", withTag(`${TAG.slice(0, 20)}\r\n${TAG.slice(20)}`)],
    ["an empty header", `.${CLAIMS}.${TAG}`],
    ["empty claims", signed(HEADER, "")],
    ["two parts", `${HEADER}.${CLAIMS}`],
    ["four parts", `${withTag(TAG)}.${TAG}`],
    ["five parts, as an encrypted token", `${headerOf("dir", { enc: "A128GCM" })}..${CLAIMS}.${TAG}.${TAG}`],
    ["its header and claims swapped", `${CLAIMS}.${HEADER}.${TAG}`],
    ["claims and tag swapped", `${HEADER}.${TAG}.${CLAIMS}`],
    ["JSON serialization", JSON.stringify({ protected: HEADER, payload: CLAIMS, signature: TAG })],
    ...[
      null,
      "",
      "none",
      "None",
      "hs256",
      "HS255",
      "RS256",
      "ES256",
      "PS256",
      "EdDSA",
      "dir",
      256,
      ["HS256"],
    ].map((alg): [string, string] => [`the algorithm ${JSON.stringify(alg)}`, signed(headerOf(alg))]),
    ["the algorithm HS384", signed(headerOf("HS384"), CLAIMS, SECRET, "sha384")],
    ["the algorithm HS512", signed(headerOf("HS512"), CLAIMS, SECRET, "sha512")],
    ["HS256 and the HMAC of SHA-1", signed(headerOf("HS256"), CLAIMS, SECRET, "sha1")],
    ["an empty key", signed(HEADER, CLAIMS, new Uint8Array())],
    ["a key of zeros", signed(HEADER, CLAIMS, new Uint8Array(64))],
    ["the key id as the key", signed(HEADER, CLAIMS, Buffer.from("k1"))],
    ["the key in its own header", signed(headerOf("HS256", { kid: "k2", jwk: { kty: "oct", k: "AA" } }))],
    ["an unknown critical header", signed(headerOf("HS256", { crit: ["x"], x: 1 }))],
    ["unencoded claims", signed(headerOf("HS256", { crit: ["b64"], b64: false }))],
    ["a header that is not JSON", signed(base64url("{alg:HS256}"))],
    ["a header that is a list", signed(base64url('["HS256"]'))],
    ["claims that are not JSON", signed(HEADER, base64url("a=1"))],
  ])("with %s", async (_what, token) => {
    expect(await refusalOf(verify(token))).toMatch(/^(bad_signature|other_purpose)$/);
  });

  test.each([`&pbsig=`, `&pbsig=x`, `&%70bsig=${TAG}`, `&pbsig=${withTag(TAG)}`])(
    "with a second parameter: %s",
    async (more) => {
      const url = `${URL_OF_SHOP}?pbsig=${withTag(TAG)}${more}`;

      expect(await refusalOf(signer.verify(url, POSTBACK))).toBe("bad_signature");
    },
  );
});
