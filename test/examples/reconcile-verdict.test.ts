import type { UnresolvedOrder } from "payments-sdk/idempotency";
import { parsePostback } from "payments-sdk/postbacks";
import { describe, expect, test } from "vitest";
import { compare } from "../../examples/reconcile/compare.ts";

const ORDER = { externalRef: "order-1", amount: 1990 };

const postback = (status: string, overrides: object = {}) =>
  parsePostback({ id: 1, status, externalRef: "order-1", amount: 1990, ...overrides });

const second = (status: string) => postback(status, { id: 2 });

const unresolved = (earlierIds: readonly number[] = []): UnresolvedOrder => ({
  ...ORDER,
  paymentMethod: "pix",
  attempt: 2,
  reason: "no_answer",
  since: "2026-11-21T12:00:00.000Z",
  earlierIds,
});

describe("books that name no transaction", () => {
  test.each([
    // what the books say, then the postbacks in the order in which they came
    [undefined, [], "missing", 0],
    ["pending", [], "waiting", 0],
    ["approved", [], "paid", 1990],
    ["refused", [], "not_paid", 0],
    ["refunded", [], "given_back", 0],
    ["unrecognized", [], "look", 0],
    [undefined, [postback("approved")], "paid", 1990],
    ["pending", [postback("approved")], "paid", 1990],
    ["approved", [postback("approved")], "paid", 1990],
    ["pending", [postback("approved"), postback("approved")], "paid", 1990], // again
    ["pending", [postback("approved"), postback("pending")], "paid", 1990], // late
    ["approved", [postback("processing")], "paid", 1990], // late
    ["refunded", [postback("refunded"), postback("approved")], "given_back", 0], // late
    ["pending", [postback("approved"), postback("refunded")], "given_back", 0],
    ["refused", [second("approved")], "paid", 1990], // another attempt
    ["approved", [postback("refused")], "paid", 1990], // another attempt
    ["approved", [postback("processing"), postback("refused")], "paid", 1990], // another attempt
    ["approved", [postback("cancelled")], "paid", 1990], // another attempt
    [undefined, [postback("refused"), second("approved")], "paid", 1990],
    [undefined, [postback("approved"), second("approved")], "paid_twice", 3980],
    [undefined, [postback("approved"), postback("refunded"), second("approved")], "paid", 1990],
    ["pending", [postback("approved", { amount: 1 })], "other_amount", 1],
    ["pending", [postback("approved", { externalRef: "order-2" })], "waiting", 0],
    ["expired", [postback("expired")], "not_paid", 0],
    // of the same transaction, or of another one?
    ["pending", [postback("refused")], "look", 0],
    ["refused", [postback("pending")], "look", 0],
    ["approved", [postback("chargedback")], "look", 0],
    ["chargedback", [postback("approved")], "look", 0],
    ["refunded", [postback("approved"), second("approved")], "look", 1990],
    // no person could tell from these
    [undefined, [postback("settled")], "look", 0],
    [undefined, [postback("refused"), postback("approved")], "look", 1990],
    ["expired", [postback("expired"), postback("approved")], "look", 1990],
    ["pending", [postback("cancelled"), postback("approved")], "look", 1990],
    [undefined, [postback("approved"), postback("settled")], "look", 1990],
    [undefined, [postback("approved"), postback("refused")], "look", 1990],
    [undefined, [postback("approved"), postback("approved", { amount: 1 })], "look", 1990],
    // but from these
    [undefined, [postback("settled"), postback("approved")], "paid", 1990],
    // a part was given back
    [
      undefined,
      [postback("approved"), postback("refunded", { amount: 995 }), postback("refunded", { amount: 995 })],
      "look", // twice, or again?
      995,
    ],
    ["approved", [postback("approved"), postback("refunded", { amount: 500 })], "look", 1490],
    [undefined, [postback("refunded", { amount: 500 })], "look", 1490],
    [
      undefined,
      [postback("approved"), postback("refunded", { amount: 500 }), postback("refunded", { amount: 1490 })],
      "given_back",
      0,
    ],
  ] as const)("that say %s, with the postbacks %j: %s, %i cents", (status, postbacks, verdict, paid) => {
    const [found] = compare([{ ...ORDER, status }], postbacks, []);

    expect(found).toMatchObject({ verdict, paid });
  });
});

