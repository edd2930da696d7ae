import { memoryStore } from "payments-sdk/idempotency";
import { expect, onTestFinished, test, vi } from "vitest";
import { aReceiver, urlOf } from "../support/receiver.ts";

test("by default a postback is claimed for 60 seconds at a time", async () => {
  const store = memoryStore();
  const claim = vi.spyOn(store, "claimPostback");

  await aReceiver({ store }).post();

  expect(claim.mock.calls[0]?.[2]).toBe(60_000);
});

test("by default the timeout for the body of a postback is 10 seconds", async () => {
  const { handler } = aReceiver();
  const init: RequestInit & { duplex: "half" } = {
    method: "POST",
    body: new ReadableStream(),
    duplex: "half",
  };
  const request = new Request(await urlOf(), init);
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const responded = vi.fn();

  const response = handler.fetch(request).finally(responded);
  await vi.advanceTimersByTimeAsync(9_999);
  expect(responded).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);

  expect((await response).status).toBe(408);
});
