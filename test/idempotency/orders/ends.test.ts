import type { AttemptEnd } from "payments-sdk/idempotency";
import { describe, expect, test } from "vitest";
import {
  by,
  createdAs,
  ID,
  LEASE,
  listed,
  NOT_CREATED,
  news,
  ORDER,
  STATES,
  type StateName,
  stateOf,
  transactionOf,
  UNKNOWN,
} from "../support/orders.ts";
import { onEveryStore } from "../support/stores.ts";

const CREATED = createdAs("approved");
const REFUSED = createdAs("refused");
/** Nothing but its id could be read, so that it may be paid. */
const CREATED_UNREAD: AttemptEnd = { outcome: "created", transactionId: "9007199254740993" };

onEveryStore("the end of an attempt", (open) => {
  const ends: readonly [what: string, AttemptEnd, state: string][] = [
    ["with a transaction", CREATED, "created"],
    ["with the id of one only", CREATED_UNREAD, "created"],
    ["with one of a status that nobody knows", createdAs("unrecognized"), "created"],
    ["with one that was given back at once", createdAs("refunded"), "created"], // it was paid
    ["with one that was refused", REFUSED, "free"],
    ["with one that was cancelled", createdAs("cancelled"), "free"],
    ["with one that has expired", createdAs("expired"), "free"],
    ["without having been sent", NOT_CREATED, "free"],
    ["in a way that nobody knows", UNKNOWN, "unresolved"],
  ];

  describe.each(ends)("%s", (_what, end, expected) => {
    test.each<StateName>(["that is claimed", "whose lease has ended"])(
      `makes an order %s ${expected}`,
      async (state) => {
        const store = await open();
        await STATES[state](store);

        expect(await store.end(ORDER, end)).toEqual([]);

        expect(await stateOf(store)).toBe(expected);
      },
    );
  });

  test.each([
    ["a transaction", CREATED, "created"],
    ["one that charged nobody", REFUSED, "free"],
    ["nothing", NOT_CREATED, "unresolved"], // it was said that nobody knows
  ])("that nobody knew is known once its own call comes back with %s", async (_what, end, expected) => {
    const store = await open();
    await STATES["that is unresolved"](store);

    await store.end(ORDER, end);

    expect(await stateOf(store)).toBe(expected);
  });

  test.each(ends)("%s is told twice, and changes nothing the second time", async (_what, end) => {
    const store = await open();
    await store.claim(ORDER, LEASE);
    await store.end(ORDER, end);

    expect(await store.end(ORDER, end)).toEqual([]);

    const after = [await listed(store), await store.claim(by("b"), LEASE)];
    const once = await open();
    await once.claim(ORDER, LEASE);
    await once.end(ORDER, end);
    expect(after).toEqual([
      (await listed(once)).map((order) => ({ ...order, since: expect.any(String) })),
      await once.claim(by("b"), LEASE),
    ]);
  });

  test("that nobody knows does not undo one that is known", async () => {
    for (const end of [CREATED, NOT_CREATED]) {
      const store = await open();
      await store.claim(ORDER, LEASE);
      await store.end(ORDER, end);
      const known = end.outcome === "created" ? "created" : "free";

      await store.end(ORDER, UNKNOWN);

      expect(await stateOf(store)).toBe(known);
    }
  });

  test("without a transaction does not undo one with a transaction", async () => {
    const store = await open();
    await STATES["that is created"](store);

    await store.end(ORDER, NOT_CREATED);

    expect(await transactionOf(store)).toMatchObject({ transactionId: ID });
  });

  test("completes what a postback said before it, and does not take it back", async () => {
    const store = await open();
    await store.claim(ORDER, LEASE);
    await store.settle(ORDER.externalRef, news("approved"));

    expect(await store.end(ORDER, createdAs("pending"))).toEqual([]);

    const { transaction } = await transactionOf(store);
    expect(transaction).toEqual({ ...createdAs().transaction, status: "approved", rawStatus: "approved" });
  });

  test("that nobody knows does not undo what a postback said before it", async () => {
    const store = await open();
    await store.claim(ORDER, LEASE);
    await store.settle(ORDER.externalRef, news("approved"));

    await store.end(ORDER, UNKNOWN);

    expect(await stateOf(store)).toBe("created");
  });

  test("of a reference that the store knows nothing of keeps the transaction all the same", async () => {
    const store = await open();

    expect(await store.end(ORDER, CREATED)).toEqual([]);

    expect(await transactionOf(store)).toMatchObject({ transactionId: ID });
  });

  test.each([
    ["without having been sent frees", NOT_CREATED, "free"],
    ["in a way that nobody knows blocks", UNKNOWN, "unresolved"],
  ])("%s a reference that the store knows nothing of", async (_what, end, expected) => {
    const store = await open();

    await store.end(ORDER, end);

    expect(await stateOf(store)).toBe(expected);
  });

  test("of one who never had the order changes nothing, unless there is a transaction", async () => {
    const store = await open();
    await store.claim(ORDER, LEASE);

    await store.end(by("b"), NOT_CREATED);
    await store.end(by("b"), UNKNOWN);

    expect(await store.renew(ORDER, LEASE)).toBe(true);
    expect(await store.claim(by("c"), LEASE)).toMatchObject({ state: "claimed" });
  });
});
