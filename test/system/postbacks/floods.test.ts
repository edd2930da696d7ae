import { type PaymentsStore, postgresStore } from "payments-sdk/idempotency";
import { expect, test, vi } from "vitest";
import { migratedSchema } from "../../idempotency/postgres/support/schema.ts";
import { aReceiver, BUSY, HANDLED } from "../../postbacks/handler/support/receiver.ts";
import { POSTBACK } from "../../postbacks/support/signing.ts";
import { aGate } from "../../support/gate.ts";

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
