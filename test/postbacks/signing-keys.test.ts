import { inspect } from "node:util";
import { ConfigurationError, PostbackUrlSigner, type PostbackUrlSignerOptions } from "payments-sdk/postbacks";
import { describe, expect, test, vi } from "vitest";
import { thrownBy } from "../support/merchant.ts";
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

const createSigner = (options: unknown) => new PostbackUrlSigner(options as PostbackUrlSignerOptions);

const MATCHING = { amountMatches: true };

describe("invalid options are refused when the signer is created", () => {
  const TOO_SHORT = "must have at least 32 bytes, and has 31.";

  test.each<[string, unknown, string]>([
    ["no options", undefined, "The options must be an object that can be read."],
    ["a key instead of a list", { keys: KEY }, "keys must be a list of { kid, secret }."],
    ["an empty list", { keys: [] }, "keys must contain at least one key."],
    ["null in the list", { keys: [KEY, null] }, "keys.1.kid must be a string that is not empty."],
    ["an empty kid", { keys: [{ ...KEY, kid: "" }] }, "keys.0.kid must be a string that is not empty."],
    ["no secret", { keys: [{ kid: "a" }] }, "keys.0.secret must be a string or bytes."],
    ["31 characters", { keys: [{ kid: "a", secret: "x".repeat(31) }] }, `keys.0.secret ${TOO_SHORT}`],
    ["31 bytes", { keys: [KEY, { kid: "a", secret: new Uint8Array(31) }] }, `keys.1.secret ${TOO_SHORT}`],
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
  ["32 characters", "x".repeat(32)],
  ["16 characters of two bytes each", "ç".repeat(16)],
  ["32 bytes", new Uint8Array(32).fill(7)],
])("a secret of at least 32 bytes is accepted: %s", async (_what, secret) => {
  const signer = aSigner({ kid: "a", secret });

  expect(await signer.verify(await signer.sign(URL_OF_SHOP, ORDER), POSTBACK)).toEqual(MATCHING);
});

test("the bytes of a secret are copied, so the caller may erase them", async () => {
  const secret = new Uint8Array(32).fill(7);
  const signer = aSigner({ kid: "a", secret });
  secret.fill(0);

  const signed = await signer.sign(URL_OF_SHOP, ORDER);

  const same = aSigner({ kid: "a", secret: new Uint8Array(32).fill(7) });
  expect(await same.verify(signed, POSTBACK)).toEqual(MATCHING);
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
  const other = await signer.sign(URL_OF_SHOP, { ...ORDER, amount: 1 });

  await signer.verify(valid, POSTBACK);
  expect(await refusalOf(signer.verify(valid.slice(0, -43) + other.slice(-43), POSTBACK))).toBe(
    "bad_signature",
  );

  const sizes = verify.mock.calls.map(([, , signature, data]) => [signature.byteLength, data.byteLength]);
  expect(sizes).toHaveLength(2);
  expect(sizes[1]).toEqual(sizes[0]);
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
