import { IdempotencyStoreError } from "payments-sdk";
import { type PaymentsStore, postgresStore, type QueryingPostgresClient } from "payments-sdk/idempotency";
import { describe, expect, test } from "vitest";
import { byPix, guarded } from "../../client/at-most-once/support/guarded.ts";
import { failureOf } from "../../support/merchant.ts";
import { by, LEASE, NOT_CREATED, stateOf } from "../support/orders.ts";
import { claimed, KEY } from "../support/postbacks.ts";
import { migratedSchema } from "./support/schema.ts";

/** A store whose client runs the next statement that contains a text twice, as after an answer that was lost. */
async function repeating() {
  const client = await (await migratedSchema()).client();
  let next: string | undefined;
  const wrapper: QueryingPostgresClient = {
    query: async (text, values) => {
      if (next !== undefined && text.includes(next)) {
        next = undefined;
        await client.query(text, values);
      }
      return client.query(text, values);
    },
  };
  const repeatNext = (text: string) => {
    next = text;
  };
  return { store: postgresStore(wrapper), repeatNext };
}

const ORDERS: readonly (readonly [string, string, (store: PaymentsStore) => Promise<unknown>])[] = [
  ["that nobody claimed", "INSERT", async () => {}],
  [
    "that is free again",
    "UPDATE",
    async (store) => {
      await store.claim(by("earlier"), LEASE);
      await store.end(by("earlier"), NOT_CREATED);
    },
  ],
];

describe.each(ORDERS)("a client that repeats the claim of an order %s", (_state, statement, prepare) => {
  test("sends nothing, and leaves the order free", async () => {
    const { store, repeatNext } = await repeating();
    await prepare(store);
    const { payments, arrivals } = await guarded(undefined, { store });
    repeatNext(statement);

    const error = await failureOf(byPix(payments));

    expect(error).toBeInstanceOf(IdempotencyStoreError);
    expect(error).toMatchObject({ outcome: "not_sent" });
    expect(error.message).toContain("repeats statements");
    expect(arrivals).toHaveLength(0);
    await expect.poll(() => stateOf(store)).toBe("free");
  });
});

test("a client that repeats the claim of a postback has it", async () => {
  const { store, repeatNext } = await repeating();
  repeatNext("INSERT");

  const claim = await store.claimPostback(KEY, "a", LEASE);

  expect(claim).toEqual(claimed());
});
