import {
  ConfigurationError,
  createPostbackHandler,
  type PostbackHandlerOptions,
} from "payments-sdk/postbacks";
import { expect, test } from "vitest";
import { thrownBy } from "../../support/merchant.ts";
import { signer } from "../support/receiver.ts";

const createHandler = (options: unknown) => createPostbackHandler(options as PostbackHandlerOptions);
const onPostback = () => undefined;
const VALID = { onPostback, signer };

const TRUST = "pass a `signer`, or set `allowUnsigned: true`";
const MS = "must be a number of milliseconds above zero, at most 2147483647.";

test.each<[unknown, string]>([
  [{ onPostback }, TRUST],
  [{ onPostback, allowUnsigned: false }, TRUST],
  [{ ...VALID, allowUnsigned: "yes" }, "allowUnsigned must be true or false."],
  [undefined, "The options must be an object that can be read."],
  [{ signer }, "onPostback must be a function."],
  [{ ...VALID, signer: {} }, "signer must be a PostbackUrlSigner."],
  [{ onPostback, signer: null, allowUnsigned: true }, "signer must be a PostbackUrlSigner."],
  [{ ...VALID, store: new Map() }, "store must be a PostbackStore."],
  [{ ...VALID, maxBytes: 0 }, "maxBytes must be a whole number above zero."],
  [{ ...VALID, maxBytes: "64kb" }, "maxBytes must be a whole number above zero."],
  [{ ...VALID, timeout: 0 }, `timeout ${MS}`],
  [{ ...VALID, timeout: Number.POSITIVE_INFINITY }, `timeout ${MS}`],
  [{ ...VALID, leaseMs: 0 }, `leaseMs ${MS}`],
  [{ ...VALID, maxHandlingMs: -1 }, `maxHandlingMs ${MS}`],
  [{ ...VALID, onEvent: {} }, "onEvent must be a function."],
  [{ ...VALID, onPostbak: 1 }, "onPostbak is not an option (did you mean onPostback?)"],
])("a handler cannot be created with %o", (options, message) => {
  const error = thrownBy(() => createHandler(options));

  expect(error).toBeInstanceOf(ConfigurationError);
  expect(error.outcome).toBe("not_applicable");
  expect(error.message).toContain(message);
});
