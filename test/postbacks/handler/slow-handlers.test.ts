import { memoryStore } from "payments-sdk/idempotency";
import { expect, test, vi } from "vitest";
import { POSTBACK } from "../support/signing.ts";
import { aGate, aReceiver, BUSY, DUPLICATE, FAILED, HANDLED } from "./support/receiver.ts";

test("an onPostback that hangs gives one warning, after its lease or 30 seconds", async () => {
  const { post, onPostback, events } = aReceiver({ leaseMs: 60 });
  const gate = aGate();
  onPostback.mockReturnValueOnce(gate.passed);

  const first = post();
  await new Promise((resolve) => setTimeout(resolve, 200));

  expect(events).toMatchObject([
    { type: "warning", reason: "slow_handler", postback: { id: POSTBACK.id }, rivals: [] },
  ]);
  gate.open();
  expect(await first).toEqual(HANDLED);
});

test("the warning is printed if nobody listens", async () => {
  const printed = vi.spyOn(console, "error").mockReturnValue();
  const { post, onPostback } = aReceiver({ leaseMs: 30, onEvent: undefined });
  onPostback.mockImplementationOnce(() => new Promise((resolve) => setTimeout(resolve, 80)));

  await post();

  expect(printed.mock.calls).toEqual([[expect.stringContaining("onPostback has been running for 30 ms")]]);
});

test("a quick one gives none", async () => {
  const { post, events } = aReceiver();
  await post();

  expect(events.map(({ type }) => type)).toEqual(["handled"]);
});

test("without a maximum it keeps its postback, and others of its transaction get a 503", async () => {
  const { post, onPostback } = aReceiver({ leaseMs: 60, timeout: 50 });
  const gate = aGate();
  onPostback.mockReturnValueOnce(gate.passed);
  const first = post();
  await new Promise((resolve) => setTimeout(resolve, 200));

  expect(await post()).toEqual(BUSY("1"));
  expect(await post({ ...POSTBACK, status: "refunded" })).toEqual(BUSY("1"));

  gate.open();
  await first;
});

test("after maxHandlingMs it counts as failed: its signal is aborted, and the next delivery runs it again", async () => {
  const store = memoryStore();
  const { post, onPostback, events } = aReceiver({ store, maxHandlingMs: 50 });
  onPostback.mockReturnValueOnce(new Promise(() => undefined));

  expect(await post()).toEqual(FAILED);
  const signal = onPostback.mock.calls[0]?.[1].signal;
  expect(signal?.aborted).toBe(true);
  expect(events).toMatchObject([
    { type: "failed", status: 500, error: { message: "onPostback did not end within 50 ms." } },
  ]);

  expect(await post()).toEqual(HANDLED);
  expect(onPostback.mock.calls[1]?.[1].signal.aborted).toBe(false);
});

test("one that succeeds after maxHandlingMs is recorded, unless another delivery ran meanwhile", async () => {
  const { post, onPostback } = aReceiver({ maxHandlingMs: 50 });
  const gate = aGate();
  onPostback.mockReturnValueOnce(gate.passed);
  expect(await post()).toEqual(FAILED);

  gate.open();

  await vi.waitFor(async () => expect(await post()).toEqual(DUPLICATE));
  expect(onPostback).toHaveBeenCalledTimes(1);
});
