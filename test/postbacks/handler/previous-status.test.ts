import { memoryStore } from "payments-sdk/idempotency";
import { describe, expect, test, vi } from "vitest";
import { aGate } from "../../support/http-server.ts";
import { aReceiver, aReceiverInFakeTime, BUSY, HANDLED, inFakeTime } from "../support/receiver.ts";
import { POSTBACK } from "../support/signing.ts";

describe("onPostback receives the previous status and the transition:", () => {
  /** Each step is the previous status, the received one with the amount of a part, and the transition. */
  test.each([
    ["postbacks in order", "- > pending: advance, pending > approved: advance, approved > refunded: advance"],
    [
      "a late pending does not undo a payment, and is ignored later",
      "- > approved: advance, approved > pending: regression, approved > chargedback: advance",
    ],
    [
      "an unknown status is unclear, and is ignored later",
      "- > approved: advance, approved > PENDING_3DS: unclear, approved > refunded: advance",
    ],
    [
      "a partial refund leaves the rest paid",
      "- > approved: advance, approved > refunded 200: advance, approved > refunded 100: advance, approved > refunded: advance",
    ],
    [
      "a partial refund that arrives before the payment does not hide it",
      "- > refunded 100: advance, - > approved: advance",
    ],
    [
      "a second partial refund is not a repeat, even without a postback of the payment",
      "- > refunded 6000: advance, refunded > refunded 3000: unclear, refunded > REFUNDED 3000: repeat",
    ],
    [
      "a pix that was paid too late is unclear",
      "- > expired: advance, expired > approved: unclear, approved > refunded: advance",
    ],
  ])("%s", async (_title, steps) => {
    const { post, onPostback } = aReceiver();

    for (const [, status, amount = POSTBACK.amount] of steps.matchAll(/> (\w+)(?: (\d+))?:/g))
      expect(await post({ ...POSTBACK, status, amount: Number(amount) })).toEqual(HANDLED);

    const seen = onPostback.mock.calls.map(
      ([{ rawStatus, amount }, { previousStatus = "-", transition }]) => {
        const part = amount === POSTBACK.amount ? "" : ` ${amount}`;
        return `${previousStatus} > ${rawStatus}${part}: ${transition}`;
      },
    );
    expect(seen.join(", ")).toBe(steps);
  });

  test("each transaction of an order has its own history, without failed postbacks", async () => {
    const { post, onPostback } = aReceiver();
    await post({ ...POSTBACK, status: "refused" });
    const other = { ...POSTBACK, id: 81_002 };
    onPostback.mockRejectedValueOnce(new Error("no"));
    await post({ ...other, status: "refunded" });

    await post(other);

    const first = { previousStatus: undefined, transition: "advance" };
    expect(onPostback.mock.lastCall?.[1]).toMatchObject(first);
  });
});

describe("while a postback is handled, another of its transaction", () => {
  async function running(receiver = aReceiver()) {
    const gate = aGate();
    receiver.onPostback.mockReturnValueOnce(gate.passed);
    const first = receiver.post();
    await vi.waitFor(() => expect(receiver.onPostback).toHaveBeenCalledTimes(1));
    return { ...receiver, gate, first };
  }

  test.each([
    ["in the same process", false],
    ["in another process", true],
  ])("waits, and receives the status of the first one: %s", async (_which, isElsewhere) => {
    const store = memoryStore();
    const { post, onPostback, gate, first } = await running(aReceiverInFakeTime({ store }));
    const other = isElsewhere ? aReceiverInFakeTime({ store }) : { post, onPostback };

    const late = other.post({ ...POSTBACK, status: "pending" });
    await inFakeTime(new Promise((resolve) => setTimeout(resolve, 3_000)));
    expect(onPostback).toHaveBeenCalledTimes(1);

    gate.open();
    expect(await inFakeTime(Promise.all([first, late]))).toEqual([HANDLED, HANDLED]);
    expect(other.onPostback.mock.lastCall?.[1]).toMatchObject({
      previousStatus: "approved",
      transition: "regression",
    });
  });

  test("waits no longer than the timeout: 503, and the next delivery is handled", async () => {
    const { post, gate, first } = await running(aReceiver({ timeout: 100 }));

    expect(await post({ ...POSTBACK, status: "refunded" })).toEqual(BUSY("10"));

    gate.open();
    await first;
    expect(await post({ ...POSTBACK, status: "refunded" })).toEqual(HANDLED);
  });
});
