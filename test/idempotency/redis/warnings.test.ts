import { redisStore } from "payments-sdk/idempotency";
import { describe, expect, test, vi } from "vitest";
import {
  byPix,
  type MerchantWithStore,
  merchantWithStore,
} from "../../resources/support/merchant-with-store.ts";
import { eventsOf } from "../../support/merchant.ts";
import { DURABLE, missingRedis } from "../../support/redis-server.ts";
import { LEASE, ORDER } from "../support/orders.ts";
import { aRedis, asShop, nodeRedis } from "../support/redis.ts";

const LIMIT = ["--maxmemory", "100mb"] as const;
const EVICTS = /maxmemory-policy volatile-ttl, so it deletes records when its memory is full/;
const FORGETS = /appendonly no, so a restart loses/;

const warningsIn = ({ events }: MerchantWithStore) =>
  eventsOf(events, "warning").filter(({ field }) => field === "idempotency");

describe.skipIf(missingRedis !== undefined)("a Redis that may forget payments", () => {
  test.each<[settings: readonly string[], messages: readonly RegExp[]]>([
    [[...DURABLE, ...LIMIT], []],
    [[...DURABLE, ...LIMIT, "--maxmemory-policy", "volatile-ttl"], [EVICTS]],
    [[...DURABLE, "--maxmemory-policy", "allkeys-lru"], []], // no limit, so it deletes nothing
    [[], [FORGETS]],
    [
      [...LIMIT, "--maxmemory-policy", "volatile-ttl"],
      [EVICTS, FORGETS],
    ],
  ])(
    "with %j emits a warning with the first create call, even if that is the only one",
    async (settings, messages) => {
      const merchant = await merchantWithStore(undefined, {
        store: redisStore(await nodeRedis(await aRedis(...settings))),
      });

      await byPix(merchant.payments);

      const [warning, ...more] = warningsIn(merchant);
      expect(more).toEqual([]);
      if (messages.length === 0) expect(warning).toBeUndefined();
      for (const message of messages) expect(warning?.message).toMatch(message);
    },
  );

  test("emits none for a user of Redis who may not run INFO", async () => {
    const merchant = await merchantWithStore(undefined, { store: redisStore(await asShop(await aRedis())) });

    await byPix(merchant.payments);

    expect(eventsOf(merchant.events, "error")).toEqual([]);
    expect(warningsIn(merchant)).toEqual([]);
  });
});

test.each<[string, () => Promise<unknown>]>([
  ["is refused", () => Promise.reject(new Error("NOSCRIPT"))],
  ["never ends", () => new Promise(() => {})],
  ["returns something else", async () => 1],
])("a query of the settings that %s changes nothing, and runs once", async (_what, reply) => {
  const query = vi.fn(reply);
  const EVAL = async (script: string) => (script.includes("INFO") ? query() : ["1", "first"]);
  const store = redisStore({ EVAL, SCAN: async () => undefined });

  expect(await store.claim(ORDER, LEASE)).toEqual({ state: "yours" });
  expect(await store.claim(ORDER, LEASE)).toEqual({ state: "yours" });

  expect(query).toHaveBeenCalledTimes(1);
  expect(store.warning).toBeUndefined();
});
