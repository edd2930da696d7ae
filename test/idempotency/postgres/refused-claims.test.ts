import { type PostgresClient, postgresStore, type QueryingPostgresClient } from "payments-sdk/idempotency";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { byPix, expectNotSent, merchantWithStore } from "../../resources/support/merchant-with-store.ts";
import { failureOf } from "../../support/merchant.ts";
import { aPostback, attempt, ID, LEASE, NOT_CREATED, ORDER, REF, stateOf } from "../support/orders.ts";
import { migratedSchema, roleIn, type Schema, waitingFor } from "../support/postgres.ts";

/** Configurations of PostgreSQL and its clients that would lose a record, or hide it. */

const freeOrder = (client: PostgresClient) => attempt(postgresStore(client), NOT_CREATED);

/** A client that passes its statements through a function. */
function through(
  client: QueryingPostgresClient,
  change: (text: string, run: (text?: string) => ReturnType<QueryingPostgresClient["query"]>) => unknown,
): QueryingPostgresClient {
  return {
    query: async (text, values) =>
      (await change(text, (other = text) => client.query(other, values))) as never,
  };
}

describe("inside a transaction of the application", () => {
  test("an order that was created outside it is replayed", async () => {
    const connection = await (await migratedSchema()).client();
    const store = postgresStore({ query: (text, values) => connection.query(text, values) });
    const { payments, arrivals } = await merchantWithStore(undefined, { store });
    await byPix(payments);

    await connection.query("BEGIN");

    expect(await byPix(payments)).toMatchObject({ id: ID });
    expect(arrivals).toHaveLength(1);
  });

  test("a claim writes nothing if the client of pg reports the transaction", async () => {
    const client = await (await migratedSchema()).client();
    await client.query("BEGIN");

    const query = vi.spyOn(client, "query");
    await expect(postgresStore(client).claim(ORDER, LEASE)).rejects.toThrow("has an open transaction");

    expect(query.mock.calls.join()).not.toContain("INSERT");
  });
});

describe("a claim is refused", () => {
  test.each<[string, string, RegExp]>([
    ["in the future, for a replica", "pg_xact_status('9999999')", /to the primary/],
    ["in progress", "'in progress'", /open transaction/],
    ["rolled back", "'aborted'", /rolled the record back/],
    ["unknown", "NULL", /rolled the record back/],
  ])("if its transaction is %s", async (_what, status, reason) => {
    const client = await (await migratedSchema()).client();
    const wrapper = through(client, (text, run) =>
      run(text.replace(/pg_xact_status\((.+?)\)/, `CASE WHEN $1 IS NOT NULL THEN ${status} END`)),
    );

    await expectNotSent(postgresStore(wrapper), reason);
  });

  test("if the database is read-only, as a replica is", async () => {
    const schema = await migratedSchema();
    const options = `-c search_path=${schema.name} -c default_transaction_read_only=on`;

    await expectNotSent(postgresStore(await schema.pool({ options })), /It is a replica/);
  });
});

test("a claim that the client repeats before its first run is committed is refused, and the order is free", async () => {
  const schema = await migratedSchema();
  const [client, slow] = [await schema.client(), await schema.client()];
  let runs = 0;
  const query: QueryingPostgresClient["query"] = async (text, values) => {
    if (text.includes("INSERT") && runs++ === 0) {
      await slow.query("BEGIN");
      await slow.query(text, values);
      void waitingFor(schema, 1).then(() => slow.query("COMMIT"));
    }
    return client.query(text, values);
  };

  await expectNotSent(postgresStore({ query }), /repeats statements/);

  await expect.poll(() => stateOf(postgresStore(client))).toBe("free");
});

test("a claim of a postback that the client repeats is accepted: handling it twice charges no one", async () => {
  const client = await (await migratedSchema()).client();
  const key = { trust: "signed", externalRef: REF, id: ID, rawStatus: "approved", amount: 1990 } as const;
  const wrapper = through(client, async (text, run) => {
    if (text.includes("INSERT")) await run();
    return run();
  });

  const claim = await postgresStore(wrapper).claimPostback(key, "a", LEASE);

  expect(claim).toEqual({ state: "yours", handled: [] });
});

/** The client, and the statements that are sent with it. */
function counting(client: QueryingPostgresClient) {
  const texts: string[] = [];
  const counted = through(client, (text, run) => {
    texts.push(text);
    return run();
  });
  return { counted, texts };
}

/** Statements of one change of a record: at most ten tries of two, and those that release the claim. */
const STATEMENTS_AT_MOST = 25;

describe("a record that the database hides", () => {
  /** The role cannot see the order of another tenant. */
  async function underRowLevelSecurity(schema: Schema): Promise<QueryingPostgresClient> {
    const { admin, client } = await roleIn(schema);
    await admin.query(`
      ALTER TABLE payments_orders ADD COLUMN tenant text NOT NULL DEFAULT current_user;
      ALTER TABLE payments_orders ENABLE ROW LEVEL SECURITY;
      CREATE POLICY own ON payments_orders USING (tenant = current_user)`);
    await postgresStore(admin).claim(ORDER, LEASE);
    return client;
  }

  const droppedOn = (operation: "INSERT" | "UPDATE") => async (schema: Schema) => {
    const client = await schema.client();
    await client.query(`
      CREATE FUNCTION drop_it() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
      CREATE TRIGGER drop_it BEFORE ${operation} ON payments_orders FOR EACH ROW EXECUTE FUNCTION drop_it()`);
    return client;
  };

  /** Fails if statements are still being sent. */
  async function expectQuiet(texts: readonly string[], atMost = STATEMENTS_AT_MOST): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 120)); // the claim is released meanwhile
    const { length } = texts;
    await new Promise((resolve) => setTimeout(resolve, 120));
    expect(texts).toHaveLength(length);
    expect(length).toBeLessThanOrEqual(atMost);
  }

  const ALL_CAUSES = /replica.+row-level security.+trigger that drops the change/;

  test.each<[string, RegExp, (schema: Schema) => Promise<QueryingPostgresClient>]>([
    ["by row-level security", /row-level security/, underRowLevelSecurity],
    ["by a trigger on INSERT", /a trigger that drops the row/, droppedOn("INSERT")],
    ["by a trigger on UPDATE", ALL_CAUSES, droppedOn("UPDATE")],
  ])("%s fails with the likely causes after a limited number of statements", async (_what, causes, hide) => {
    const schema = await migratedSchema();
    if (causes === ALL_CAUSES) await freeOrder(await schema.client());
    const { counted, texts } = counting(await hide(schema));

    await expectNotSent(postgresStore(counted), causes);

    await expectQuiet(texts);
  });

  test("is no longer queried once the create call is over", async () => {
    const { counted, texts } = counting(await droppedOn("INSERT")(await migratedSchema()));
    const { payments } = await merchantWithStore(undefined, { store: postgresStore(counted) });

    expect(await failureOf(byPix(payments, { timeout: 15 }))).toMatchObject({ outcome: "not_sent" });

    await expectQuiet(texts, 20);
  });

  test("is queried with pauses if the database only reports lost races, for ten seconds at most", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const lost = Object.assign(new Error("could not serialize"), { code: "40001" });
    const query = vi.fn().mockRejectedValue(lost);

    const settling = expect(
      postgresStore({ query }).recordPostback(REF, aPostback("approved")),
    ).rejects.toThrow("faster than this one");
    await vi.advanceTimersByTimeAsync(10_200);
    await settling;
    expect(query.mock.calls.length).toBeLessThan(300);
  });
});
