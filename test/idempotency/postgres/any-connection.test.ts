import { type PostgresClient, postgresStore } from "payments-sdk/idempotency";
import { describe, expect, test } from "vitest";
import { by, createdAs, ID, LEASE, listed, ORDER, UNKNOWN } from "../support/orders.ts";
import { migratedSchema, type Schema } from "./support/schema.ts";

/** Runs each statement on another connection, as a pooler in transaction mode may. */
async function poolerOf(schema: Schema): Promise<PostgresClient & { readonly texts: string[] }> {
  const connections = await Promise.all([schema.client(), schema.client(), schema.client()]);
  const texts: string[] = [];
  return {
    texts,
    query: async (text, values) => {
      texts.push(text);
      const connection = connections[texts.length % connections.length];
      if (connection === undefined) throw new Error("there are three connections");
      return connection.query(text, values);
    },
  };
}

const POSTBACK = {
  trust: "signed",
  externalRef: "order-1",
  id: ID,
  rawStatus: "approved",
  amount: 1990,
} as const;

describe("a store behind a pooler", () => {
  test("needs nothing that a connection remembers", async () => {
    const pooler = await poolerOf(await migratedSchema());
    const store = postgresStore(pooler);
    await store.migrate();

    await store.claim(ORDER, LEASE);
    await store.renew(ORDER, LEASE);
    await store.end(ORDER, UNKNOWN);
    const orders = await listed(store);
    await store.resolve("order-1", { transactionId: ID, status: "approved" });
    await store.claimPostback(POSTBACK, "a", LEASE);
    await store.confirmPostback(POSTBACK, "a");

    expect(orders).toHaveLength(1);
    expect(await store.claim(by("b"), LEASE)).toMatchObject({ state: "created", transactionId: ID });
    expect(await store.claimPostback(POSTBACK, "b", LEASE)).toEqual({ state: "done" });
  });

  test("sends three statements for an order: its claim, the check that it is committed, and its end", async () => {
    const pooler = await poolerOf(await migratedSchema());
    const store = postgresStore(pooler);
    await store.claim({ ...ORDER, externalRef: "earlier" }, LEASE);
    await store.end({ ...ORDER, externalRef: "earlier" }, createdAs()); // the first one deletes what is too old, too
    const before = pooler.texts.length;

    await store.claim(ORDER, LEASE);
    await store.end(ORDER, createdAs());

    expect(pooler.texts.length - before).toBe(3);
  });

  test.each([
    ["pg", (schema: Schema) => schema.client()],
    ["postgres.js", (schema: Schema) => schema.postgresJs({ max: 1 })],
  ])("leaves no prepared statement on a connection of %s", async (_name, connect) => {
    const client = await connect(await migratedSchema());
    const store = postgresStore(client);

    await store.claim(ORDER, LEASE);
    await store.end(ORDER, UNKNOWN);
    await listed(store);

    const sql = "SELECT statement FROM pg_prepared_statements WHERE statement LIKE '%payments_%'";
    const answer = "unsafe" in client ? await client.unsafe(sql) : (await client.query(sql)).rows;
    expect([...answer]).toEqual([]);
  });
});
