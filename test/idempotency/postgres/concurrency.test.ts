import { postgresStore } from "payments-sdk/idempotency";
import { expect, test } from "vitest";
import { merchantWithStore } from "../../resources/support/merchant-with-store.ts";
import { aPix, failureOf } from "../../support/merchant.ts";
import { created } from "../../support/service-responses.ts";
import { by, LEASE } from "../support/orders.ts";
import { migratedSchema, waitingFor } from "../support/postgres.ts";

test("if transactions are serializable by default, one of many concurrent claims of an order succeeds, and none fails", async () => {
  const schema = await migratedSchema();
  const options = `-c search_path=${schema.name} -c default_transaction_isolation=serializable`;
  const store = postgresStore(await schema.pool({ max: 20, options }));

  const claims = await Promise.all(Array.from({ length: 20 }, (_, at) => store.claim(by(String(at)), LEASE)));

  expect(claims.map(({ state }) => state).sort()).toEqual([...Array(19).fill("claimed"), "yours"]);
});

test("a claim that the server commits after the client has given it up is released, and the order can be sent", async () => {
  const references = Array.from({ length: 5 }, (_, at) => `order-${at}`);
  const schema = await migratedSchema();
  const stalling = await schema.client();
  await stalling.query("BEGIN; LOCK TABLE payments_orders IN SHARE MODE"); // a claim waits, a read does not
  const pool = await schema.pool({ query_timeout: 200 });
  let reads = 0;
  const query = async (text: string, values: string[]) => {
    const result = await pool.query(text, values);
    if (text.trimStart().startsWith("SELECT")) reads += 1;
    return result;
  };
  const store = postgresStore({ query });
  const { payments, arrivals } = await merchantWithStore([created()], { store });
  const pay = (externalRef: string) => payments.transactions.createPix(aPix({ externalRef }));

  const failures = Promise.all(references.map((reference) => failureOf(pay(reference))));
  await waitingFor(schema, references.length);
  expect(await failures).toMatchObject(references.map(() => ({ outcome: "not_sent" })));
  await expect.poll(() => reads).toBeGreaterThanOrEqual(references.length); // the release of each claim finds nothing
  await stalling.query("COMMIT");

  const other = postgresStore(await schema.pool());
  const states = () => Promise.all(references.map(async (reference) => (await other.get(reference))?.state));
  await expect.poll(states, { timeout: 10_000 }).toEqual(references.map(() => "free"));
  expect(await Promise.all(references.map(pay))).toHaveLength(references.length);
  expect(arrivals).toHaveLength(references.length);
});
