import { AbortedError } from "payments-sdk";
import { memoryStore } from "payments-sdk/idempotency";
import { describe, expect, test, vi } from "vitest";
import { aGate } from "../../support/http-server.ts";
import { failureOf } from "../../support/merchant.ts";
import { aReceiver, urlOf } from "../support/receiver.ts";
import { POSTBACK, URL_OF_SHOP } from "../support/signing.ts";

const REFERENCE = POSTBACK.externalRef;

describe("waitFor resolves with", () => {
  test("the next postback of an order, for all callers, after onPostback has succeeded", async () => {
    const { handler, post, onPostback } = aReceiver();
    const gate = aGate();
    onPostback.mockReturnValueOnce(gate.passed);
    const resolved = vi.fn();
    const waiting = [
      handler.waitFor(REFERENCE).then(resolved),
      handler.waitFor(REFERENCE, { status: "approved" }).then(resolved),
    ];
    const response = post();
    await vi.waitFor(() => expect(onPostback).toHaveBeenCalled());
    expect(resolved).not.toHaveBeenCalled();

    gate.open();

    await Promise.all([...waiting, response]);
    expect(resolved.mock.calls).toEqual(Array(2).fill([expect.objectContaining(POSTBACK)]));
  });

  test("the last earlier postback, or one of a given status, earlier or later, also if another process handled it", async () => {
    const store = memoryStore();
    await aReceiver({ store }).post({ ...POSTBACK, status: "pending" });
    const { handler, post } = aReceiver({ store });
    await post({ ...POSTBACK, status: "pending" });
    const refunded = handler.waitFor(REFERENCE, { status: "refunded" });
    await post();
    await post({ ...POSTBACK, status: "pending" }); // a duplicate is not the latest

    expect(await handler.waitFor(REFERENCE)).toMatchObject({ status: "approved" });
    expect(await handler.waitFor(REFERENCE, { status: "pending" })).toMatchObject({ status: "pending" });
    await post({ ...POSTBACK, status: "refunded" });
    expect(await refunded).toMatchObject({ status: "refunded" });
  });

  test("no postback that is unsigned despite a signer, of another order, failed, or refused", async () => {
    const { handler, post, onPostback } = aReceiver({ allowUnsigned: true });
    const resolved = vi.fn();
    void handler.waitFor(REFERENCE).then(resolved);
    await post({ ...POSTBACK, status: "refunded" }, URL_OF_SHOP);
    onPostback.mockRejectedValueOnce(new Error("no"));
    await post();
    await post("<html>");
    await post({ ...POSTBACK, externalRef: "pedido-78" }, await urlOf("pedido-78"));

    expect(resolved).not.toHaveBeenCalled();
  });
});

test("a signal aborts waitFor, now or later, and keeps no listener", async () => {
  const { handler, post } = aReceiver();
  const controller = new AbortController();
  const { signal } = controller;
  const added = vi.spyOn(signal, "addEventListener");
  const removed = vi.spyOn(signal, "removeEventListener");
  const handled = handler.waitFor(REFERENCE, { signal, status: "approved" });
  await post();
  await handled;
  const waiting = failureOf(handler.waitFor("other", { signal }));

  controller.abort();

  for (const aborted of [await waiting, await failureOf(handler.waitFor("other", { signal }))]) {
    expect(aborted).toBeInstanceOf(AbortedError);
    expect(aborted).toMatchObject({ outcome: "not_applicable", externalRef: "other" });
  }
  const listenersOf = ({ mock }: typeof added | typeof removed) => mock.calls.map(([, listener]) => listener);
  expect(added).toHaveBeenCalledTimes(2);
  expect(listenersOf(removed)).toEqual(listenersOf(added));
});

test.each<[unknown, unknown, string]>([
  [REFERENCE, { timeout: 50 }, "timeout is not an option"],
  [REFERENCE, { status: "paid" }, "status must be the status of a transaction."],
  [REFERENCE, { signal: {} }, "signal must be an AbortSignal."],
  [5, {}, "waitFor needs the externalRef of an order."],
  ["", {}, "waitFor needs the externalRef of an order."],
])("waitFor(%j, %j) is refused, because it would wait forever", async (externalRef, options, message) => {
  const error = await failureOf(aReceiver().handler.waitFor(externalRef as string, options as object));

  expect(error).toMatchObject({ code: "configuration", message: expect.stringContaining(message) });
});

test("the postbacks of the last 100 orders are kept", async () => {
  const { handler, post } = aReceiver({ signer: undefined, allowUnsigned: true });
  for (let order = 0; order <= 100; order += 1)
    await post({ ...POSTBACK, externalRef: `o-${order}` }, URL_OF_SHOP);

  const forgotten = await failureOf(handler.waitFor("o-0", { signal: AbortSignal.timeout(20) }));
  expect(forgotten).toBeInstanceOf(AbortedError);
  expect(await handler.waitFor("o-1")).toMatchObject({ externalRef: "o-1" });
});
