import { AbortedError } from "payments-sdk";
import { memoryStore } from "payments-sdk/idempotency";
import { describe, expect, test, vi } from "vitest";
import { failureOf } from "../../support/merchant.ts";
import { POSTBACK, URL_OF_SHOP } from "../support/signing.ts";
import { aGate, aReceiver, urlOf } from "./support/receiver.ts";

const REFERENCE = POSTBACK.externalRef;

describe("waitFor gives", () => {
  test("the next postback of an order, to everybody who waits, after onPostback has succeeded", async () => {
    const { handler, post, onPostback } = aReceiver();
    const gate = aGate();
    onPostback.mockReturnValueOnce(gate.passed);
    const given = vi.fn();
    const waiting = [
      handler.waitFor(REFERENCE).then(given),
      handler.waitFor(REFERENCE, { status: "approved" }).then(given),
    ];
    const answer = post();
    await vi.waitFor(() => expect(onPostback).toHaveBeenCalled());
    expect(given).not.toHaveBeenCalled();

    gate.open();

    await Promise.all([...waiting, answer]);
    expect(given.mock.calls).toEqual(Array(2).fill([expect.objectContaining(POSTBACK)]));
  });

  test("one that came before anybody waited, the last one: a create may answer after its postback", async () => {
    const { handler, post } = aReceiver();
    await post({ ...POSTBACK, status: "pending" });
    await post();
    await post({ ...POSTBACK, status: "pending" }); // a duplicate is no news

    expect(await handler.waitFor(REFERENCE)).toMatchObject({ status: "approved" });
  });

  test("one of a status, past or to come", async () => {
    const { handler, post } = aReceiver();
    await post({ ...POSTBACK, status: "pending" });
    const refunded = handler.waitFor(REFERENCE, { status: "refunded" });
    await post();
    await post({ ...POSTBACK, status: "refunded" });

    expect(await refunded).toMatchObject({ status: "refunded" });
    expect(await handler.waitFor(REFERENCE, { status: "pending" })).toMatchObject({ status: "pending" });
  });

  test("one that another handler of the same store has handled", async () => {
    const store = memoryStore();
    await aReceiver({ store }).post();
    const { handler, post } = aReceiver({ store });
    const waiting = handler.waitFor(REFERENCE);
    await post();

    expect(await waiting).toMatchObject(POSTBACK);
  });

  test("nothing unsigned if there is a signer, of another order, that failed, or that was refused", async () => {
    const { handler, post, onPostback } = aReceiver({ allowUnsigned: true });
    const given = vi.fn();
    void handler.waitFor(REFERENCE).then(given);
    await post({ ...POSTBACK, status: "refunded" }, URL_OF_SHOP);
    onPostback.mockRejectedValueOnce(new Error("no"));
    await post();
    await post("<html>");
    await post({ ...POSTBACK, externalRef: "pedido-78" }, await urlOf("pedido-78"));

    expect(given).not.toHaveBeenCalled();
  });
});

describe("a signal ends the waiting", () => {
  test("while it lasts", async () => {
    const { handler } = aReceiver();
    const controller = new AbortController();
    const waiting = failureOf(handler.waitFor(REFERENCE, { signal: controller.signal }));

    controller.abort();

    const error = await waiting;
    expect(error).toBeInstanceOf(AbortedError);
    expect(error).toMatchObject({ outcome: "not_applicable", externalRef: REFERENCE });
  });

  test("before it begins", async () => {
    const { handler, post } = aReceiver();
    await post();

    const error = await failureOf(handler.waitFor(REFERENCE, { signal: AbortSignal.abort() }));

    expect(error).toBeInstanceOf(AbortedError);
  });

  test("and has no listener once the waiting has ended", async () => {
    const { handler, post } = aReceiver();
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, "addEventListener");
    const removed = vi.spyOn(signal, "removeEventListener");
    const waiting = handler.waitFor(REFERENCE, { signal });
    await post();
    await waiting;

    const listenersOf = ({ mock }: typeof added | typeof removed) =>
      mock.calls.map(([, listener]) => listener);
    expect(added).toHaveBeenCalledTimes(1);
    expect(listenersOf(removed)).toEqual(listenersOf(added));
  });
});

test.each<[unknown, unknown, string]>([
  [REFERENCE, { timeout: 50 }, "timeout is not an option"],
  [REFERENCE, { status: "paid" }, "status must be the status of a transaction."],
  [REFERENCE, { signal: {} }, "signal must be an AbortSignal."],
  [5, {}, "waitFor needs the reference of an order."],
  ["", {}, "waitFor needs the reference of an order."],
])(
  "waitFor(%j, %j) is refused, since it would wait without an end",
  async (externalRef, options, message) => {
    const error = await failureOf(aReceiver().handler.waitFor(externalRef as string, options as object));

    expect(error).toMatchObject({ code: "configuration", message: expect.stringContaining(message) });
  },
);

test("the past of 100 orders is kept, and no more", async () => {
  const { handler, post } = aReceiver({ signer: undefined, allowUnsigned: true });
  for (let order = 0; order <= 100; order += 1)
    await post({ ...POSTBACK, externalRef: `o-${order}` }, URL_OF_SHOP);

  const forgotten = await failureOf(handler.waitFor("o-0", { signal: AbortSignal.timeout(20) }));
  expect(forgotten).toBeInstanceOf(AbortedError);
  expect(await handler.waitFor("o-1")).toMatchObject({ externalRef: "o-1" });
});
