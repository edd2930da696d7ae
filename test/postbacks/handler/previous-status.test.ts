import { describe, expect, test, vi } from "vitest";
import { POSTBACK } from "../support/signing.ts";
import { aGate, aReceiver, BUSY, HANDLED } from "./support/receiver.ts";

/** Each step: what arrives, and what onPostback is told of it. */
type Step = readonly [status: string, amount: number, previous: string | undefined, transition: string];

const WHOLE = POSTBACK.amount;

describe("onPostback is told where a postback stands", () => {
  test.each<[string, Step[]]>([
    [
      "in order",
      [
        ["pending", WHOLE, undefined, "advance"],
        ["approved", WHOLE, "pending", "advance"],
        ["refunded", WHOLE, "approved", "advance"],
      ],
    ],
    [
      "a late pending un-pays nothing, and is forgotten",
      [
        ["approved", WHOLE, undefined, "advance"],
        ["pending", WHOLE, "approved", "regression"],
        ["chargedback", WHOLE, "approved", "advance"],
      ],
    ],
    [
      "another spelling of the same status is a repeat",
      [
        ["approved", WHOLE, undefined, "advance"],
        ["PAID", WHOLE, "approved", "repeat"],
      ],
    ],
    [
      "a status that nobody knows is unclear, and is forgotten",
      [
        ["approved", WHOLE, undefined, "advance"],
        ["PENDING_3DS", WHOLE, "approved", "unclear"],
        ["refunded", WHOLE, "approved", "advance"],
      ],
    ],
    [
      "a refund of a part leaves the rest paid",
      [
        ["approved", WHOLE, undefined, "advance"],
        ["refunded", 100, "approved", "advance"],
        ["refunded", 200, "approved", "advance"],
        ["refunded", WHOLE, "approved", "advance"],
      ],
    ],
    [
      "a refund of a part that outruns the payment does not hide it",
      [
        ["refunded", 100, undefined, "advance"],
        ["approved", WHOLE, undefined, "advance"],
      ],
    ],
    [
      "a second refund of a part is no repeat, also where the payment was never heard of",
      [
        ["refunded", 6_000, undefined, "advance"],
        ["refunded", 3_000, "refunded", "unclear"],
        ["REFUNDED", 3_000, "refunded", "repeat"],
      ],
    ],
    [
      "a refund of the whole makes a payment late",
      [
        ["refunded", WHOLE, undefined, "advance"],
        ["approved", WHOLE, "refunded", "regression"],
      ],
    ],
    [
      "a pix that was paid too late is for a person to look at",
      [
        ["expired", WHOLE, undefined, "advance"],
        ["approved", WHOLE, "expired", "unclear"],
        ["refunded", WHOLE, "approved", "advance"],
      ],
    ],
  ])("%s", async (_title, steps) => {
    const { post, onPostback } = aReceiver();

    for (const [status, amount] of steps)
      expect(await post({ ...POSTBACK, status, amount })).toEqual(HANDLED);

    const told = onPostback.mock.calls.map(([{ rawStatus, amount }, { previousStatus, transition }]) => [
      rawStatus,
      amount,
      previousStatus,
      transition,
    ]);
    expect(told).toEqual(steps);
  });

  test("another transaction of the order has a past of its own", async () => {
    const { post, onPostback } = aReceiver();
    await post({ ...POSTBACK, status: "refused" });

    await post({ ...POSTBACK, id: 81_002 });

    expect(onPostback.mock.calls[1]?.[1]).toMatchObject({ previousStatus: undefined, transition: "advance" });
  });

  test("what failed is no past", async () => {
    const { post, onPostback } = aReceiver();
    onPostback.mockRejectedValueOnce(new Error("no"));
    await post({ ...POSTBACK, status: "refunded" });

    await post();

    expect(onPostback.mock.calls[1]?.[1]).toMatchObject({ previousStatus: undefined });
  });

  test("of two that arrive together, the second waits and is told of the first", async () => {
    const { post, onPostback } = aReceiver();
    const gate = aGate();
    onPostback.mockReturnValueOnce(gate.passed);
    const approved = post();
    await vi.waitFor(() => expect(onPostback).toHaveBeenCalledTimes(1));

    const late = post({ ...POSTBACK, status: "pending" });
    await new Promise((resolve) => setTimeout(resolve, 120));
    expect(onPostback).toHaveBeenCalledTimes(1);

    gate.open();
    expect(await Promise.all([approved, late])).toEqual([HANDLED, HANDLED]);
    expect(onPostback.mock.calls[1]?.[1]).toMatchObject({
      previousStatus: "approved",
      transition: "regression",
    });
  });

  test("it waits no longer than the deadline: 503, and it may come again", async () => {
    const { post, onPostback } = aReceiver({ timeout: 100 });
    const gate = aGate();
    onPostback.mockReturnValueOnce(gate.passed);
    const approved = post();
    await vi.waitFor(() => expect(onPostback).toHaveBeenCalledTimes(1));

    expect(await post({ ...POSTBACK, status: "refunded" })).toEqual(BUSY("10"));

    gate.open();
    await approved;
    expect(await post({ ...POSTBACK, status: "refunded" })).toEqual(HANDLED);
  });

  test("another transaction waits for nothing", async () => {
    const { post, onPostback } = aReceiver();
    const gate = aGate();
    onPostback.mockReturnValueOnce(gate.passed);
    const first = post();
    await vi.waitFor(() => expect(onPostback).toHaveBeenCalledTimes(1));

    expect(await post({ ...POSTBACK, id: 81_002 })).toEqual(HANDLED);

    gate.open();
    await first;
  });
});
