import { memoryStore } from "payments-sdk/idempotency";
import {
  ConfigurationError,
  createPostbackHandler,
  type PostbackHandlerOptions,
} from "payments-sdk/postbacks";
import { expect, onTestFinished, test, vi } from "vitest";
import { thrownBy } from "../../support/merchant.ts";
import { aReceiver, signer, urlOf } from "../support/receiver.ts";

const createHandler = (options: unknown) => createPostbackHandler(options as PostbackHandlerOptions);
const onPostback = () => undefined;
const VALID = { onPostback, signer };

const TRUST = "pass a `signer`, or set `allowUnsigned: true`";
const MS = "must be a number of milliseconds above zero, at most 2147483647.";

test.each<[unknown, string]>([
  [{ onPostback }, TRUST],
  [{ ...VALID, allowUnsigned: "yes" }, "allowUnsigned must be true or false."],
  [undefined, "The options must be an object that can be read."],
  [{ signer }, "Pass onPaid and onReview, or onPostback."],
  [{ signer, onPostback: "ship" }, "onPostback must be a function."],
  [{ signer, onPaid: onPostback, onReview: 1 }, "onReview must be a function."],
  [{ signer, onPaid: onPostback }, "onPaid and onReview are both required: onReview is missing."],
  [{ signer, onNotPaid: onPostback }, "onPaid and onReview are both required: onPaid is missing."],
  [{ ...VALID, onPaid: onPostback }, "onPostback and onPaid exclude each other"],
  [{ ...VALID, onReturned: onPostback }, "onPostback and onReturned exclude each other"],
  [{ ...VALID, signer: {} }, "signer must be a PostbackUrlSigner."],
  [{ onPostback, signer: null, allowUnsigned: true }, "signer must be a PostbackUrlSigner."],
  [{ ...VALID, store: new Map() }, "store must be a PostbackStore."],
  [{ ...VALID, maxBytes: 0 }, "maxBytes must be a whole number above zero."],
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

test("by default a postback is claimed for 60 seconds at a time", async () => {
  const store = memoryStore();
  const claim = vi.spyOn(store, "claimPostback");

  await aReceiver({ store }).post();

  expect(claim.mock.calls[0]?.[2]).toBe(60_000);
});

test("by default the timeout for the body of a postback is 10 seconds", async () => {
  const { handler } = aReceiver();
  const init = { method: "POST", body: new ReadableStream(), duplex: "half" };
  const request = new Request(await urlOf(), init as RequestInit);
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const responded = vi.fn();

  const response = handler.fetch(request).finally(responded);
  await vi.advanceTimersByTimeAsync(9_999);
  expect(responded).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);

  expect((await response).status).toBe(408);
});
