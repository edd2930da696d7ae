import { PGlite } from "@electric-sql/pglite";
import { ConfigurationError, postgresStore, type QueryingPostgresClient } from "payments-sdk/idempotency";
import { Pool } from "pg";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { byPix, merchantWithStore } from "../../resources/support/merchant-with-store.ts";
import { startPostgres } from "../../support/postgres-server.ts";
import { aPixData, created, PIX_CODE } from "../../support/service-responses.ts";
import { OPERATIONS } from "../support/operations.ts";
import {
  aPostback,
  attempt,
  by,
  createdAs,
  LEASE,
  listed,
  ORDER,
  REF,
  stateOf,
  transactionOf,
  UNKNOWN,
} from "../support/orders.ts";
import { contentsOf, migratedSchema } from "../support/postgres.ts";

test("behind a pooler in transaction mode, a store needs no state of a connection", async () => {
  const schema = await migratedSchema();
  const connections = await Promise.all([schema.client(), schema.client(), schema.client()]);
  let nth = 0;
  const query: QueryingPostgresClient["query"] = async (text, values) =>
    connections[++nth % 3]?.query(text, values) as never;

  for (const { name, arrange, act, look, seen } of OPERATIONS) {
    const store = postgresStore({ query }, { namespace: name });
    await arrange(store);
    await act(store);

    expect([name, await look(store)]).toEqual([name, seen[1]]);
  }
});

test("an order needs four statements, two of them to check its commits; a repeat one, a postback at most two; none is prepared", async () => {
  const schema = await migratedSchema();
  const [client, sql] = [await schema.client(), await schema.postgresJs({ max: 1 })];
  const query = vi.fn((text: string, values: string[]) => client.query(text, values));
  const store = postgresStore({ query });
  await attempt(store, createdAs(), { ...ORDER, externalRef: "earlier" }); // also runs the cleanup
  const statementsOf = async (work: () => Promise<unknown>) => {
    query.mockClear();
    await work();
    return query.mock.calls.length;
  };

  expect(await statementsOf(() => attempt(store, createdAs()))).toBe(4);
  expect(await statementsOf(() => store.recordOutcome(ORDER, createdAs()))).toBe(3); // nothing of the first end is kept
  expect(await statementsOf(() => store.claim(by("b"), LEASE))).toBe(1);
  expect(await statementsOf(() => store.recordPostback(REF, aPostback("pending")))).toBe(1);
  expect(await statementsOf(() => store.recordPostback(REF, aPostback("approved")))).toBe(2);

  await listed(store);
  await attempt(postgresStore(sql, { namespace: "other" }), UNKNOWN);
  const prepared = "SELECT FROM pg_prepared_statements WHERE statement LIKE '%payments_%'";
  expect((await client.query(prepared)).rows).toEqual([]);
  expect(await sql.unsafe(prepared)).toHaveLength(0);
});

test("with commits: true, an order needs two statements, and none checks a commit", async () => {
  const client = await (await migratedSchema()).client();
  const query = vi.fn((text: string, values: string[]) => client.query(text, values));
  const store = postgresStore({ query }, { commits: true });
  await store.get(REF); // after the check of the client

  query.mockClear();
  await attempt(store, createdAs());

  expect(query.mock.calls).toHaveLength(2);
  expect(query.mock.calls.join()).not.toContain("pg_current_xact_id");
  expect(await stateOf(store)).toBe("created");
});

describe("with prepare: true", () => {
  test("the statements of pg and postgres.js are prepared, once per connection", async () => {
    const schema = await migratedSchema();
    const [client, sql] = [await schema.client(), await schema.postgresJs({ max: 1 })];
    const prepared = "SELECT FROM pg_prepared_statements WHERE statement LIKE '%INSERT INTO payments_%'";

    for (const [namespace, connection] of [["a", client] as const, ["b", sql] as const]) {
      const store = postgresStore(connection, { namespace, prepare: true });
      await attempt(store, createdAs());
      await attempt(store, UNKNOWN, { ...ORDER, externalRef: "order-2" });
      expect(await stateOf(store)).toBe("created");
    }

    expect((await client.query(prepared)).rows).toHaveLength(1);
    expect(await sql.unsafe(prepared)).toHaveLength(1);
  });

  test("a client that takes only texts is refused before it gets a statement, or before anything is written", async () => {
    const query = vi.fn((text: string) => Promise.reject(new TypeError(`${text} must be of type string`)));

    expect(() => postgresStore({ query }, { prepare: true })).toThrow(/^prepare must not be true/);
    expect(() => postgresStore(new PGlite(), { prepare: true })).toThrow(ConfigurationError);
    const store = postgresStore(Object.assign({ query }, { connect: () => {} }), { prepare: true });
    for (const run of [store.migrate, () => store.claim(ORDER, LEASE)])
      await expect(run()).rejects.toMatchObject({
        name: "ConfigurationError",
        message: expect.stringMatching(/^prepare must not be true/),
      });
    expect(query.mock.calls.map(([named]) => Object(named).values.length)).toEqual([2, 2]);
  });
});

