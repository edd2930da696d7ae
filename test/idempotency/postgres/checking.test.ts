import { postgresStore } from "payments-sdk/idempotency";
import { expect, test } from "vitest";
import { attempt, createdAs, ORDER, REF, UNKNOWN } from "../support/orders.ts";
import { migratedSchema, newSchema, roleIn } from "../support/postgres.ts";

const levelsOf = (problems: readonly { level: string }[]) => problems.map(({ level }) => level);

test("check() finds nothing wrong with migrated tables, and changes nothing", async () => {
  const { admin, client } = await roleIn(await migratedSchema());

  expect(await postgresStore(admin).check()).toEqual([]);
  expect(await postgresStore(client).check()).toEqual([]);
});

const DROP_KEY = "ALTER TABLE payments_orders DROP CONSTRAINT payments_orders_pkey";
const toType = (column: string, type: string) => `ALTER TABLE payments_orders ALTER ${column} TYPE ${type}`;

test.each<[string, string, string, RegExp]>([
  ["a table", "DROP TABLE payments_postbacks", "error", /payments_postbacks is not in the search_path/],
  ["a column", "ALTER TABLE payments_orders DROP COLUMN retention_days", "error", /retention_days/],
  ["the primary key", DROP_KEY, "error", /key/],
  ["a key that is unique", `${DROP_KEY}, ADD UNIQUE (key)`, "error", /key/],
  ["the key alone", `${DROP_KEY}, ADD UNIQUE (namespace, key, version)`, "error", /key/],
  ["a time zone", toType("changed_at", "timestamp"), "error", /changed_at timestamp with time zone/],
  ["the type json", toType("body", "text"), "error", /body json/],
  ["the index of open rows", "DROP INDEX payments_orders_open", "warning", /create payments_orders_open/],
  ["rows", "ALTER TABLE payments_orders ENABLE ROW LEVEL SECURITY", "warning", /must not hide rows/],
  ["a right", "REVOKE DELETE ON payments_orders FROM PUBLIC, %role", "error", /DELETE on payments_orders/],
  [
    "the schema of this version",
    "COMMENT ON TABLE payments_orders IS 'payments-sdk schema 3'",
    "warning",
    /schema 3/,
  ],
])("check() reports that a database lacks, or hides, %s", async (_what, change, level, message) => {
  const schema = await migratedSchema();
  const { admin, client } = await roleIn(schema);
  await admin.query(change.replace("%role", `role_of_${schema.name}`));

  const problems = await postgresStore(client).check();

  expect(problems).toEqual([{ level, message: expect.stringMatching(message) }]);
});

test("check() reports missing tables and a read-only database", async () => {
  const schema = await newSchema();
  const options = `-c search_path=${schema.name} -c default_transaction_read_only=on`;

  expect(levelsOf(await postgresStore(await schema.pool({ options })).check())).toEqual(
    Array(3).fill("error"),
  );
});

test("open orders of all namespaces are listed in one statement, by an index", async () => {
  const client = await (await migratedSchema()).client();
  const texts: string[] = [];
  const query = async (text: string, values: string[]) => {
    texts.push(text);
    return client.query(text, values);
  };
  for (const namespace of ["a", "b", "c"]) {
    await attempt(postgresStore(client, { namespace }), UNKNOWN, {
      ...ORDER,
      externalRef: `of ${namespace}`,
    });
    await attempt(postgresStore(client, { namespace }), createdAs());
  }
  const store = postgresStore({ query }, { namespace: "a" });
  await store.get(REF);
  texts.length = 0;

  const seen: unknown[] = [];
  for await (const { namespace } of store.list({ state: "unresolved", namespace: "*" })) seen.push(namespace);

  expect(texts).toHaveLength(1);
  await client.query(`INSERT INTO payments_orders (namespace, key, version, changed_at, is_open, body, retention_days)
    SELECT 'b', 'ended ' || n, 'v', now(), false, '{}', 400 FROM generate_series(1, 5000) n`);
  await client.query("ANALYZE payments_orders");
  const { rows } = await client.query(`EXPLAIN ${texts[0]}`, ["id", "", "", "200"]);
  expect(JSON.stringify(rows)).toContain("payments_orders_open");
  expect(seen).toEqual(["a", "b", "c"]);
});
