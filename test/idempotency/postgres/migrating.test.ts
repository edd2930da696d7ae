import { ConfigurationError, postgresStore } from "payments-sdk/idempotency";
import { expect, test } from "vitest";
import { POSTGRES_TABLES } from "../../../src/idempotency/stores/postgres-sql.ts";
import { LEASE, listed, ORDER, stateOf, UNKNOWN } from "../support/orders.ts";
import { migratedSchema, newSchema, roleIn, type Schema } from "../support/postgres.ts";

/** Columns and indexes, as the database describes them. */
async function tablesOf({ name, client }: Schema) {
  const connection = await client();
  const columns = await connection.query(
    `SELECT table_name, column_name, data_type, collation_name, is_nullable FROM information_schema.columns
     WHERE table_schema = $1 ORDER BY table_name, ordinal_position`,
    [name],
  );
  const indexes = await connection.query(
    "SELECT indexname, replace(indexdef, $1, 'schema') AS definition FROM pg_indexes WHERE schemaname = $1 ORDER BY 1",
    [name],
  );
  return { columns: columns.rows, indexes: indexes.rows };
}

/** A sort order that depends on the language changes with the operating system, and would break a unique index. */
const COLUMNS = [
  "namespace text C NO",
  "key text C NO",
  "full_key json  YES",
  "retention_days numeric  YES",
  "version text  NO",
  "changed_at timestamp with time zone  NO",
  "is_open boolean  NO",
  "body json  NO",
];

test("migrate() creates the tables that the documentation shows", async () => {
  const [migrated, written] = [await migratedSchema(), await newSchema()];

  await (await written.client()).query(POSTGRES_TABLES);

  const tables = await tablesOf(migrated);
  expect(tables).toEqual(await tablesOf(written));
  const columns = tables.columns.map(({ column_name, data_type, collation_name, is_nullable }) =>
    [column_name, data_type, collation_name, is_nullable].join(" "),
  );
  expect(columns).toEqual([...COLUMNS, ...COLUMNS]);
  expect(tables.indexes).toHaveLength(4);
});

test("any number of processes may migrate at once", async () => {
  const schema = await newSchema();
  const clients = await Promise.all(Array.from({ length: 12 }, () => schema.client()));
  // Each has looked for the tables before, and its connection may have cached that they do not exist.
  await Promise.all(clients.map((client) => expect(listed(postgresStore(client))).rejects.toThrow()));

  const migrations = await Promise.allSettled(clients.map((client) => postgresStore(client).migrate()));

  expect(migrations.filter(({ status }) => status === "rejected")).toEqual([]);
  expect((await tablesOf(schema)).indexes).toHaveLength(4);
});

test("migrating again creates what is missing, changes nothing else, and emits no notice", async () => {
  const schema = await migratedSchema();
  const notices: unknown[] = [];
  const client = await schema.client();
  client.on("notice", (notice) => notices.push(notice));
  const store = postgresStore(client);
  await store.claim(ORDER, LEASE);
  const before = await tablesOf(schema);

  await client.query("DROP INDEX payments_orders_open");
  await store.migrate();

  expect(await tablesOf(schema)).toEqual(before);
  expect(await stateOf(store)).toBe("claimed");
  expect(notices).toEqual([]);
});

test("without the tables, the error of a store names the fix", async () => {
  const store = postgresStore(await (await newSchema()).pool());

  const claim = store.claim(ORDER, LEASE);

  await expect(claim).rejects.toBeInstanceOf(ConfigurationError);
  await expect(claim).rejects.toThrow("call migrate()");
});

test("a role that may only read and write rows is enough for a store", async () => {
  const schema = await migratedSchema();
  const { client } = await roleIn(schema);
  const store = postgresStore(client, { retentionDays: 1e-9 });

  await store.migrate();
  await store.claim(ORDER, LEASE);
  await store.recordOutcome(ORDER, UNKNOWN);

  expect(await listed(store)).toHaveLength(1);
  expect(await store.resolve("order-1", { charged: false })).toMatchObject({ state: "free" });
});

/** The tables of the version before `retention_days`, and its statements. */
const EARLIER_TABLES = ["payments_orders", "payments_postbacks"]
  .map(
    (name) => `CREATE TABLE ${name} (
  namespace text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  full_key json,
  version text NOT NULL,
  changed_at timestamptz NOT NULL,
  is_open boolean NOT NULL,
  body json NOT NULL,
  PRIMARY KEY (namespace, key)
);
CREATE INDEX ${name}_open ON ${name} (namespace, key) WHERE is_open;
CREATE INDEX ${name}_ended ON ${name} (namespace, changed_at) WHERE NOT is_open;`,
  )
  .join("\n");
const EARLIER_INSERT = `INSERT INTO payments_orders (namespace, key, full_key, version, changed_at, is_open, body)
  VALUES ('default', $1, NULL, 'v1', clock_timestamp(), true, $2) ON CONFLICT (namespace, key) DO NOTHING`;
const EARLIER_UPDATE = `UPDATE payments_orders
  SET version = 'v2', changed_at = clock_timestamp(), is_open = false, body = $2
  WHERE namespace = 'default' AND key = $1 AND version = 'v1'`;
/** What it wrote: every field, in its own order. */
const CLAIMED = {
  ...{ amount: 1990, paymentMethod: "pix", attempt: 1, owner: "a", others: [], writtenOff: [], replaced: [] },
  ...{ firstClaimedAt: "2026-11-20T12:00:00.000Z", claimedAt: "2026-11-20T12:00:00.000Z" },
};

test("without migrate(), tables of an earlier version are refused with an error that names the fix", async () => {
  const schema = await newSchema();
  await (await schema.client()).query(EARLIER_TABLES);

  const claim = postgresStore(await schema.pool()).claim(ORDER, LEASE);

  await expect(claim).rejects.toBeInstanceOf(ConfigurationError);
  await expect(claim).rejects.toThrow("lack a column: call migrate()");
});

test("migrate() adds to the tables of an earlier version, whose processes continue to work", async () => {
  const schema = await newSchema();
  const earlier = await schema.client();
  await earlier.query(EARLIER_TABLES);
  const unresolved = JSON.stringify({ ...CLAIMED, state: "unresolved" });
  await earlier.query(EARLIER_INSERT, ["before", unresolved]);
  const stores = await Promise.all(
    Array.from({ length: 5 }, async () => postgresStore(await schema.client())),
  );

  await Promise.all(stores.map((store) => store.migrate()));
  await earlier.query(EARLIER_INSERT, [
    "after",
    JSON.stringify({ ...CLAIMED, state: "claimed", leaseMs: LEASE }),
  ]);
  await earlier.query(EARLIER_UPDATE, ["after", JSON.stringify({ ...CLAIMED, state: "free" })]);

  const [store] = stores;
  if (store === undefined) throw new Error("no store");
  expect(await store.get("after")).toMatchObject({ state: "free", attempt: 1 });
  expect(await listed(store)).toMatchObject([{ externalRef: "before" }]);
  await store.resolve("before", { charged: false });
  const { rows } = await earlier.query("SELECT body FROM payments_orders WHERE key = 'before'");
  expect(rows[0].body).toMatchObject({ state: "free", others: [], writtenOff: ["a"] }); // what it needs
  expect(await store.check()).toEqual([]);
  expect((await tablesOf(schema)).indexes).toHaveLength(4);
});