test("confirmed writes survive a crash of a server that is configured not to wait for its disk", async () => {
  const server = await startPostgres({ synchronous_commit: "off", wal_writer_delay: "10s" });
  onTestFinished(() => server.stop());
  const pool = new Pool(server.address);
  pool.on("error", () => undefined);
  onTestFinished(() => pool.end());
  const store = postgresStore(pool);
  await store.migrate();

  await store.claim(ORDER, LEASE);
  await server.crash();
  expect(await stateOf(store)).toBe("claimed");
  await store.recordOutcome(ORDER, createdAs());
  await server.crash();
  expect(await stateOf(store)).toBe("created");
});

describe("a reference", () => {
  const LONG = "\u{1f6d2}".repeat(1_000);
  /** By: printf '"%s"' "$(printf 'x%.0s' $(seq 1001))" | sha256sum */
  const DIGEST_OF_LONG = "sha256:ddd4cef8e3bb2222b00985217368c7e3e2c5e7750b09a721d27b14ba5b0033cb";

  test("that is long is found by its digest, and one that looks like a digest is another order", async () => {
    const schema = await migratedSchema();
    const store = postgresStore(await schema.pool());
    const references = ["sha256:", DIGEST_OF_LONG, "x".repeat(1_001), `${LONG}a`, `${LONG}b`];

    for (const externalRef of references) {
      expect(await store.claim({ ...ORDER, externalRef }, LEASE)).toEqual({ state: "yours" });
      await store.recordOutcome({ ...ORDER, externalRef }, UNKNOWN);
    }

    const found = (await listed(store)).map(({ externalRef }) => externalRef);
    expect(found.sort()).toEqual(references.sort());
    expect(await contentsOf(schema)).toContain(DIGEST_OF_LONG);
  });

  test("of 1,000 bytes fits next to a namespace of 255 characters", async () => {
    // Different characters of three bytes each, which a database cannot compress.
    const incompressible = (length: number) =>
      String.fromCharCode(...Array.from({ length }, (_, at) => 0x4e00 + ((at * 7_919) % 20_000)));
    const pool = await (await migratedSchema()).pool();
    const store = postgresStore(pool, { namespace: incompressible(255) });

    expect(await store.claim({ ...ORDER, externalRef: incompressible(333) }, LEASE)).toEqual({
      state: "yours",
    });
  });
});

test("SQL can read the records, with any characters from the service or a postback", async () => {
  /** PostgreSQL cannot read any part of JSON that contains one of the first two. */
  const [NUL, HALF, READABLE] = ["a\0b", "a\ud800b", "a\ufffdb"];
  const texts = { secureId: NUL, acquirerType: HALF, status: NUL, ["of the future\0"]: HALF };
  const reply = created(aPixData({ ...texts, pix: { qrcodeText: `${PIX_CODE}${NUL}${HALF}` } }));
  const client = await (await migratedSchema()).client();
  const store = postgresStore(client);

  await byPix((await merchantWithStore([reply], { store })).payments);
  await store.recordPostback(REF, aPostback("pending", { id: 5000, rawStatus: HALF }));

  const { rows } = await client.query("SELECT key, body->>'state' AS state FROM payments_orders");
  expect(rows).toEqual([{ key: REF, state: "created" }]);
  expect((await transactionOf(store)).transaction).toMatchObject({
    secureId: READABLE,
    acquirerType: READABLE,
    rawStatus: READABLE,
    pix: { qrcodeText: `${PIX_CODE}${READABLE}${READABLE}` },
  });
});
