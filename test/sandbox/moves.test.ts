import { createGateway, type Gateway, ImpossibleMoveError, UnknownIdError } from "payments-sdk/sandbox";
import { describe, expect, test } from "vitest";
import { aCard, aCardPayment, aPix, bodyOf, merchantOf } from "./support/wire.ts";

const NOON = Date.parse("2026-12-04T12:00:00.000Z");

const PROCESSING = "4000000000003220";
const REFUSED = "4000000000000002";

type Move = "pay" | "expire" | "refund" | "chargeback" | "cancel";

/** Ways to a transaction of each status, by the gateway's own doing. */
const AT: Readonly<Record<string, (gateway: Gateway) => Promise<number>>> = {
  "pending pix": async (gateway) => idOf(await merchantOf(gateway).create(aPix())),
  "approved pix": async (gateway) => gateway.pay(await at("pending pix", gateway)).id,
  "expired pix": async (gateway) => gateway.expire(await at("pending pix", gateway)).id,
  "cancelled pix": async (gateway) => gateway.cancel(await at("pending pix", gateway)).id,
  "refunded pix": async (gateway) => gateway.refund(await at("approved pix", gateway)).id,
  "approved card": (gateway) => card(gateway, "4111111111111111"),
  "processing card": (gateway) => card(gateway, PROCESSING),
  "refused card": (gateway) => card(gateway, REFUSED),
  "cancelled card": async (gateway) => gateway.cancel(await at("processing card", gateway)).id,
  "refunded card": async (gateway) => gateway.refund(await at("approved card", gateway)).id,
  "chargedback card": async (gateway) => gateway.chargeback(await at("approved card", gateway)).id,
};

async function at(state: string, gateway: Gateway): Promise<number> {
  const make = AT[state];
  if (make === undefined) throw new Error(`No way to ${state}.`);
  return make(gateway);
}

async function card(gateway: Gateway, number: string): Promise<number> {
  const { create, token } = merchantOf(gateway);
  return idOf(await create(aCardPayment(await token(aCard({ number })))));
}

async function idOf(response: Response): Promise<number> {
  return (await bodyOf(response)).data.id;
}

describe("what can happen to what", () => {
  const POSSIBLE: readonly (readonly [state: string, move: Move, to: string])[] = [
    ["pending pix", "pay", "approved"], // the one payment that the specification states
    ["pending pix", "expire", "expired"],
    ["pending pix", "cancel", "cancelled"],
    ["approved pix", "refund", "refunded"],
    ["approved card", "refund", "refunded"],
    ["approved card", "chargeback", "chargedback"], // "card list"
    ["processing card", "pay", "approved"],
    ["processing card", "cancel", "cancelled"],
  ];

  test.each(POSSIBLE)("%s, %s: %s", async (state, move, to) => {
    const gateway = createGateway({ now: NOON });
    const id = await at(state, gateway);

    const moved = gateway[move](id);

    expect(moved.status).toBe(to);
    expect(moved.timeline.at(-1)).toMatchObject({ status: to, at: "2026-12-04T12:00:00.000Z", move });
    expect(gateway.transactions.at(-1)).toEqual(moved);
  });

  const moves: readonly Move[] = ["pay", "expire", "refund", "chargeback", "cancel"];
  const senseless = Object.keys(AT).flatMap((state) =>
    moves
      .filter((move) => !POSSIBLE.some(([from, name]) => from === state && name === move))
      .map((move) => [state, move] as const),
  );

  test.each(senseless)("%s, %s makes no sense: a clear error, and nothing changes", async (state, move) => {
    const gateway = createGateway({ now: NOON });
    const id = await at(state, gateway);
    const before = gateway.transactions;

    const senselessMove = () => gateway[move](id);

    expect(senselessMove).toThrow(ImpossibleMoveError);
    expect(senselessMove).toThrow(new RegExp(`^Transaction ${id}: cannot ${move}: .+\\.$`));
    expect(gateway.transactions).toEqual(before);
  });

  test.each(moves)("%s of an id that does not exist is an UnknownIdError", (move) => {
    const gateway = createGateway();

    expect(() => gateway[move](7)).toThrow(new UnknownIdError("There is no transaction 7."));
  });
});

describe("amounts", () => {
  test("a payment pays all of it; the fee stays", async () => {
    const gateway = createGateway();
    const { data } = await bodyOf(await merchantOf(gateway).create(aPix()));

    const paid = gateway.pay(data.id);

    expect(data.paidAmount).toBe(0);
    expect(paid).toMatchObject({ paidAmount: 1990, refundedAmount: 0, refusedAmount: 0, fees: data.fees });
  });

  test("parts are refunded until nothing is left; only then it is refunded", async () => {
    const gateway = createGateway();
    const id = await at("approved card", gateway);

    const steps = [gateway.refund(id, 500), gateway.refund(id, 1489), gateway.refund(id)];

    expect(steps.map(({ status, refundedAmount }) => [status, refundedAmount])).toEqual([
      ["approved", 500],
      ["approved", 1989],
      ["refunded", 1990],
    ]);
    expect(steps.at(-1)?.timeline.map(({ amount }) => amount)).toEqual([undefined, 500, 1489, 1]);
    expect(steps.at(-1)?.paidAmount).toBe(1990);
  });

  test.each([0, -1, 0.5, Number.NaN, 2 ** 53])("a refund of %s cents is a RangeError", async (cents) => {
    const gateway = createGateway();
    const id = await at("approved card", gateway);

    expect(() => gateway.refund(id, cents)).toThrow(RangeError);
    expect(gateway.transactions[0]).toMatchObject({ status: "approved", refundedAmount: 0 });
  });

  test("no more is refunded than what is left", async () => {
    const gateway = createGateway();
    const id = await at("approved card", gateway);
    gateway.refund(id, 1000);

    const tooMuch = () => gateway.refund(id, 991);

    expect(tooMuch).toThrow(
      new ImpossibleMoveError(`Transaction ${id}: cannot refund: only 990 cents of it are left.`),
    );
  });

  test("what was refunded in part can still be charged back", async () => {
    const gateway = createGateway();
    const id = await at("approved card", gateway);
    gateway.refund(id, 1000);

    expect(gateway.chargeback(id)).toMatchObject({ status: "chargedback", refundedAmount: 1000 });
  });
});

describe("what was charged", () => {
  test.each([
    ["pending pix", 1], // it may still be paid
    ["approved pix", 1],
    ["expired pix", 0],
    ["cancelled pix", 0],
    ["refunded pix", 1],
    ["processing card", 1],
    ["approved card", 1],
    ["refused card", 0],
    ["cancelled card", 0],
    ["refunded card", 1],
    ["chargedback card", 1],
  ])("a %s counts as %i", async (state, count) => {
    const gateway = createGateway();
    await at(state, gateway);

    expect(gateway.chargesFor("order-1")).toHaveLength(count);
  });
});
