import { postgresStore } from "payments-sdk/idempotency";
import { expect, test } from "vitest";
import { merchantWithStore } from "../../resources/support/merchant-with-store.ts";
import { aPix, failureOf } from "../../support/merchant.ts";
import { created } from "../../support/service-responses.ts";
import { migratedSchema, waitingFor } from "../support/postgres.ts";

const REFERENCES = ["order-1", "order-2", "order-3", "order-4", "order-5"];

test("a claim that the server commits after the client has given it up is released, and the order can be sent", async () => {
  const schema = await migratedSchema();
  const stalling = await schema.client();
  await stalling.query("BEGIN");
  await stalling.query("LOCK TABLE payments_orders IN SHARE MODE"); // a claim waits, a read does not
  const pool = await schema.pool({ query_timeout: 200 });
  let reads = 0;
  const query = async (text: string, values: string[]) => {
    const result = await pool.query(text, values);
    if (text.trimStart().startsWith("SELECT")) reads += 1;
    return result;
  };
  const store = postgresStore({ query });
  const reply = created({ id: 4021, status: "pending", pix: { qrcodeText: "00020101" } });
  const { payments, arrivals } = await merchantWithStore([reply], { store });
  const pay = (externalRef: string) => payments.transactions.createPix(aPix({ externalRef }));

  const failures = Promise.all(REFERENCES.map((reference) => failureOf(pay(reference))));
  await waitingFor(schema, REFERENCES.length);
  expect(await failures).toMatchObject(REFERENCES.map(() => ({ outcome: "not_sent" })));
  await expect.poll(() => reads).toBeGreaterThanOrEqual(REFERENCES.length); // the release of each claim finds nothing
  await stalling.query("COMMIT");

  const other = postgresStore(await schema.pool());
  const states = () => Promise.all(REFERENCES.map(async (reference) => (await other.get(reference))?.state));
  await expect.poll(states, { timeout: 10_000 }).toEqual(REFERENCES.map(() => "free"));
  expect(await Promise.all(REFERENCES.map(pay))).toHaveLength(REFERENCES.length);
  expect(arrivals).toHaveLength(REFERENCES.length);
});
