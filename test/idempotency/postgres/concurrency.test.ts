import { postgresStore } from "payments-sdk/idempotency";
import { expect, test } from "vitest";
import { attempt, by, LEASE, listed, ORDER, UNKNOWN } from "../support/orders.ts";
import { migratedSchema, waitingFor } from "../support/postgres.ts";

test.each([
  ["which is committed gets its state", "COMMIT", "claimed"],
  ["which is rolled back succeeds", "ROLLBACK", "yours"],
])("a claim during another one %s", async (_what, end, state) => {
  const schema = await migratedSchema();
  const [client, holder] = [await schema.client(), await schema.client()];
  const store = postgresStore(client);
  await store.claim(ORDER, LEASE);
  await holder.query("CREATE TEMP TABLE written AS TABLE payments_orders; DELETE FROM payments_orders");
  await holder.query("BEGIN; INSERT INTO payments_orders TABLE written");

  const claim = store.claim(by("b"), LEASE);
  await waitingFor(schema, 1);
  await holder.query(end);

  // Its statement began before the other row was committed, so it neither adds a row nor sees that one.
  expect(await claim).toMatchObject({ state });
});

test("if transactions are serializable by default, one of many concurrent claims of an order succeeds, and none fails", async () => {
  const schema = await migratedSchema();
  const options = `-c search_path=${schema.name} -c default_transaction_isolation=serializable`;
  const store = postgresStore(await schema.pool({ max: 20, options }));

  const claims = await Promise.all(Array.from({ length: 20 }, (_, at) => store.claim(by(String(at)), LEASE)));

  expect(claims.map(({ state }) => state).sort()).toEqual([...Array(19).fill("claimed"), "yours"]);
});

test.each([200, 450])(
  "a listing of %d orders returns each once, and holds no connection between pages",
  async (count) => {
    const pool = await (await migratedSchema()).pool({ max: 1 });
    const store = postgresStore(pool);
    await attempt(store, UNKNOWN);
    await pool.query(`INSERT INTO payments_orders (namespace, key, version, changed_at, is_open, body)
    SELECT namespace, 'order-' || n, version, changed_at, is_open, body
    FROM payments_orders, generate_series(2, ${count}) n`);

    const seen = new Set<string>();
    let rows = 0;
    for await (const { externalRef } of store.unresolved()) {
      if (rows === 0) await pool.query("SELECT 1");
      rows += 1;
      seen.add(externalRef);
    }

    expect([rows, seen.size]).toEqual([count, count]);
  },
);

test.each([
  ["pg", { code: "40P01" }],
  ["Sequelize", { name: "SequelizeDatabaseError", original: { code: "40P01" } }],
])("a statement that was ended by a deadlock is run again: %s", async (_client, properties) => {
  const client = await (await migratedSchema()).client();
  let failures = 2;
  const store = postgresStore({
    query: async (text, values) => {
      if (failures-- > 0) throw Object.assign(new Error("deadlock detected"), properties);
      return client.query(text, values);
    },
  });

  expect(await store.claim(ORDER, LEASE)).toEqual({ state: "yours" });
  expect(await listed(store)).toEqual([]);
});
