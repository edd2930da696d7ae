import {
  ConfigurationError,
  createPostbackHandler,
  type PostbackHandlerOptions,
} from "payments-sdk/postbacks";
import { describe, expect, test } from "vitest";
import { thrownBy } from "../../support/merchant.ts";
import { signer } from "./support/receiver.ts";

const make = (options: unknown) => createPostbackHandler(options as PostbackHandlerOptions);
const GOOD = { onPostback: () => undefined, signer };
const MS = "must be a number of milliseconds above zero, at most 2147483647.";

describe("a handler is not made", () => {
  test.each<[string, unknown, string]>([
    ["without a signer", { onPostback: GOOD.onPostback }, "give a `signer`, or say `allowUnsigned: true`"],
    [
      "with a signer that is undefined",
      { ...GOOD, signer: undefined },
      "give a `signer`, or say `allowUnsigned: true`",
    ],
    ["where allowUnsigned is false", { ...GOOD, signer: undefined, allowUnsigned: false }, "give a `signer`"],
    [
      "where allowUnsigned is a text",
      { ...GOOD, allowUnsigned: "yes" },
      "allowUnsigned must be true or false.",
    ],
    ["without options", undefined, "The options must be an object that can be read."],
    ["without onPostback", { signer }, "onPostback must be a function."],
    ["with a signer that is none", { ...GOOD, signer: {} }, "signer must be a PostbackUrlSigner."],
    [
      "with a signer that is null",
      { ...GOOD, signer: null, allowUnsigned: true },
      "signer must be a PostbackUrlSigner.",
    ],
    ["with a store that is none", { ...GOOD, store: new Map() }, "store must be a PostbackStore."],
    ["with maxBytes of zero", { ...GOOD, maxBytes: 0 }, "maxBytes must be a whole number above zero."],
    ["with maxBytes as a text", { ...GOOD, maxBytes: "64kb" }, "maxBytes must be a whole number above zero."],
    ["with a timeout of zero", { ...GOOD, timeout: 0 }, `timeout ${MS}`],
    ["with a timeout without an end", { ...GOOD, timeout: Number.POSITIVE_INFINITY }, `timeout ${MS}`],
    ["with a lease of zero", { ...GOOD, leaseMs: 0 }, `leaseMs ${MS}`],
    ["with a listener that is none", { ...GOOD, onEvent: {} }, "onEvent must be a function."],
    [
      "with an option that nobody reads",
      { ...GOOD, onPostbak: 1 },
      "onPostbak is not an option (did you mean onPostback?)",
    ],
  ])("%s", (_what, options, message) => {
    const error = thrownBy(() => make(options));

    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error.outcome).toBe("not_applicable");
    expect(error.message).toContain(message);
  });
});

test.each([
  ["a signer", GOOD],
  ["allowUnsigned", { onPostback: GOOD.onPostback, allowUnsigned: true }],
  ["both", { ...GOOD, allowUnsigned: true }],
])("a handler is made with %s", (_what, options) => {
  expect(Object.keys(make(options))).toEqual(["fetch", "node", "waitFor"]);
});
