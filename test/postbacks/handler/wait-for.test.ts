import { AbortedError } from "payments-sdk";
import { describe, expect, test, vi } from "vitest";
import { failureOf } from "../../support/merchant.ts";
import { POSTBACK, URL_OF_SHOP } from "../support/signing.ts";
import { aGate, aReceiver, urlOf } from "./support/receiver.ts";

const REFERENCE = POSTBACK.externalRef;

describe("waitFor gives", () => {
  test("the next postback of an order, after onPostback has succeeded", async () => {
    const { handler, post, onPostback } = aReceiver();
    const gate = aGate();
    onPostback.mockReturnValueOnce(gate.passed);
    const given = vi.fn();
    const waiting = handler.waitFor(REFERENCE).then(given);
    const answer = post();
    await vi.waitFor(() => expect(onPostback).toHaveBeenCalled());
    expect(given).not.toHaveBeenCalled();

    gate.open();

    await Promise.all([waiting, answer]);
    expect(given).toHaveBeenCalledWith(expect.objectContaining(POSTBACK));
  });

  test("one that came before anybody waited: a create may answer after its postback", async () => {
    const { handler, post } = aReceiver();
    await post({ ...POSTBACK, status: "pending" });
    await post();

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

  test("it to everybody who waits", async () => {
    const { handler, post } = aReceiver();
    const waiting = [handler.waitFor(REFERENCE), handler.waitFor(REFERENCE, { status: "approved" })];
    await post();

    expect(await Promise.all(waiting)).toMatchObject([POSTBACK, POSTBACK]);
  });

  test("one that another handler of the same store has handled", async () => {
    const store = (await import("payments-sdk/idempotency")).memoryStore();
    await aReceiver({ store }).post();
    const { handler, post } = aReceiver({ store });
    const waiting = handler.waitFor(REFERENCE);
    await post();

    expect(await waiting).toMatchObject(POSTBACK);
  });

  test("the last one that was handled, which a duplicate is not", async () => {
    const { handler, post } = aReceiver();
    await post({ ...POSTBACK, status: "pending" });
    await post();
    await post({ ...POSTBACK, status: "pending" });

    expect(await handler.waitFor(REFERENCE)).toMatchObject({ status: "approved" });
  });

  test("nothing unsigned, where there is a signer", async () => {
    const { handler, post } = aReceiver({ allowUnsigned: true });
    const given = vi.fn();
    void handler.waitFor(REFERENCE).then(given);

    await post({ ...POSTBACK, status: "refunded" }, URL_OF_SHOP);

    expect(given).not.toHaveBeenCalled();
  });

  test("nothing of another order, of what failed, or of what was refused", async () => {
    const { handler, post, onPostback } = aReceiver();
    const given = vi.fn();
    void handler.waitFor(REFERENCE).then(given);
    onPostback.mockRejectedValueOnce(new Error("no"));
    await post();
    await post("<html>");
    await post(POSTBACK, "https://loja.example/p");
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

    expect(await failureOf(handler.waitFor(REFERENCE, { signal: AbortSignal.abort() }))).toBeInstanceOf(
      AbortedError,
    );
  });

  test("and leaves no listener on it", async () => {
    const { handler, post } = aReceiver();
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, "addEventListener");
    const removed = vi.spyOn(signal, "removeEventListener");
    const waiting = handler.waitFor(REFERENCE, { signal });
    await post();
    await waiting;

    expect(removed.mock.calls.map(([, listener]) => listener)).toEqual(
      added.mock.calls.map(([, listener]) => listener),
    );
    expect(added).toHaveBeenCalledTimes(1);
  });
});

test.each<[string, unknown, unknown, string]>([
  ["an option that nobody reads", REFERENCE, { timeout: 50 }, "timeout is not an option"],
  ["a status that is none", REFERENCE, { status: "paid" }, "status must be the status of a transaction."],
  ["a signal that is none", REFERENCE, { signal: {} }, "signal must be an AbortSignal."],
  ["a reference that is a number", 5, {}, "waitFor needs the reference of an order."],
  ["no reference", undefined, {}, "waitFor needs the reference of an order."],
])(
  "%s is refused, since it would be waited for without an end",
  async (_what, externalRef, options, message) => {
    const error = await failureOf(aReceiver().handler.waitFor(externalRef as string, options as object));

    expect(error).toMatchObject({ code: "configuration", message: expect.stringContaining(message) });
  },
);

test("the past of 100 orders is kept, and no more", async () => {
  const { handler, post } = aReceiver({ signer: undefined, allowUnsigned: true });
  for (let order = 0; order <= 100; order += 1)
    await post({ ...POSTBACK, externalRef: `o-${order}` }, "https://a.example");

  const forgotten = await failureOf(handler.waitFor("o-0", { signal: AbortSignal.timeout(20) }));
  expect(forgotten).toBeInstanceOf(AbortedError);
  expect(await handler.waitFor("o-1")).toMatchObject({ externalRef: "o-1" });
});
