import {
  createGateway,
  type Gateway,
  ImpossibleMoveError,
  MOVES,
  type MoveName,
  UnknownIdError,
} from "payments-sdk/sandbox";
import { describe, expect, test } from "vitest";
import { merchantOf, NOON } from "../support/wire.ts";

/** The section "States and transitions" of the specification, and the moves that it does not show. */

const pix = async (gateway: Gateway): Promise<number> => (await merchantOf(gateway).pix()).id;
const paidPix = async (gateway: Gateway): Promise<number> => gateway.pay(await pix(gateway)).id;
const card = async (gateway: Gateway, number?: string): Promise<number> =>
  (await merchantOf(gateway).card(number)).id;
const processing = (gateway: Gateway) => card(gateway, "4000000000003220");
const waiting = (gateway: Gateway) => card(gateway, "4000000000009235");

/** How a transaction gets each status, and its possible moves then. */
type Row = readonly [
  state: string,
  make: (gateway: Gateway) => Promise<number>,
  possible: Partial<Record<MoveName, string>>,
  charges: number,
];

const STATES: readonly Row[] = [
  ["pending pix", pix, { pay: "approved", expire: "expired", cancel: "cancelled" }, 1], // it can still be paid
  ["approved pix", paidPix, { refund: "refunded", med: "refunded" }, 1],
  ["expired pix", async (gateway) => gateway.expire(await pix(gateway)).id, {}, 0],
  ["cancelled pix", async (gateway) => gateway.cancel(await pix(gateway)).id, {}, 0],
  ["refunded pix", async (gateway) => gateway.refund(await paidPix(gateway)).id, {}, 1],
  ["approved card", (gateway) => card(gateway), { refund: "refunded", chargeback: "chargedback" }, 1],
  ["processing card", processing, { pay: "approved", cancel: "cancelled" }, 1],
  ["pending card", waiting, { pay: "approved", cancel: "cancelled" }, 1],
  ["refused card", (gateway) => card(gateway, "4000000000000002"), {}, 0],
  ["cancelled card", async (gateway) => gateway.cancel(await processing(gateway)).id, {}, 0],
  ["refunded card", async (gateway) => gateway.refund(await card(gateway)).id, {}, 1],
  ["chargedback card", async (gateway) => gateway.chargeback(await card(gateway)).id, {}, 1],
];

test.each(STATES)(
  "a %s has only its moves, and counts as a charge if it may be paid",
  async (state, make, possible, charges) => {
    for (const move of MOVES) {
      const gateway = createGateway({ now: NOON });
      const id = await make(gateway);
      const before = gateway.transactions;
      const to = possible[move];
      expect([before[0]?.status, gateway.chargesFor("order-1").length]).toEqual([
        state.split(" ")[0],
        charges,
      ]);

      if (to === undefined) {
        expect(() => gateway[move](id)).toThrow(ImpossibleMoveError);
        expect(() => gateway[move](id)).toThrow(new RegExp(`^Transaction ${id}: cannot ${move}: .+\\.$`));
        expect(gateway.transactions).toEqual(before);
      } else {
        const moved = gateway[move](id);
        expect(moved.status).toBe(to);
        expect(moved.timeline.at(-1)).toMatchObject({ status: to, at: "2026-12-04T12:00:00.000Z", move });
        expect(gateway.transactions.at(-1)).toEqual(moved);
      }
    }
  },
);

test("a move of an unknown id throws an UnknownIdError", () => {
  expect(() => createGateway().pay(7)).toThrow(new UnknownIdError("There is no transaction 7."));
});

describe("amounts", () => {
  test.each([
    ["refund", card, {}, "refunded"],
    ["med", paidPix, {}, "refunded"],
    ["med", paidPix, { pixReturnedAs: "chargedback" }, "chargedback"],
  ] as const)(
    "%s of a part leaves it approved until everything is returned",
    async (move, make, options, end) => {
      const gateway = createGateway(options);
      const id = await make(gateway);

      const steps = [gateway[move](id, 500), gateway[move](id, 1489)];
      const tooMuch = () => gateway[move](id, 2);
      expect(tooMuch).toThrow(
        new ImpossibleMoveError(`Transaction ${id}: cannot ${move}: at most 1 cents can be refunded.`),
      );
      steps.push(gateway[move](id));

      expect(steps.map(({ status, refundedAmount }) => [status, refundedAmount])).toEqual([
        ["approved", 500],
        ["approved", 1989],
        [end, 1990],
      ]);
      expect(steps.at(-1)?.timeline.slice(-3)).toMatchObject(
        [500, 1489, 1].map((amount) => ({ move, amount })),
      );
      expect(steps.at(-1)?.paidAmount).toBe(1990);
    },
  );

  test.each([0, -1, 0.5, Number.NaN, 2 ** 53])("a refund of %s cents throws a RangeError", async (cents) => {
    const gateway = createGateway();
    const id = await card(gateway);

    expect(() => gateway.refund(id, cents)).toThrow(RangeError);
    expect(gateway.transactions[0]).toMatchObject({ status: "approved", refundedAmount: 0 });
  });
});
