import { PGlite } from "@electric-sql/pglite";
import { ConfigurationError, type PostgresClient, postgresStore } from "payments-sdk/idempotency";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { thrownBy } from "../../support/merchant.ts";
import { by, createdAs, ID, LEASE, listed, news, ORDER, UNKNOWN } from "../support/orders.ts";
import { migratedSchema, newSchema, type Schema } from "./support/schema.ts";

let pglite: PGlite;
beforeAll(async () => {
  pglite = await PGlite.create();
}, 120_000);
afterAll(() => pglite.close());

const CLIENTS: Record<string, (schema: Schema) => Promise<PostgresClient>> = {
  "a pool of pg": (schema) => schema.pool(),
  "a client of pg": (schema) => schema.client(),
  "postgres.js": (schema) => schema.postgresJs(),
  "postgres.js that renames columns": (schema) => schema.postgresJs({ transform: postgres.pascal }),
  "postgres.js that reads big integers": (schema) =>
    schema.postgresJs({ types: { bigint: postgres.BigInt } } as object),
  PGlite: async ({ name }) => {
    await pglite.exec(`CREATE SCHEMA ${name}; SET search_path = ${name}`);
    return pglite;
  },
  "what sends each statement over HTTP": async (schema) => {
    const pool = await schema.pool();
    const query = async (text: string, values: string[]) => (await pool.query(text, values)).rows;
    return Object.assign(() => undefined, { query, unsafe: (text: string) => ({ sql: text }) });
  },
};

const POSTBACK = {
  trust: "signed",
  externalRef: "order-1",
  id: ID,
  rawStatus: "approved",
  amount: 1990,
} as const;

describe.each(Object.entries(CLIENTS))("a store on %s", (_name, connect) => {
  test("keeps an order from its claim to its end", async () => {
    const store = postgresStore(await connect(await newSchema()));
    await store.migrate();

    expect(await store.claim(ORDER, LEASE)).toEqual({ state: "yours" });
    expect(await store.claim(by("b"), LEASE)).toEqual({ state: "claimed", leaseLeftMs: expect.any(Number) });
    expect(await store.renew(ORDER, LEASE)).toBe(true);
    await store.end(ORDER, UNKNOWN);
    expect(await listed(store)).toMatchObject([
      { externalRef: "order-1", amount: 1990, reason: "no_answer" },
    ]);
    await store.settle("order-1", news("approved"));
    expect(await store.claim(by("b"), LEASE)).toMatchObject({ state: "created", transactionId: ID });
    expect(await listed(store)).toEqual([]);
  });

  test("tells how long a lease lasts by the clock of the database", async () => {
    const store = postgresStore(await connect(await newSchema()));
    await store.migrate();
    await store.claim(ORDER, LEASE);

    const claim = await store.claim(by("b"), LEASE);

    const { leaseLeftMs } = claim as { leaseLeftMs: number };
    expect(leaseLeftMs).toBeGreaterThan(LEASE - 20_000);
    expect(leaseLeftMs).toBeLessThanOrEqual(LEASE);
  });

  test("keeps a postback from its claim to its end", async () => {
    const store = postgresStore(await connect(await newSchema()));
    await store.migrate();

    expect(await store.claimPostback(POSTBACK, "a", LEASE)).toEqual({ state: "claimed", handled: [] });
    expect(await store.claimPostback(POSTBACK, "b", LEASE)).toMatchObject({ state: "busy", isSame: true });
    expect(await store.confirmPostback(POSTBACK, "a")).toBe(true);
    expect(await store.claimPostback(POSTBACK, "b", LEASE)).toEqual({ state: "done" });
  });
});

test("stores over different clients are one store", async () => {
  const schema = await migratedSchema();
  const ofPg = postgresStore(await schema.pool());
  const ofPostgresJs = postgresStore(await schema.postgresJs());

  await ofPg.claim(ORDER, LEASE);
  await ofPg.end(ORDER, createdAs("pending"));

  expect(await ofPostgresJs.claim(by("b"), LEASE)).toMatchObject({
    state: "created",
    transaction: createdAs("pending").transaction,
  });
});

test.each([
  ["nothing", undefined],
  ["null", null],
  ["an address", "postgres://127.0.0.1/shop"],
  ["an object that cannot be asked", { connect: () => undefined }],
  ["what has no function for it", { query: "SELECT 1" }],
])("%s is no client", (_what, client) => {
  const error = thrownBy(() => postgresStore(client as unknown as PostgresClient));

  expect(error).toBeInstanceOf(ConfigurationError);
  expect(String(error)).toContain("client must be a pool or client of pg");
});

test("a transaction of postgres.js is no client: what it writes is not kept when the request leaves", async () => {
  const sql = await (await newSchema()).postgresJs();

  const error = await sql.begin(async (transaction) => {
    return thrownBy(() => postgresStore(transaction as unknown as PostgresClient));
  });

  expect(error).toBeInstanceOf(ConfigurationError);
  expect(String(error)).toContain("must not be a transaction");
});

test("a transaction of PGlite is no client", async () => {
  const error = await pglite.transaction(async (transaction) => {
    return thrownBy(() => postgresStore(transaction as unknown as PostgresClient));
  });

  expect(error).toBeInstanceOf(ConfigurationError);
});

test("a client of pg with an open transaction claims nothing", async () => {
  const schema = await migratedSchema();
  const client = await schema.client();
  await client.query("BEGIN");

  await expect(postgresStore(client).claim(ORDER, LEASE)).rejects.toThrow("has an open transaction");

  await client.query("ROLLBACK");
  expect(await postgresStore(client).claim(ORDER, LEASE)).toEqual({ state: "yours" });
});
