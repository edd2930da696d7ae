import { redisStore } from "payments-sdk/idempotency";
import { describe, expect, test } from "vitest";
import { missingRedis } from "../../support/redis-server.ts";
import { OPERATIONS } from "../support/operations.ts";
import { by, idsIn, LEASE, NOT_CREATED, ORDER, UNKNOWN } from "../support/orders.ts";
import { aRedis, asShop, nodeRedis } from "../support/redis.ts";

const CREATED = { outcome: "created", transactionId: 7 } as const;
const RETENTION_MS = 400 * 86_400_000;

const orderOf = (owner: string, externalRef: string) => ({ ...by(owner), externalRef });

type Client = Awaited<ReturnType<typeof nodeRedis>>;

/** Puts Redis over its limit, so that it refuses every write. */
const fill = (client: Client) => client.configSet("maxmemory", "1");
const unfill = (client: Client) => client.configSet("maxmemory", "0");

describe.skipIf(missingRedis !== undefined)("Redis at its memory limit", () => {
  const newRecords = ["claim", "claimPostback"];

  test("refuses new claims, and nothing else", async () => {
    const client = await nodeRedis(await aRedis());
    const on = (name: string) => redisStore(client, { namespace: name });
    for (const { name, arrange } of OPERATIONS) await arrange(on(name));
    await fill(client);

    const results: unknown[] = [];
    for (const { name, act } of OPERATIONS) results.push(await act(on(name)).catch(String));
    await unfill(client);

    expect(results).toEqual(
      OPERATIONS.map(({ name, result }) =>
        newRecords.includes(name) ? expect.stringMatching(/^Error: OOM/) : result,
      ),
    );
    for (const { name, look, seen } of OPERATIONS) {
      expect([name, await look(on(name))]).toEqual([name, seen[newRecords.includes(name) ? 0 : 1]]);
    }
  });

  test("keeps ended orders for the same time as without a limit, and open ones permanently", async () => {
    const client = await nodeRedis(await aRedis());
    const store = redisStore(client);
    for (const ref of ["created", "unknown", "paid late"]) await store.claim(orderOf("a", ref), LEASE);
    await store.recordOutcome(orderOf("a", "paid late"), NOT_CREATED);
    await fill(client);

    await store.recordOutcome(orderOf("a", "created"), CREATED);
    await store.recordOutcome(orderOf("a", "unknown"), UNKNOWN);
    await store.claim(orderOf("b", "paid late"), LEASE);

    const left = async (ref: string) => {
      const [key = ""] = await client.keys(`payments:default:{*}:order:${ref}`);
      return client.pTTL(key);
    };
    expect(await left("created")).toBeGreaterThan(RETENTION_MS - 60_000);
    expect(await left("unknown")).toBe(-1);
    expect(await left("paid late")).toBe(-1); // it had an expiry while it was free
  });

  test.each([
    [UNKNOWN, "unresolved"],
    [CREATED, "created"],
  ])("records the end of a claim that it has lost, and the next process finds it: %j", async (end, state) => {
    const client = await nodeRedis(await aRedis());
    const store = redisStore(client);
    await store.claim(ORDER, LEASE);
    await client.flushAll();
    await fill(client);

    expect(idsIn(await store.recordOutcome(ORDER, end))).toEqual([]);

    expect(await redisStore(client).claim(by("b"), LEASE)).toMatchObject({ state });
  });

  test.each([
    [[], /^Error: OOM/],
    [["+persist"], /^$/],
  ])("records the end only for a user of Redis who may run PERSIST: %j", async (more, result) => {
    const server = await aRedis();
    const admin = await nodeRedis(server);
    const store = redisStore(await asShop(server, ...more));
    await store.claim(ORDER, LEASE);
    await fill(admin);

    const ended = await store.recordOutcome(ORDER, CREATED).then(idsIn, String);

    expect(String(ended)).toMatch(result);
    await unfill(admin);
    expect(await store.renew(ORDER, LEASE)).toBe(more.length === 0); // still claimed
  });

  test("refuses claims if it is a replica", async () => {
    const store = redisStore(await nodeRedis(await aRedis("--replicaof", "127.0.0.1", "1")));

    await expect(store.claim(ORDER, LEASE)).rejects.toThrow("READONLY");
  });
});
