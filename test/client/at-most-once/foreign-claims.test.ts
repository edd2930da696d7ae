import { IdempotencyConflictError, UnexpectedResponseError } from "payments-sdk";
import { expect, test } from "vitest";
import { failureOf } from "../../support/merchant.ts";
import { alteredStore, byPix, guarded } from "./support/guarded.ts";

/** What a store of the merchant's own may give. */
const claiming = (claim: unknown) => guarded([], { store: alteredStore({ claim: async () => claim }) });

const creation = (transaction: unknown) => ({ state: "created", transactionId: 77, transaction });
const STORED = { id: 77, status: "approved", amount: 1990, paymentMethod: "pix" };

test.each<[string, unknown]>([
  ["null, as a column of SQL", null],
  ["JSON that nobody read", JSON.stringify(STORED)],
  ["one without an id", { ...STORED, id: undefined }],
  ["one whose id is a text", { ...STORED, id: "77" }],
  ["one whose amount is a text", { ...STORED, amount: "1990" }],
  ["one with a status that there is not", { ...STORED, status: "paid" }],
])("a transaction that a store gives as %s exists all the same", async (_what, transaction) => {
  const { payments, arrivals } = await claiming(creation(transaction));

  const error = await failureOf(byPix(payments));

  expect(error).toBeInstanceOf(UnexpectedResponseError);
  expect(error).toMatchObject({ outcome: "created", transactionId: 77, externalRef: "order-1" });
  expect(arrivals).toHaveLength(0);
});

test("a transaction that a store gives as it should be is the result", async () => {
  const { payments } = await claiming(creation(STORED));

  expect(await byPix(payments)).toMatchObject(STORED);
});

test.each<[unknown, string, string]>([
  ["created", "created", "the other payment exists"],
  ["claimed", "claimed", "the other payment is under way"],
  ["unresolved", "unresolved", "may have charged the customer"],
  [undefined, "created", "the other payment exists"],
])("a conflict with a payment that is %s says what became of that one", async (earlier, told, said) => {
  const { payments } = await claiming({ state: "conflict", earlier });

  const error = await failureOf(byPix(payments));

  expect(error).toBeInstanceOf(IdempotencyConflictError);
  expect(error).toMatchObject({ outcome: "not_sent", earlier: told });
  expect(error.message).toContain(said);
  expect(error.message).not.toContain("nobody was charged");
  expect(error.toJSON()).toMatchObject({ earlier: told });
});