describe("books that name transaction 1", () => {
  test.each([
    ["pending", [postback("expired")], "not_paid", 0],
    ["refused", [postback("pending")], "not_paid", 0],
    ["pending", [second("refused")], "waiting", 0],
    ["approved", [second("refused")], "paid", 1990],
    ["approved", [second("approved")], "paid_twice", 3980],
    ["approved", [postback("approved", { amount: 1 })], "other_amount", 1],
    ["approved", [postback("chargedback")], "given_back", 0],
    ["chargedback", [postback("approved")], "given_back", 0],
    ["refunded", [postback("approved"), second("approved")], "paid", 1990],
    ["refused", [postback("approved")], "look", 1990],
    ["approved", [postback("refused")], "look", 1990],
    ["approved", [postback("approved"), postback("refunded", { amount: 500 })], "look", 1490],
  ] as const)("and say %s, with the postbacks %j: %s, %i cents", (status, postbacks, verdict, paid) => {
    const [found] = compare([{ ...ORDER, status, transactionId: 1 }], postbacks, []);

    expect(found).toMatchObject({ verdict, paid });
  });
});

describe("an order of which an attempt is unresolved", () => {
  test.each([
    [undefined, [], [], "unresolved"],
    ["refused", [], [], "unresolved"], // a second attempt may have charged
    ["pending", [postback("approved")], [], "paid"], // it is the attempt's
    ["refunded", [postback("refunded")], [1], "unresolved"],
    ["approved", [postback("approved")], [1], "look"], // it may be paid twice
    ["approved", [], [], "look"], // of which attempt do the books speak?
  ] as const)(
    "whose books say %s, with the postbacks %j and the earlier transactions %j: %s",
    (status, postbacks, earlierIds, verdict) => {
      const [found] = compare([{ ...ORDER, status }], postbacks, [unresolved(earlierIds)]);

      expect(found?.verdict).toBe(verdict);
    },
  );
});

test.each([
  [{}, [postback("refused"), postback("approved")], "transaction 1: refused, then approved"],
  [{ status: "unrecognized" }, [], "your books: unrecognized"],
  [
    { status: "pending" },
    [postback("expired")],
    "your books say pending; transaction 1: expired. Is it the same",
  ],
  [
    {},
    [postback("approved"), postback("refunded", { amount: 500 })],
    "R$\u00a05,00 of R$\u00a019,90 were given back",
  ],
] as const)("of %j with the postbacks %j a person is told why to look", (books, postbacks, why) => {
  const [found] = compare([{ ...ORDER, ...books }], postbacks, []);

  expect(found?.why).toContain(why);
});

const STATUSES = [
  "pending",
  "processing",
  "approved",
  "refused",
  "cancelled",
  "expired",
  "refunded",
  "chargedback",
  "unrecognized",
] as const;
const POSTBACKS = STATUSES.flatMap((status) => [postback(status), second(status)]);
const BOOKS = [undefined, ...STATUSES].flatMap((status) =>
  [undefined, 1, 2].map((transactionId) => ({ ...ORDER, status, transactionId })),
);

test("whatever else is heard, what somebody says was approved is never called unpaid", () => {
  const threes = POSTBACKS.flatMap((one) =>
    POSTBACKS.flatMap((two) => POSTBACKS.map((three) => [one, two, three])),
  );
  const wrong = threes.flatMap((postbacks) =>
    compare(BOOKS, postbacks, []).filter(({ status, verdict }) => {
      const said = [status, ...postbacks.map((one) => one.status)];
      const isGivenBack = said.includes("refunded") || said.includes("chargedback");
      const fitting = ["paid", "paid_twice", "look", ...(isGivenBack ? ["given_back"] : [])];
      return said.includes("approved") && !fitting.includes(verdict);
    }),
  );

  expect(wrong).toEqual([]);
});
