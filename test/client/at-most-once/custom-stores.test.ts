import { IdempotencyConflictError, UnexpectedResponseError } from "payments-sdk";
import { describe, expect, test, vi } from "vitest";
import { eventsOf, failureOf, merchantAt } from "../../support/merchant.ts";
import { created } from "../../support/service-responses.ts";
import { alteredStore, byPix, guarded } from "./support/guarded.ts";

/** What a custom store may give. */
const claiming = (claim: unknown) => guarded([], { store: alteredStore({ claim: async () => claim }) });

const creation = (transaction: unknown) => ({ state: "created", transactionId: 77, transaction });
const STORED = { id: 77, status: "approved", amount: 1990, paymentMethod: "pix" };

test.each<[string, unknown]>([
  ["null, as a column of SQL", null],
  ["JSON that nobody read", JSON.stringify(STORED)],
  ["one whose id is a text", { ...STORED, id: "77" }],
  ["one whose amount is a text", { ...STORED, amount: "1990" }],
  ["one with a status that does not exist", { ...STORED, status: "paid" }],
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

test("a transaction of another order is no result, and nothing is sent", async () => {
  const { payments, arrivals } = await claiming(creation({ ...STORED, externalId: "order-2" }));

  expect(await failureOf(byPix(payments))).toMatchObject({
    code: "idempotency_store_failed",
    outcome: "not_sent",
  });
  expect(arrivals).toHaveLength(0);
});

test.each<[unknown, string, string]>([
  ["created", "created", "the other payment exists"],
  ["claimed", "claimed", "the other payment is under way"],
  ["unresolved", "unresolved", "may have charged the customer"],
  [undefined, "created", "the other payment exists"],
])("a conflict with a payment that is %j says what became of that one", async (earlier, expected, text) => {
  const { payments } = await claiming({ state: "conflict", earlier });

  const error = await failureOf(byPix(payments));

  expect(error).toBeInstanceOf(IdempotencyConflictError);
  expect(error.toJSON()).toMatchObject({ outcome: "not_sent", earlier: expected });
  expect(error.message).toContain(text);
  expect(error.message).not.toContain("nobody was charged");
});

describe("what a store cannot protect from", () => {
  test("is reported once, by the first create, whatever client", async () => {
    const { payments, events, store, baseUrl } = await guarded();
    const other = merchantAt(baseUrl, { idempotency: store });

    const before = [...events];
    await byPix(payments);
    await byPix(payments);
    await byPix(other.payments);

    const limitsIn = (seen: typeof events) =>
      eventsOf(seen, "warning").filter(({ field }) => field === "idempotency");
    expect(limitsIn(before)).toEqual([]);
    expect(limitsIn(events)).toMatchObject([{ message: expect.stringContaining("memory of this process") }]);
    expect(limitsIn(other.events)).toEqual([]);
  });

  test("is printed if nobody listens to events", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const { payments } = await guarded([created()], { onEvent: undefined });

    await byPix(payments);
    await byPix(payments);

    expect(warn.mock.calls).toEqual([
      [expect.stringContaining("payments-sdk: the idempotency store is kept in the memory")],
    ]);
  });

  test.each<[string, PropertyDescriptor]>([
    ["says nothing", { value: undefined }],
    [
      "throws",
      {
        get: () => {
          throw new Error("away");
        },
      },
    ],
  ])("is nothing if the store %s", async (_what, warning) => {
    const store = Object.defineProperty(alteredStore({}), "warning", warning);
    const { payments, events } = await guarded([created()], { store });

    await byPix(payments);

    expect(eventsOf(events, "warning")).toEqual([]);
  });
});
