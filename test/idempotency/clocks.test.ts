import type { PaymentsStore } from "payments-sdk/idempotency";
import { describe, expect, test, vi } from "vitest";
import { collect } from "../../src/testing/stores/fixtures.ts";
import { missingMariadb } from "../support/mariadb-server.ts";
import { missingRedis } from "../support/redis-server.ts";
import { type Database, memory, mysql, postgres, redis, sqlite } from "./support/databases.ts";
import { aPostback, by, createdAs, LEASE, listed, ORDER, REF, refusalOf, stateOf } from "./support/orders.ts";
import { nodeRedis } from "./support/redis.ts";

/** The wall clock of a machine may be changed by an administrator or by NTP. */

const HOUR = 60 * 60_000;
const YEARS = 30_000 * HOUR;

const pg = () => postgres((schema) => schema.pool());
const mysql2 = () => mysql((database) => database.pool());
const DATABASES: readonly (readonly [string, () => Promise<Database>, string | undefined])[] = [
  ["SQLite", sqlite, undefined],
  ["PostgreSQL", pg, undefined],
  ["MariaDB", mysql2, missingMariadb],
  ["Redis", () => redis(nodeRedis), missingRedis],
];

describe.each(DATABASES)("with %s, after a claim, a clock that is changed", (_name, open, missing) => {
  const inDatabase = test.skipIf(missing !== undefined);

  async function claimedBefore(ms: number, act = async (_store: PaymentsStore): Promise<unknown> => []) {
    const { store, advance } = await open();
    const opened = await store();
    await opened.claim(ORDER, LEASE);
    await act(opened);
    await advance(ms);
    return opened;
  }

  inDatabase("back by an hour makes the lease longer: a person has to wait too", async () => {
    const store = await claimedBefore(-HOUR);

    expect(await store.claim(by("b"), LEASE)).toEqual({
      state: "claimed",
      leaseLeftMs: expect.closeTo(HOUR + LEASE, -5),
    });
    expect(await refusalOf(store, { charged: false })).toBe("outcome_pending");
    await store.recordOutcome(ORDER, createdAs());
    expect(await stateOf(store)).toBe("created");
  });

  inDatabase("back by years ends the lease, and never frees the order", async () => {
    const store = await claimedBefore(-YEARS);

    expect(await store.claim(by("b"), LEASE)).toEqual({ state: "unresolved" });
    expect(await store.renew(ORDER, LEASE)).toBe(false);
    expect(await listed(store, { olderThanMs: HOUR })).toMatchObject([
      { externalRef: REF, reason: "not_reported" },
    ]);
    expect(await collect(store.list({ olderThanMs: HOUR }))).toMatchObject([{ externalRef: REF }]);
    await store.recordOutcome(ORDER, createdAs());
    expect(await stateOf(store)).toBe("created");
  });

  inDatabase("back by 25 hours replaces no pix, which may be in flight: only a person frees it", async () => {
    const store = await claimedBefore(-25 * HOUR);

    expect(await store.claim(by("b"), LEASE, { replaceLost: true })).toEqual({ state: "unresolved" });
    await store.recordPostback(REF, aPostback("pending", { amount: 5 }));
    expect(await store.claim(by("b"), LEASE, { replaceLost: true })).not.toEqual({ state: "yours" });

    const other = await claimedBefore(-25 * HOUR);
    expect(await other.resolve(REF, { charged: false })).toEqual({ state: "free" });
  });

  inDatabase("back by 25 hours does not free an order whose postback came before the response", async () => {
    const store = await claimedBefore(-25 * HOUR, (claimed) =>
      claimed.recordPostback(REF, aPostback("expired")),
    );

    expect(await store.claim(by("b"), LEASE)).not.toEqual({ state: "yours" });
  });
});

test.each<[string, () => Promise<Database>, string | undefined]>([
  ["memory", memory, undefined],
  ["PostgreSQL", pg, undefined],
  ["MariaDB", mysql2, missingMariadb],
  ["Redis", () => redis(nodeRedis), missingRedis],
])("a store in %s does not use the clock of the process", async (_name, open, missing) => {
  if (missing !== undefined) return;
  const store = await (await open()).store();
  await store.claim(ORDER, LEASE);

  vi.spyOn(Date, "now").mockReturnValue(Date.parse("2080-01-01T00:00:00Z"));

  const leaseLeftMs = expect.closeTo(LEASE, -5);
  expect(await store.claim(by("b"), LEASE)).toEqual({ state: "claimed", leaseLeftMs });
});
