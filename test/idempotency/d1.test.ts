import { DatabaseSync } from "node:sqlite";
import { ConfigurationError, type D1Client, type D1Rows, d1Store } from "payments-sdk/idempotency";
import { expect, test, vi } from "vitest";
import { collect } from "../../src/testing/stores/fixtures.ts";
import { openD1, toD1 } from "./support/d1.ts";
import { attempt, by, createdAs, LEASE, ORDER, REF, stateOf, UNKNOWN } from "./support/orders.ts";

/** A client that changes what D1 returns. */
function withReplies({ prepare, batch }: D1Client, change: (rows: D1Rows) => D1Rows): D1Client {
  return { prepare, batch: async (statements) => (await batch(statements)).map(change) };
}

test("without its table, each operation fails with a ConfigurationError until the store is migrated", async () => {
  const store = d1Store(toD1(new DatabaseSync(":memory:")));

  const failure = await store.claim(ORDER, LEASE).catch((error) => error);
  for (const _process of [1, 2]) await store.migrate();

  expect(failure).toBeInstanceOf(ConfigurationError);
  expect(failure.message).toContain("call migrate()");
  expect(await store.check()).toEqual([]);
  expect(await store.claim(ORDER, LEASE)).toEqual({ state: "yours" });
});

test.each<[string, (rows: D1Rows) => D1Rows]>([
  ["that no row changed", ({ results }) => ({ results, meta: { changes: 0 } })],
  ["no rows", ({ meta }) => ({ results: [], meta })],
  ["rows with other names", ({ meta }) => ({ results: [{ VERSION: "1" }], meta })],
])("no caller gets an order while the database returns %s", async (_name, change) => {
  const { client } = await openD1();
  const store = d1Store(withReplies(client, change));

  const claims = await Promise.allSettled(["a", "b"].map((owner) => store.claim(by(owner), LEASE)));

  expect(claims).not.toContainEqual(expect.objectContaining({ value: { state: "yours" } }));
});

test.each([
  ["missing", undefined],
  ["not a number", Number.NaN],
  ["a text", "5"],
])("an order is neither read nor given to a second caller if its age is %s", async (_name, age) => {
  const { client } = await openD1();
  await d1Store(client).claim(ORDER, LEASE);
  const withAge = ({ results, meta }: D1Rows) => ({
    meta,
    results: results.map((row) => ({ ...row, ageMs: age })),
  });
  const store = d1Store(withReplies(client, withAge));

  const claim = store.claim(by("b"), LEASE, { replaceLost: true });

  await expect(claim).rejects.toThrow("a document with text, version and ageMs, a number");
});

test("a record that D1 repeats in an error is redacted", async () => {
  const { client } = await openD1();
  const repeat = (sql: string) => {
    const bind = (...values: unknown[]) => ({
      bind,
      all: () => Promise.reject(new Error(values.join())),
      values,
    });
    return sql.includes("body = ?") ? bind() : client.prepare(sql);
  };
  const store = d1Store({ ...client, prepare: repeat });
  await store.claim(ORDER, LEASE);

  const failure = await store.recordOutcome(ORDER, UNKNOWN).catch((error) => error);

  expect(failure.message).toContain("default,order-1");
  expect(failure.message).not.toContain("amount");
});

test.each([
  ["DROP INDEX payments_documents_open", "warning", "no payments_documents_open"],
  ["ALTER TABLE payments_documents RENAME COLUMN version TO revision", "error", "no version"],
  ["DROP TABLE payments_documents", "error", "has no table payments_documents"],
])("after %s, check() has this %s", async (sql, level, message) => {
  const { database, client } = await openD1();
  database.exec(sql);

  expect(await d1Store(client).check()).toEqual([{ level, message: expect.stringContaining(message) }]);
});

test("200 orders are read in one statement, in the order of their references", async () => {
  const { client } = await openD1();
  const references = Array.from({ length: 200 }, (_, nth) => `order "${199 - nth}"`);
  for (const reference of references.slice(0, 3)) await attempt(d1Store(client), UNKNOWN, by("a", reference));
  const prepare = vi.fn(client.prepare);

  const orders = await d1Store({ ...client, prepare }).getMany(references);

  expect(prepare).toHaveBeenCalledOnce();
  expect(orders.map(({ externalRef }) => externalRef)).toEqual(references.slice(0, 3));
});

test("an empty reference is listed", async () => {
  const { client } = await openD1();
  const store = d1Store(client);
  await attempt(store, UNKNOWN, by("a", ""));

  for (const namespace of [undefined, "*"] as const)
    expect(await collect(store.list({ namespace }))).toMatchObject([{ externalRef: "" }]);
});

test("no caller gets an order while a trigger drops its record", async () => {
  const { database, client } = await openD1();
  database.exec("CREATE TRIGGER dropped BEFORE INSERT ON payments_documents BEGIN SELECT RAISE(IGNORE); END");

  await expect(d1Store(client).claim(ORDER, LEASE)).rejects.toThrow("a trigger that drops the row");
});

test("a cleanup deletes 100 documents that ended before their retention, the oldest first, of any namespace", async () => {
  const { database, client } = await openD1();
  const insert = database.prepare(`
    INSERT INTO payments_documents (kind, namespace, key, version, changed_at, expires_at, body)
    VALUES ('order', ?1, ?2, 'v', 0, unixepoch() * 1000 + ?3, '{}')
  `);
  for (let nth = 0; nth < 100; nth += 1) insert.run("other", `expired ${nth}`, -2_000);
  insert.run("default", "expired later", -1_000);
  insert.run("default", "expires soon", 60_000);
  insert.run("default", "open", null);
  vi.spyOn(Math, "random").mockReturnValue(0);

  await attempt(d1Store(client), createdAs());

  const keys = () => database.prepare("SELECT key FROM payments_documents ORDER BY key").all();
  expect(keys().map(({ key }) => key)).toEqual(["expired later", "expires soon", "open", REF]);
});

test("a cleanup that fails does not fail the operation", async () => {
  const { client } = await openD1();
  const prepare = vi.fn((sql: string) => client.prepare(sql.replace("DELETE FROM", "DELETE from missing.")));
  vi.spyOn(Math, "random").mockReturnValue(0);
  const store = d1Store({ ...client, prepare });

  await attempt(store, createdAs());

  expect(prepare).toHaveBeenCalledWith(expect.stringContaining("DELETE"));
  expect(await stateOf(store)).toBe("created");
});

test("every statement finds its rows by an index", async () => {
  const { database, client } = await openD1();
  const prepare = vi.fn(client.prepare);
  const store = d1Store({ ...client, prepare });
  vi.spyOn(Math, "random").mockReturnValue(0);
  await attempt(store, createdAs());
  await store.namespaces();
  await store.getMany([REF]);
  for (const filter of [{}, { state: "claimed" }] as const)
    for (const namespace of [undefined, "*"] as const) await collect(store.list({ ...filter, namespace }));

  const plans = prepare.mock.calls.map(([sql]) =>
    database
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map(({ detail }) => detail)
      .join("; "),
  );

  expect(new Set(plans).size).toBeGreaterThan(4);
  for (const plan of plans) expect(plan).not.toMatch(/SCAN(?! list| json_each)|TEMP B-TREE/);
});
