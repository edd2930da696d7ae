import { readFileSync } from "node:fs";
import { postgresStore } from "payments-sdk/idempotency";
import type { Client } from "pg";
import { beforeEach, expect, test } from "vitest";
import { byPix, guarded } from "../../client/at-most-once/support/guarded.ts";
import { aPixData, created, PIX_CODE } from "../../support/service-answers.ts";
import { by, createdAs, LEASE, news, ORDER, transactionOf, UNKNOWN } from "../support/orders.ts";
import { migratedSchema } from "./support/schema.ts";

/** What PostgreSQL refuses to read in any JSON of which it is to read a part. */
const NUL = "a\0b";
const HALF = "a\ud800b";

const READABLE = "a\ufffdb";

const PART_OF_EACH = "SELECT key, body->>'state' AS state FROM payments_orders ORDER BY key";

const page = readFileSync(new URL("../../../docs/stores.md", import.meta.url), "utf8");
const [, DOCUMENTED = ""] = /^```sql\n(SELECT .*?)\n```$/ms.exec(page) ?? [];

let client: Client;
beforeEach(async () => {
  client = await (await migratedSchema()).client();
});

test("what the service returned can be looked up by SQL, whatever characters it holds", async () => {
  const texts = { secureId: NUL, acquirerType: HALF, status: NUL, ["of the future\0"]: HALF };
  const reply = created(aPixData({ ...texts, pix: { qrcodeText: `${PIX_CODE}${NUL}${HALF}` } }));
  const store = postgresStore(client);

  await byPix((await guarded([reply], { store })).payments);

  expect((await client.query(PART_OF_EACH)).rows).toEqual([{ key: "order-1", state: "created" }]);
  const { transaction } = await transactionOf(store);
  expect(transaction).toMatchObject({
    secureId: READABLE,
    acquirerType: READABLE,
    rawStatus: READABLE,
    pix: { qrcodeText: `${PIX_CODE}${READABLE}${READABLE}` },
  });
});

test("what postbacks say can be looked up by SQL, whatever characters it holds", async () => {
  const store = postgresStore(client);
  await store.claim(ORDER, LEASE);
  await store.end(ORDER, createdAs("pending"));

  await store.settle("order-1", news("approved", { rawStatus: NUL }));
  await store.settle("order-1", news("pending", { id: 5000, rawStatus: HALF }));

  expect((await client.query(PART_OF_EACH)).rows).toEqual([{ key: "order-1", state: "created" }]);
});

test.each([
  ["a NUL", NUL],
  ["half of a surrogate pair", HALF],
  ["the other half", "\udfff"],
  ["a backslash before it", `\\${NUL}\\\\${HALF}`],
  ["what only looks like it", "\\u0000 \\ud800 \u{1f6d2}"],
])("the documented look-up reads rows of other versions that hold %s", async (_what, text) => {
  const store = postgresStore(client);
  await store.claim(by("a"), LEASE);
  await store.end(ORDER, UNKNOWN);
  await client.query("UPDATE payments_orders SET body = $1", [
    JSON.stringify({ amount: 1990, others: [{ rawStatus: text }], state: "unresolved" }),
  ]);

  const { rows } = await client.query(DOCUMENTED);

  expect(rows).toMatchObject([{ external_ref: "order-1", state: "unresolved", cents: "1990" }]);
});
