import {
  ConfigurationError,
  createPostbackHandler,
  type PostbackHandlerOptions,
} from "payments-sdk/postbacks";
import { expect, test } from "vitest";
import { thrownBy } from "../../support/merchant.ts";
import { signer } from "./support/receiver.ts";

const make = (options: unknown) => createPostbackHandler(options as PostbackHandlerOptions);
const onPostback = () => undefined;
const GOOD = { onPostback, signer };

const TRUST = "give a `signer`, or say `allowUnsigned: true`";
const MS = "must be a number of milliseconds above zero, at most 2147483647.";

test.each<[unknown, string]>([
  [{ onPostback }, TRUST],
  [{ onPostback, allowUnsigned: false }, TRUST],
  [{ ...GOOD, allowUnsigned: "yes" }, "allowUnsigned must be true or false."],
  [undefined, "The options must be an object that can be read."],
  [{ signer }, "onPostback must be a function."],
  [{ ...GOOD, signer: {} }, "signer must be a PostbackUrlSigner."],
  [{ onPostback, signer: null, allowUnsigned: true }, "signer must be a PostbackUrlSigner."],
  [{ ...GOOD, store: new Map() }, "store must be a PostbackStore."],
  [{ ...GOOD, maxBytes: 0 }, "maxBytes must be a whole number above zero."],
  [{ ...GOOD, maxBytes: "64kb" }, "maxBytes must be a whole number above zero."],
  [{ ...GOOD, timeout: 0 }, `timeout ${MS}`],
  [{ ...GOOD, timeout: Number.POSITIVE_INFINITY }, `timeout ${MS}`],
  [{ ...GOOD, leaseMs: 0 }, `leaseMs ${MS}`],
  [{ ...GOOD, maxHandlingMs: -1 }, `maxHandlingMs ${MS}`],
  [{ ...GOOD, onEvent: {} }, "onEvent must be a function."],
  [{ ...GOOD, onPostbak: 1 }, "onPostbak is not an option (did you mean onPostback?)"],
])("a handler is not made with %o", (options, message) => {
  const error = thrownBy(() => make(options));

  expect(error).toBeInstanceOf(ConfigurationError);
  expect(error.outcome).toBe("not_applicable");
  expect(error.message).toContain(message);
});

test.each([[GOOD], [{ onPostback, allowUnsigned: true }], [{ ...GOOD, allowUnsigned: true }]])(
  "a handler is made with %o",
  (options) => {
    expect(Object.keys(make(options))).toEqual(["fetch", "node", "waitFor"]);
  },
);
