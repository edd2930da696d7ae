import { expect, test } from "vitest";
import { missingRedis } from "../support/redis-server.ts";
import { type Database, memory, postgres, redis, sqlite } from "./support/databases.ts";
import { by, createdAs, LEASE, listed, ORDER, REF, refusalOf } from "./support/orders.ts";
import { nodeRedis } from "./support/redis.ts";

/** The process of a claim renews its lease. If it no longer does, that shows; nothing else depends on it. */

const HEARTBEAT = 10_000;

const DATABASES: readonly (readonly [string, () => Promise<Database>, string | undefined])[] = [
  ["memory", memory, undefined],
  ["SQLite", sqlite, undefined],
  ["PostgreSQL", () => postgres((schema) => schema.pool()), undefined],
  ["Redis", () => redis(nodeRedis), missingRedis],
];

async function claimedIn(open: () => Promise<Database>) {
  const { store: openStore, advance } = await open();
  const store = await openStore();
  await store.claim(ORDER, LEASE, { heartbeatMs: HEARTBEAT });
  return { store, advance };
}

test.for(DATABASES)(
  "an order in %s whose heartbeats have stopped is listed, and waits for its lease",
  async ([_name, open, missing], { skip }) => {
    skip(missing !== undefined, missing);
    const { store, advance } = await claimedIn(open);
    await advance(2 * HEARTBEAT);
    expect(await store.get(REF)).toMatchObject({ state: "claimed" });
    expect(await listed(store)).toEqual([]);

    await advance(HEARTBEAT);

    expect(await store.get(REF)).toMatchObject({ state: "unresolved", reason: "not_reported" });
    expect(await store.getMany([REF])).toMatchObject([{ state: "unresolved" }]);
    expect(await listed(store)).toMatchObject([{ externalRef: REF, reason: "not_reported" }]);
    expect(await store.stats()).toMatchObject({ orders: { claimed: 0, unresolved: 1 } });
    const claim = { state: "claimed", leaseLeftMs: expect.closeTo(LEASE - 3 * HEARTBEAT, -4) };
    expect(await store.claim(by("b"), LEASE)).toEqual(claim);
    expect(await store.claim(by("b"), LEASE, { replaceLost: true })).toEqual(claim);
    expect(await refusalOf(store, { charged: false })).toBe("outcome_pending");

    await store.recordOutcome(ORDER, createdAs());
    expect(await store.get(REF)).toMatchObject({ state: "created" });
  },
);

test.for(DATABASES)(
  "an order in %s with heartbeats stays claimed, and its lease ends as early",
  async ([_name, open, missing], { skip }) => {
    skip(missing !== undefined, missing);
    const { store, advance } = await claimedIn(open);
    for (let passed = HEARTBEAT; passed <= 5 * HEARTBEAT; passed += HEARTBEAT) {
      await advance(HEARTBEAT);
      expect(await store.renew(ORDER, LEASE - passed)).toBe(true);
      expect(await store.get(REF)).toMatchObject({ state: "claimed" });
    }

    await advance(HEARTBEAT);

    expect(await store.claim(by("b"), LEASE)).toEqual({ state: "unresolved" });
    expect(await store.claim(by("b"), LEASE, { replaceLost: true })).toEqual({ state: "yours" });
  },
);
