import { type PaymentsStore, postgresStore } from "payments-sdk/idempotency";
import { describe, expect, test } from "vitest";
import { by, createdAs, LEASE, listed, ORDER, UNKNOWN } from "../support/orders.ts";
import { migratedSchema } from "./support/schema.ts";
import { waitingFor } from "./support/waiting.ts";

test("a claim that meets one which is being written gets what that writes", async () => {
  const schema = await migratedSchema();
  const [client, holder] = [await schema.client(), await schema.client()];
  const store = postgresStore(client);
  await store.claim(ORDER, LEASE);
  await holder.query("CREATE TEMP TABLE written AS TABLE payments_orders; DELETE FROM payments_orders");
  await holder.query("BEGIN; INSERT INTO payments_orders TABLE written");

  const claim = store.claim(by("b"), LEASE);
  await waitingFor(schema, 1);
  await holder.query("COMMIT");

  // Its statement had begun before that was there, and neither adds nor sees it.
  expect(await claim).toMatchObject({ state: "claimed" });
});

test("a claim that meets one which is given up gets the order", async () => {
  const schema = await migratedSchema();
  const [client, holder] = [await schema.client(), await schema.client()];
  const store = postgresStore(client);
  await store.claim(ORDER, LEASE);
  await holder.query("CREATE TEMP TABLE written AS TABLE payments_orders; DELETE FROM payments_orders");
  await holder.query("BEGIN; INSERT INTO payments_orders TABLE written");

  const claim = store.claim(by("b"), LEASE);
  await waitingFor(schema, 1);
  await holder.query("ROLLBACK");

  expect(await claim).toEqual({ state: "yours" });
});

describe.each([["read committed"], ["repeatable read"], ["serializable"]])(
  "where transactions are %s by default",
  (level) => {
    async function open(): Promise<PaymentsStore> {
      const schema = await migratedSchema();
      const options = `-c search_path=${schema.name} -c default_transaction_isolation=${level.replace(" ", "\\ ")}`;
      return postgresStore(await schema.pool({ max: 20, options }));
    }

    test("one of many who claim an order at once gets it, and none of them fails", async () => {
      const store = await open();

      const claims = await Promise.all(
        Array.from({ length: 20 }, (_, at) => store.claim(by(String(at)), LEASE)),
      );

      expect(claims.map(({ state }) => state).sort()).toEqual([...Array(19).fill("claimed"), "yours"]);
    });

    test("all of many who change an order at once are heard", async () => {
      const store = await open();
      await store.claim(ORDER, LEASE);
      const ids = Array.from({ length: 20 }, (_, at) => 5_000 + at);

      await Promise.all(ids.map((id) => store.end(ORDER, createdAs("pending", id))));

      const rivals = await store.end(ORDER, createdAs("pending", 1));
      expect([...rivals].map(Number).sort()).toEqual(ids);
    });
  },
);

describe("a list of many", () => {
  test("gives each order once, and holds no connection meanwhile", async () => {
    const pool = await (await migratedSchema()).pool({ max: 1 });
    const store = postgresStore(pool);
    await pool.query(`INSERT INTO payments_orders (namespace, key, version, changed_at, is_open, body)
      SELECT 'default', 'order-' || n, 'v', clock_timestamp(), true, '${JSON.stringify(await unresolvedBody())}'
      FROM generate_series(1, 450) n`);

    const seen: string[] = [];
    for await (const { externalRef } of store.unresolved()) {
      await pool.query("SELECT 1");
      seen.push(externalRef);
    }

    expect(new Set(seen).size).toBe(450);
    expect(seen).toHaveLength(450);
  });

  test("of exactly one page ends", async () => {
    const pool = await (await migratedSchema()).pool();
    await pool.query(`INSERT INTO payments_orders (namespace, key, version, changed_at, is_open, body)
      SELECT 'default', 'order-' || n, 'v', clock_timestamp(), true, '${JSON.stringify(await unresolvedBody())}'
      FROM generate_series(1, 200) n`);

    expect(await listed(postgresStore(pool))).toHaveLength(200);
  });
});

/** As a store writes it. */
async function unresolvedBody(): Promise<unknown> {
  const pool = await (await migratedSchema()).pool();
  const store = postgresStore(pool);
  await store.claim(ORDER, LEASE);
  await store.end(ORDER, UNKNOWN);
  const { rows } = await pool.query("SELECT body FROM payments_orders");
  return rows[0]?.body;
}
