import { postgresStore } from "payments-sdk/idempotency";
import { expect, test } from "vitest";
import { merchantWithStore } from "../../resources/support/merchant-with-store.ts";
import { aPix, failureOf } from "../../support/merchant.ts";
import { created } from "../../support/service-responses.ts";
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

test("a listing of many orders returns each once, and holds no connection between pages", async () => {
  const pool = await (await migratedSchema()).pool({ max: 1 });
  const store = postgresStore(pool);
  await attempt(store, UNKNOWN);
  await pool.query(`INSERT INTO payments_orders (namespace, key, version, changed_at, is_open, body)
    SELECT namespace, 'order-' || n, version, changed_at, is_open, body
    FROM payments_orders, generate_series(2, 1100) n`);
  const seen: string[] = [];

  for await (const { externalRef } of store.unresolved()) {
    if (seen.length === 0) await pool.query("SELECT 1");
    seen.push(externalRef);
  }

  expect([seen.length, new Set(seen).size]).toEqual([1100, 1100]);
});

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

test("a claim that the server commits after the client has given it up is released, and the order can be sent", async () => {
  const references = Array.from({ length: 5 }, (_, at) => `order-${at}`);
  const schema = await migratedSchema();
  const stalling = await schema.client();
  await stalling.query("BEGIN; LOCK TABLE payments_orders IN SHARE MODE"); // a claim waits, a read does not
  const pool = await schema.pool({ query_timeout: 200 });
  let reads = 0;
  const query = async (text: string, values: string[]) => {
    const result = await pool.query(text, values);
    if (text.trimStart().startsWith("SELECT")) reads += 1;
    return result;
  };
  const store = postgresStore({ query });
  const { payments, arrivals } = await merchantWithStore([created()], { store });
  const pay = (externalRef: string) => payments.transactions.createPix(aPix({ externalRef }));

  const failures = Promise.all(references.map((reference) => failureOf(pay(reference))));
  await waitingFor(schema, references.length);
  expect(await failures).toMatchObject(references.map(() => ({ outcome: "not_sent" })));
  await expect.poll(() => reads).toBeGreaterThanOrEqual(references.length); // the release of each claim finds nothing
  await stalling.query("COMMIT");

  const other = postgresStore(await schema.pool());
  const states = () => Promise.all(references.map(async (reference) => (await other.get(reference))?.state));
  await expect.poll(states, { timeout: 10_000 }).toEqual(references.map(() => "free"));
  expect(await Promise.all(references.map(pay))).toHaveLength(references.length);
  expect(arrivals).toHaveLength(references.length);
});
