import { AsyncLocalStorage } from "node:async_hooks";
import { PGlite } from "@electric-sql/pglite";
import { IdempotencyStoreError } from "payments-sdk";
import { type PaymentsStore, type PostgresClient, postgresStore } from "payments-sdk/idempotency";
import type { PoolClient } from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { byPix, guarded } from "../../client/at-most-once/support/guarded.ts";
import { failureOf } from "../../support/merchant.ts";
import { by, createdAs, ID, LEASE, NOT_CREATED, ORDER, stateOf } from "../support/orders.ts";
import { migratedSchema, newSchema, type Schema } from "./support/schema.ts";

type Statement = (text: string, values: string[]) => Promise<{ readonly rows: readonly object[] }>;
type End = "COMMIT" | "ROLLBACK";

let pglite: PGlite;
beforeAll(async () => {
  pglite = await PGlite.create();
}, 120_000);
afterAll(() => pglite.close());

/** What an application has that runs each request in a transaction. */
interface Application {
  /** Runs its statements in the transaction of the request, if there is one. */
  readonly client: PostgresClient;
  /** Runs a request, and ends its transaction. */
  readonly request: <Result>(end: End, work: () => Promise<Result>) => Promise<Result>;
}

/** Wrappers of common clients that find the transaction of the request by its async context. */
const APPLICATIONS: Readonly<Record<string, (schema: Schema) => Promise<Application>>> = {
  "a pool of pg": onPool,
  "a client of pg that hides its state": async (schema) => {
    const client = await schema.client();
    return onOneConnection((text, values) => client.query(text, values));
  },
  "a client of pg with a savepoint": async (schema) => {
    const client = await schema.client();
    return onOneConnection((text, values) => client.query(text, values), "SAVEPOINT of_the_request");
  },
  "postgres.js": async (schema) => {
    const sql = await schema.postgresJs({ max: 1 });
    return onOneConnection(async (text, values) => ({ rows: await sql.unsafe(text, values) }));
  },
  PGlite: async ({ name }) => {
    await pglite.exec(`CREATE SCHEMA ${name}; SET search_path = ${name}`);
    return onOneConnection((text, values) => pglite.query(text, values));
  },
};

async function onPool(schema: Schema, options?: string): Promise<Application> {
  const pool = await schema.pool(options === undefined ? {} : { options });
  const ofRequest = new AsyncLocalStorage<PoolClient>();
  return {
    client: { query: (text, values) => (ofRequest.getStore() ?? pool).query(text, values) },
    request: async (end, work) => {
      const connection = await pool.connect();
      await connection.query("BEGIN");
      try {
        return await ofRequest.run(connection, work);
      } finally {
        await connection.query(end);
        connection.release();
      }
    },
  };
}

async function onOneConnection(query: Statement, afterBegin = "SELECT 1"): Promise<Application> {
  return {
    client: { query: (text, values) => query(text, values) },
    request: async (end, work) => {
      await query("BEGIN", []);
      await query(afterBegin, []);
      try {
        return await work();
      } finally {
        await query(end, []);
      }
    },
  };
}

const FREED: Readonly<Record<string, (store: PaymentsStore) => Promise<unknown>>> = {
  "that nobody claimed": async () => {},
  "that is free again": async (store) => {
    await store.claim(by("earlier"), LEASE);
    await store.end(by("earlier"), NOT_CREATED);
  },
};

describe.each(Object.entries(APPLICATIONS))("a wrapper of %s", (_name, open) => {
  describe.each(Object.entries(FREED))("with an order %s", (_state, prepare) => {
    test.each<[End]>([["COMMIT"], ["ROLLBACK"]])(
      "sends nothing inside of a transaction, and leaves the order free after its %s",
      async (end) => {
        const { client, request } = await open(await newSchema());
        const store = postgresStore(client);
        await store.migrate();
        await prepare(store);
        const { payments, arrivals } = await guarded(undefined, { store });

        const error = await request(end, () => failureOf(byPix(payments)));

        expect(error).toBeInstanceOf(IdempotencyStoreError);
        expect(error.outcome).toBe("not_sent");
        expect(error.message).toContain("open transaction");
        expect(arrivals).toHaveLength(0);
        await expect.poll(() => stateOf(store)).toBe("free");
        const others = { ...ORDER, externalRef: "order-2" };
        expect(await store.claim(others, LEASE)).toEqual({ state: "yours" });
      },
    );
  });

  test("sends a create outside of a transaction, and replays it inside of one", async () => {
    const { client, request } = await open(await newSchema());
    const store = postgresStore(client);
    await store.migrate();
    const { payments, arrivals } = await guarded(undefined, { store });

    await byPix(payments);
    const replayed = await request("ROLLBACK", () => byPix(payments));

    expect(replayed.id).toBe(ID);
    expect(arrivals).toHaveLength(1);
  });
});

