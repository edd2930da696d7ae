import { type CreateOptions, IdempotencyStoreError } from "payments-sdk";
import { type PostgresClient, postgresStore, type QueryingPostgresClient } from "payments-sdk/idempotency";
import type { Client } from "pg";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { byPix, guarded } from "../../client/at-most-once/support/guarded.ts";
import { eventsOf, failureOf } from "../../support/merchant.ts";
import { LEASE, NOT_CREATED, news, ORDER } from "../support/orders.ts";
import { migratedSchema, type Schema } from "./support/schema.ts";

/** Statements that one change of a record may take: ten tries of two, and those that give the claim back. */
const STATEMENTS_AT_MOST = 25;

/** What keeps a claim from being made, and from being seen. */
const HIDDEN_BY: readonly (readonly [cause: string, hide: (schema: Schema) => Promise<Client>])[] = [
  ["row-level security", underRowLevelSecurity],
  ["a trigger that drops the row", (schema) => withTrigger(schema, "INSERT")],
];

/** A role that cannot see the order, which another tenant has. */
async function underRowLevelSecurity(schema: Schema): Promise<Client> {
  const owner = await schema.client();
  const role = `${schema.name}_tenant`;
  await owner.query(`
    ALTER TABLE payments_orders ADD COLUMN tenant text NOT NULL DEFAULT current_user;
    ALTER TABLE payments_orders ENABLE ROW LEVEL SECURITY;
    CREATE POLICY own ON payments_orders USING (tenant = current_user);
    CREATE ROLE ${role};
    GRANT USAGE ON SCHEMA ${schema.name} TO ${role};
    GRANT SELECT, INSERT, UPDATE, DELETE ON payments_orders, payments_postbacks TO ${role}`);
  onTestFinished(async () => {
    await owner.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
  });
  await postgresStore(owner).claim({ ...ORDER, externalRef: "order-1" }, LEASE);
  const client = await schema.client();
  await client.query(`SET ROLE ${role}`);
  return client;
}

async function withTrigger(schema: Schema, operation: "INSERT" | "UPDATE"): Promise<Client> {
  const client = await schema.client();
  await client.query(`
    CREATE FUNCTION drop_it() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
    CREATE TRIGGER drop_it BEFORE ${operation} ON payments_orders FOR EACH ROW EXECUTE FUNCTION drop_it()`);
  return client;
}

/** A client that counts its statements. */
function counting(client: PostgresClient): QueryingPostgresClient & { readonly texts: string[] } {
  const texts: string[] = [];
  return {
    texts,
    query: (text, values) => {
      texts.push(text);
      return (client as QueryingPostgresClient).query(text, values);
    },
  };
}

/** Answers reads from a copy of the database as it is now; before the first change of a row, another process makes one. */
async function withStaleReads(schema: Schema): Promise<QueryingPostgresClient> {
  const [primary, copy] = [await schema.client(), await schema.client()];
  await copy.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  await copy.query("SELECT FROM payments_orders");
  let isFirst = true;
  return {
    query: async (text, values) => {
      if (text.trimStart().startsWith("SELECT")) return copy.query(text, values);
      if (isFirst && text.includes("UPDATE")) {
        isFirst = false;
        await primary.query("UPDATE payments_orders SET version = 'of another process'");
      }
      return primary.query(text, values);
    },
  };
}

async function freeOrder(schema: Schema): Promise<void> {
  const store = postgresStore(await schema.client());
  await store.claim(ORDER, LEASE);
  await store.end(ORDER, NOT_CREATED);
}

/** Fails if statements are still being sent. */
async function expectQuiet({ texts }: { readonly texts: readonly string[] }): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 300)); // the claim is given back meanwhile
  const { length } = texts;
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(texts).toHaveLength(length);
  expect(length).toBeLessThanOrEqual(STATEMENTS_AT_MOST);
}

