import { redisStore } from "payments-sdk/idempotency";
import { describe, expect, test } from "vitest";
import { DURABLE, missingRedis } from "../../support/redis-server.ts";
import { ioRedis, nodeRedis } from "./support/clients.ts";
import { OPERATIONS } from "./support/operations.ts";
import { anOrder } from "./support/orders.ts";
import { type Moment, startProxy } from "./support/proxy.ts";
import { aRedis } from "./support/servers.ts";

const FAILED = "failed";

/** Kills Redis while each operation is on its way, and starts it anew. */
async function killedDuring(moment: Moment, connect: typeof nodeRedis | typeof ioRedis) {
  const server = await aRedis(...DURABLE);
  const onTheirWay = await Promise.all(
    OPERATIONS.map(async ({ name, arrange, act, look }) => {
      const proxy = await startProxy(server);
      const store = redisStore(await connect(proxy), { namespace: name });
      await arrange(store);
      const stop = proxy.stopAt(moment);
      const acted = act(store).catch(() => FAILED);
      await stop.reached;
      return { name, stop, acted, look };
    }),
  );
  await server.kill();
  await server.start();
  for (const { stop } of onTheirWay) stop.cut();
  const client = await nodeRedis(server);
  return Promise.all(
    onTheirWay.map(async ({ name, acted, look }) => ({
      name,
      result: await acted,
      seen: await look(redisStore(client, { namespace: name })),
    })),
  );
}

describe.skipIf(missingRedis !== undefined)("an operation in the middle of which Redis is killed", () => {
  test("fails before it happened", async () => {
    const ends = await killedDuring("before", nodeRedis);

    expect(ends).toEqual(OPERATIONS.map(({ name, seen }) => ({ name, result: FAILED, seen: seen[0] })));
  });

  test("fails after it happened, and that stays so", async () => {
    const ends = await killedDuring("after", nodeRedis);

    expect(ends).toEqual(OPERATIONS.map(({ name, seen }) => ({ name, result: FAILED, seen: seen[1] })));
  });

  test.each(["before", "after"] as const)(
    "succeeds, and happens once, where the client sends it again: %s it happened",
    async (moment) => {
      const ends = await killedDuring(moment, ioRedis);

      expect(ends).toEqual(OPERATIONS.map(({ name, result, seen }) => ({ name, result, seen: seen[1] })));
    },
  );
});

describe.skipIf(missingRedis !== undefined)("Redis killed under load", () => {
  test.each([
    ["node-redis", nodeRedis],
    ["ioredis, which sends again", ioRedis],
  ])("has every claim and every end that it confirmed: %s", async (_name, connect) => {
    const server = await aRedis(...DURABLE);
    const store = redisStore(await connect(server));
    const ended = new Set<string>();
    const claimed = new Set<string>();
    const pay = async (ref: string) => {
      if ((await store.claim(anOrder("a", ref), 60_000)).state === "yours") claimed.add(ref);
      await store.end(anOrder("a", ref), { outcome: "created", transactionId: 7 });
      ended.add(ref);
    };

    let next = 0;
    const shop = async () => {
      while (next < 300) await pay(`order-${next++}`).catch(() => undefined);
    };
    const shops = Promise.all(Array.from({ length: 20 }, shop));
    for (const beginning of [60, 150]) {
      await expect.poll(() => ended.size, { interval: 1 }).toBeGreaterThan(beginning);
      await server.kill();
      await server.start();
    }
    await shops;

    const after = redisStore(await nodeRedis(server));
    const stateOf = async (ref: string) => (await after.claim(anOrder("b", ref), 60_000)).state;
    for (const ref of ended) expect(await stateOf(ref)).toBe("created");
    for (const ref of claimed) expect(["claimed", "created"]).toContain(await stateOf(ref));
    expect(ended.size).toBeGreaterThan(150);
  });
});

describe.skipIf(missingRedis !== undefined)("Redis that cannot write", () => {
  test.each([
    [
      "claims nothing where its memory is full",
      ["--maxmemory", "1", "--maxmemory-policy", "noeviction"],
      "OOM",
    ],
    ["claims nothing on a replica", ["--replicaof", "127.0.0.1", "1"], "READONLY"],
  ])("%s", async (_what, settings, code) => {
    const server = await aRedis(...settings);
    const store = redisStore(await nodeRedis(server));

    await expect(store.claim(anOrder("a"), 60_000)).rejects.toThrow(code);
  });
});