test.each([
  ["synchronous_commit off", "-c synchronous_commit=off"],
  ["serializable transactions", "-c default_transaction_isolation=serializable"],
])("the transaction of a request is noticed with %s", async (_what, setting) => {
  const schema = await migratedSchema();
  const { client, request } = await onPool(schema, `-c search_path=${schema.name} ${setting}`);
  const store = postgresStore(client);

  const claim = request("ROLLBACK", () => store.claim(ORDER, LEASE));

  await expect(claim).rejects.toThrow("open transaction");
  expect(await store.claim(ORDER, LEASE)).toEqual({ state: "yours" });
});

test("a role that has nothing but the rows can claim an order", async () => {
  const schema = await migratedSchema();
  const owner = await schema.client();
  const role = `${schema.name}_shop`;
  await owner.query(`CREATE ROLE ${role}; GRANT USAGE ON SCHEMA ${schema.name} TO ${role};
    GRANT SELECT, INSERT, UPDATE, DELETE ON payments_orders, payments_postbacks TO ${role}`);
  onTestFinished(async () => {
    await owner.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
  });
  const client = await schema.client();
  await client.query(`SET ROLE ${role}`);

  expect(await postgresStore(client).claim(ORDER, LEASE)).toEqual({ state: "yours" });
});

/** A client that sends the reads that follow a claim to the wrong place. */
async function withStatusOf(answer: () => unknown): Promise<PostgresClient> {
  const client = await (await migratedSchema()).client();
  return {
    query: async (text, values) =>
      text.includes("pg_xact_status") ? (answer() as never) : client.query(text, values),
  };
}

test.each<[string, () => unknown, string]>([
  ["in the future, for a replica", inTheFuture, "to the primary"],
  ["in progress", () => [{ status: "in progress" }], "open transaction"],
  ["rolled back", () => [{ status: "aborted" }], "rolled the claim back"],
  ["unknown", () => [{ status: null }], "rolled the claim back"],
  ["not there", () => [], "rolled the claim back"],
])("a claim is refused if its transaction is %s", async (_what, answer, reason) => {
  const store = postgresStore(await withStatusOf(answer));

  await expect(store.claim(ORDER, LEASE)).rejects.toThrow(reason);
});

/** As PostgreSQL 18 reports it. */
async function inTheFuture(): Promise<never> {
  throw Object.assign(new Error("transaction ID 753 is in the future"), { code: "22023" });
}

test("a database that is read-only, as a replica is, fails with an error that says so", async () => {
  const schema = await migratedSchema();
  const options = `-c search_path=${schema.name} -c default_transaction_read_only=on`;
  const store = postgresStore(await schema.pool({ options }));
  const { payments, arrivals } = await guarded(undefined, { store });

  const error = await failureOf(byPix(payments));

  expect(error).toBeInstanceOf(IdempotencyStoreError);
  expect(error.outcome).toBe("not_sent");
  expect(error.message).toContain("leads to a replica");
  expect(arrivals).toHaveLength(0);
});

test("a database without transaction ids is used without the check, and asked for them once", async () => {
  const client = await (await migratedSchema()).client();
  const texts: string[] = [];
  const store = postgresStore({
    query: (text, values) => {
      texts.push(text);
      return client.query(text.replace("pg_current_xact_id", "no_such_function"), values);
    },
  });

  expect(await store.claim(ORDER, LEASE)).toEqual({ state: "yours" });
  await store.end(ORDER, createdAs());
  await store.claim({ ...ORDER, externalRef: "order-2" }, LEASE);

  expect(texts.filter((text) => text.includes("pg_current_xact_id"))).toHaveLength(1);
  expect(texts.filter((text) => text.includes("pg_xact_status"))).toHaveLength(0);
});