describe.each(HIDDEN_BY)("an order that is hidden by %s", (cause, hide) => {
  test("fails with the likely cause after a bounded number of statements, and nothing is sent", async () => {
    const client = counting(await hide(await migratedSchema()));
    const { payments, arrivals } = await guarded(undefined, { store: postgresStore(client) });

    const error = await failureOf(byPix(payments));

    expect(error).toBeInstanceOf(IdempotencyStoreError);
    expect(error.outcome).toBe("not_sent");
    expect(error.message).toContain(cause);
    await expectQuiet(client);
    expect(arrivals).toHaveLength(0);
  });

  test.each<[string, () => CreateOptions]>([
    ["its timeout ends", () => ({ timeout: 15 })],
    ["its signal is aborted", () => ({ signal: AbortSignal.timeout(15) })],
  ])("sends no more statements once the call is over because %s", async (_why, options) => {
    const client = counting(await hide(await migratedSchema()));
    const { payments, arrivals } = await guarded(undefined, { store: postgresStore(client) });

    const error = await failureOf(byPix(payments, options()));

    expect(error.outcome).toBe("not_sent");
    await expectQuiet(client);
    expect(client.texts.filter((text) => text.includes("INSERT")).length).toBeLessThan(10);
    expect(arrivals).toHaveLength(0);
  });
});

describe.each<[string, (schema: Schema) => Promise<QueryingPostgresClient>]>([
  ["a trigger drops the change", (schema) => withTrigger(schema, "UPDATE")],
  ["reads are answered by a stale replica", withStaleReads],
])("if %s", (_name, open) => {
  test("a claim of a free order fails with the likely causes, and nothing is sent", async () => {
    const schema = await migratedSchema();
    await freeOrder(schema);
    const client = counting(await open(schema));
    const { payments, arrivals } = await guarded(undefined, { store: postgresStore(client) });

    const error = await failureOf(byPix(payments));

    expect(error).toBeInstanceOf(IdempotencyStoreError);
    expect(error.outcome).toBe("not_sent");
    expect(error.message).toMatch(/replica.+row-level security.+trigger that drops the change/);
    await expectQuiet(client);
    expect(arrivals).toHaveLength(0);
  });

  test("a postback fails with the likely causes after a bounded number of statements", async () => {
    const schema = await migratedSchema();
    await postgresStore(await schema.client()).claim(ORDER, LEASE);
    const client = counting(await open(schema));

    const settling = postgresStore(client).settle("order-1", news("approved"));

    await expect(settling).rejects.toThrow(/replica.+row-level security.+trigger that drops the change/);
    await expectQuiet(client);
  });
});

test("a create whose end a trigger drops has its result, and reports the missing record once", async () => {
  const client = counting(await withTrigger(await migratedSchema(), "UPDATE"));
  const { payments, events, arrivals } = await guarded(undefined, { store: postgresStore(client) });

  const transaction = await byPix(payments);

  expect(transaction.status).toBe("pending");
  expect(arrivals).toHaveLength(1);
  const [event, ...others] = eventsOf(events, "error");
  expect(others).toEqual([]);
  expect(event?.error.message).toContain("a trigger that drops the change");
  expect(client.texts.length).toBeLessThanOrEqual(3 * STATEMENTS_AT_MOST); // the end is tried three times
});

describe("a database that only reports lost races", () => {
  const losing = () =>
    counting({
      query: () => Promise.reject(Object.assign(new Error("could not serialize"), { code: "40001" })),
    });

  test("is asked with pauses, and not again once the call is over", async () => {
    const client = losing();

    const claim = postgresStore(client).claim(ORDER, LEASE, { signal: AbortSignal.timeout(100) });

    await expect(claim).rejects.toThrow();
    expect(client.texts.length).toBeGreaterThan(1);
    await expectQuiet(client);
  });

  test("makes an operation that has no deadline fail after ten seconds", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const client = losing();

    const settling = expect(postgresStore(client).settle("order-1", news("approved"))).rejects.toThrow(
      "faster than this one",
    );
    await vi.advanceTimersByTimeAsync(10_200);

    await settling;
    expect(client.texts.length).toBeLessThan(300);
  });
});
