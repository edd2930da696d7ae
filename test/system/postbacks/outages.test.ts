import { join } from "node:path";
import { redisStore, sqliteStore } from "payments-sdk/idempotency";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { nodeRedis } from "../../idempotency/redis/support/clients.ts";
import { aRedis } from "../../idempotency/redis/support/servers.ts";
import { aReceiver, DUPLICATE, HANDLED } from "../../postbacks/handler/support/receiver.ts";
import { DURABLE, missingRedis } from "../../support/redis-server.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const LEASE_MS = 1_000;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Two processes that share a Redis server, which can be stopped. */
async function twoReceivers() {
  const redis = await aRedis(...DURABLE, "--enable-debug-command", "yes");
  const receiver = async () => {
    const client = await nodeRedis(redis, { disableOfflineQueue: true });
    return aReceiver({ store: redisStore(client), leaseMs: LEASE_MS });
  };
  const [one, other] = [await receiver(), await receiver()];
  /** Like a sender that retries until it gets a 2xx. */
  const postUntilHandled = async () => {
    while ((await other.post()).status !== 200) await pause(20);
  };
  return { redis, one, other, postUntilHandled };
}

describe.skipIf(missingRedis !== undefined)("onPostback runs only once if Redis", () => {
  test("is unreachable when it ends, for longer than the lease; events report that, and the late record", async () => {
    const { redis, one, other, postUntilHandled } = await twoReceivers();
    one.onPostback.mockImplementationOnce(() => redis.kill());

    const first = one.post();
    await pause(4 * LEASE_MS);
    expect(await first).toEqual(HANDLED);
    expect(await one.post()).toEqual(DUPLICATE);
    await redis.start();
    await postUntilHandled();

    await vi.waitFor(() => expect(one.events).toHaveLength(3), { timeout: 10_000 });
    expect(one.events).toMatchObject([{ type: "store_failed" }, { type: "duplicate" }, { type: "handled" }]);
    expect(one.onPostback).toHaveBeenCalledTimes(1);
    expect(other.onPostback).not.toHaveBeenCalled();
    expect(await other.post()).toEqual(DUPLICATE);
  });

  test("is blocked for three leases", async () => {
    const { redis, one, other, postUntilHandled } = await twoReceivers();
    const client = await nodeRedis(redis);
    const block = () => client.sendCommand(["DEBUG", "SLEEP", String((3 * LEASE_MS) / 1000)]);
    one.onPostback.mockImplementationOnce(async () => {
      await block();
      await pause(LEASE_MS);
      void block();
    });

    const first = one.post();
    await vi.waitFor(() => expect(one.onPostback).toHaveBeenCalled());
    await postUntilHandled();

    expect(await first).toEqual(HANDLED);
    expect(one.onPostback).toHaveBeenCalledTimes(1);
    expect(other.onPostback).not.toHaveBeenCalled();
  });
});

test("onPostback runs only once if the clock of a SQLite store is set forward by a day", async () => {
  const file = join(temporaryFolder(), "store.db");
  const receiver = () => {
    const store = sqliteStore(file);
    onTestFinished(() => store.close());
    return aReceiver({ store, leaseMs: LEASE_MS });
  };
  const [one, other] = [receiver(), receiver()];
  onTestFinished(() => void vi.useRealTimers());
  let isRunning = true;
  one.onPostback.mockImplementationOnce(async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 24 * 60 * 60_000 });
    await pause(3 * LEASE_MS);
    isRunning = false;
  });

  const first = one.post();
  await vi.waitFor(() => expect(one.onPostback).toHaveBeenCalled());
  while (isRunning) {
    await other.post();
    await pause(10);
  }

  expect(await first).toEqual(HANDLED);
  expect(other.onPostback).not.toHaveBeenCalled();
  expect(await other.post()).toEqual(DUPLICATE);
});
