import { postgresStore } from "payments-sdk/idempotency";
import { expect, test } from "vitest";
import { migratedSchema } from "../../idempotency/postgres/support/schema.ts";
import { POSTBACK } from "../support/signing.ts";
import { aReceiver } from "./support/receiver.ts";

test.each([
  ["a NUL", "approved\0"],
  ["half of a character", "approved\ud800"],
])(
  "a signed postback with %s in its status is refused, and the records can be searched as before",
  async (_what, status) => {
    const schema = await migratedSchema();
    const pool = await schema.pool();
    const store = postgresStore(pool);
    const order = {
      externalRef: POSTBACK.externalRef,
      amount: POSTBACK.amount,
      paymentMethod: "pix",
      owner: "a",
    } as const;
    await store.claim(order, 60_000);
    await store.end(order, { outcome: "created", transactionId: POSTBACK.id });
    const { post, onPostback } = aReceiver({ store });

    const answer = await post({ ...POSTBACK, status });

    const { rows } = await pool.query(
      "SELECT body->>'state' AS state FROM payments_orders WHERE body->>'amount' <> ''",
    );
    expect(rows).toEqual([{ state: "created" }]);
    expect(answer).toMatchObject({ status: 400, body: { issues: [{ field: "status" }] } });
    expect(onPostback).not.toHaveBeenCalled();
  },
);
