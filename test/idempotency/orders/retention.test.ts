import type { AttemptEnd } from "payments-sdk/idempotency";
import { expect, test } from "vitest";
import type { Database } from "../support/kind.ts";
import {
  by,
  createdAs,
  ID,
  LEASE,
  leaseEnds,
  listed,
  NOT_CREATED,
  ORDER,
  STATES,
  stateOf,
  transactionOf,
} from "../support/orders.ts";
import { onEverySharedStore } from "../support/stores.ts";

/** About nine milliseconds. */
const MOMENT = { retentionDays: 1e-7 };

/** What is too old goes with the first writes of a store. They must not be of the order that is looked at. */
async function forgets({ store, contents }: Required<Database>, externalRef: string): Promise<void> {
  await expect
    .poll(
      async () => {
        const opened = await store(MOMENT);
        const other = { ...by(crypto.randomUUID()), externalRef: crypto.randomUUID() };
        await opened.claim(other, LEASE);
        await opened.end(other, NOT_CREATED);
        return (await contents()).includes(externalRef);
      },
      { interval: 50 },
    )
    .toBe(false);
}

onEverySharedStore("retention", (database) => {
  test.each<[string, AttemptEnd]>([
    ["transaction", createdAs("approved")],
    ["free order", NOT_CREATED],
  ])("forgets a %s that is old enough", async (_what, end) => {
    const own = await database();
    const store = await own.store(MOMENT);
    await store.claim(ORDER, LEASE);
    await store.end(ORDER, end);

    await forgets(own, ORDER.externalRef);

    expect(await stateOf(store)).toBe("free");
  });

  test("never forgets what is unresolved", async () => {
    const own = await database();
    const store = await own.store(MOMENT);
    const crashed = { ...ORDER, externalRef: "order-2" };
    const ended = { ...ORDER, externalRef: "order-3" };
    await STATES["that is unresolved"](store);
    await store.claim(crashed, 1);
    await leaseEnds(store, crashed);
    await store.claim(ended, LEASE);
    await store.end(ended, createdAs());

    await forgets(own, ended.externalRef);

    const found = (await listed(store)).map(({ externalRef }) => externalRef);
    expect(found.toSorted()).toEqual(["order-1", "order-2"]);
    expect(await store.claim(by("b"), LEASE)).toEqual({ state: "unresolved" });
  });

  test("of 400 days, where nobody asked for another, keeps what has just ended", async () => {
    const own = await database();
    await STATES["that is created"](await own.store());

    const opened = await own.store();
    await opened.claim({ ...ORDER, externalRef: "order-2" }, LEASE);

    expect(await transactionOf(opened)).toMatchObject({ transactionId: ID });
  });
});
