import { type PaymentsStore, postgresStore } from "payments-sdk/idempotency";
import { expect, test, vi } from "vitest";
import { migratedSchema } from "../../idempotency/postgres/support/schema.ts";
import { aGate, aReceiver, BUSY, HANDLED, urlOf } from "../../postbacks/handler/support/receiver.ts";
import { POSTBACK } from "../../postbacks/support/signing.ts";

test("a flood of one transaction causes few queries to a database", async () => {
  const schema = await migratedSchema();
  const pool = await schema.pool();
  const query = vi.fn((text: string, values: string[]) => pool.query(text, values));
  const { post, onPostback } = aReceiver({ store: postgresStore({ query }) });
  const url = await urlOf();

  const responses = await Promise.all(
    Array.from({ length: 1_000 }, (_, at) => post({ ...POSTBACK, amount: at + 1 }, url)),
  );

  expect(responses.filter(({ status }) => status === 200)).toHaveLength(100); // the most that may wait
  expect(onPostback).toHaveBeenCalledTimes(100);
  expect(query.mock.calls.length).toBeLessThan(100 * 10);
});

test("a process that waits for another one queries less and less often", async () => {
  const schema = await migratedSchema();
  const store: PaymentsStore = postgresStore(await schema.pool());
  const gate = aGate();
  const one = aReceiver({ store });
  one.onPostback.mockReturnValueOnce(gate.passed);
  const first = one.post();
  await vi.waitFor(() => expect(one.onPostback).toHaveBeenCalled());
  const claims = vi.spyOn(store, "claimPostback");
  const other = aReceiver({ store, timeout: 4_000 });

  expect(await other.post({ ...POSTBACK, status: "refunded" })).toEqual(BUSY("10"));

  expect(claims.mock.calls.length).toBeLessThan(16);
  gate.open();
  expect(await first).toEqual(HANDLED);
});
