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
  "retention_days numeric  NO",
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

test("tables that lack a column are refused with an error that names the fix", async () => {
  const pool = await (await migratedSchema()).pool();
  await pool.query("ALTER TABLE payments_orders DROP COLUMN retention_days");

  const claim = postgresStore(pool).claim(ORDER, LEASE);

  await expect(claim).rejects.toBeInstanceOf(ConfigurationError);
  await expect(claim).rejects.toThrow("lacks a column: compare it with docs/stores.md");
});
