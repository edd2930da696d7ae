import { postgresStore } from "payments-sdk/idempotency";
import { describe, expect, test } from "vitest";
import { by, LEASE, listed, ORDER, UNKNOWN } from "../support/orders.ts";
import { contentsOf, migratedSchema } from "./support/schema.ts";

const LONG = "\u{1f6d2}".repeat(1_000);

/** By: printf '"%s"' "$(printf 'x%.0s' $(seq 1001))" | sha256sum */
const DIGEST_OF_LONG = "sha256:ddd4cef8e3bb2222b00985217368c7e3e2c5e7750b09a721d27b14ba5b0033cb";

/** Each is an order of its own. */
const REFERENCES = [
  "order-1",
  "Order-1",
  "order-1 ",
  "\u00e9",
  "e\u0301",
  "order-\\u0000",
  "order-\ufffd",
  '"order-1"',
  "'; DROP TABLE payments_orders; --",
  "%",
  "_",
  "sha256:",
  DIGEST_OF_LONG,
  "x".repeat(1_000),
  "x".repeat(1_001),
  `${LONG}a`,
  `${LONG}b`,
  "__proto__",
];

describe("a reference", () => {
  test("is one order, whatever it is made of, and is listed as it was given", async () => {
    const store = postgresStore(await (await migratedSchema()).pool());

    for (const externalRef of REFERENCES) {
      expect(await store.claim({ ...ORDER, externalRef }, LEASE)).toEqual({ state: "yours" });
      await store.end({ ...ORDER, externalRef }, UNKNOWN);
    }

    for (const externalRef of REFERENCES) {
      expect(await store.claim({ ...by("b"), externalRef }, LEASE)).toEqual({ state: "unresolved" });
    }
    const found = await listed(store);
    expect(found.map(({ externalRef }) => externalRef).sort()).toEqual([...REFERENCES].sort());
  });

  test("that is long is found by its digest, so that nobody can make two of them one", async () => {
    const schema = await migratedSchema();
    const store = postgresStore(await schema.pool());

    await store.claim({ ...ORDER, externalRef: "x".repeat(1_001) }, LEASE);

    expect(await contentsOf(schema)).toContain(DIGEST_OF_LONG);
  });

  test.each([["order-1"], ["pedido nº 1"], ["x".repeat(1_000)]])(
    "that is short is the key of its row: %s",
    async (externalRef) => {
      const schema = await migratedSchema();
      const client = await schema.client();
      await postgresStore(client).claim({ ...ORDER, externalRef }, LEASE);

      const { rows } = await client.query("SELECT key, full_key FROM payments_orders");

      expect(rows).toEqual([{ key: externalRef, full_key: null }]);
    },
  );

  test("of 1,000 characters fits beside a namespace of 255", async () => {
    const pool = await (await migratedSchema()).pool();
    const store = postgresStore(pool, { namespace: incompressible(255) });
    const order = { ...ORDER, externalRef: incompressible(333) };

    await store.claim(order, LEASE);

    expect(await store.claim({ ...order, owner: "b" }, LEASE)).toMatchObject({ state: "claimed" });
  });
});

/** Characters of three bytes each, of which no two are alike: a database cannot make them shorter. */
function incompressible(length: number): string {
  return String.fromCharCode(...Array.from({ length }, (_, at) => 0x4e00 + ((at * 7_919) % 20_000)));
}
