import { expect, test } from "vitest";
import { MemoryDocuments } from "../../src/idempotency/memory-documents.ts";
import { OrderStore } from "../../src/idempotency/order-store.ts";
import { LEASE, ORDER, UNKNOWN } from "./support/orders.ts";

/** Lists everything twice, as a database may that is written to meanwhile. */
class RepeatingDocuments extends MemoryDocuments {
  override async *open() {
    yield* super.open();
    yield* super.open();
  }
}

test("unresolved() yields each reference once, even if the database repeats it", async () => {
  const store = new OrderStore(new RepeatingDocuments(10));
  for (const externalRef of ["order-1", "order-2"]) {
    const order = { ...ORDER, externalRef, owner: externalRef };
    await store.claim(order, LEASE);
    await store.end(order, UNKNOWN);
  }

  const found: string[] = [];
  for await (const { externalRef } of store.unresolved()) found.push(externalRef);

  expect(found).toEqual(["order-1", "order-2"]);
});
