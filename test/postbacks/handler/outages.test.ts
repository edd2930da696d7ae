import { join } from "node:path";
import { type PostbackStore, redisStore, sqliteStore } from "payments-sdk/idempotency";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { DocumentPostbacks } from "../../../src/idempotency/document-postbacks.ts";
import { MemoryDocuments } from "../../../src/idempotency/memory-documents.ts";
import { nodeRedis } from "../../idempotency/redis/support/clients.ts";
import { aRedis } from "../../idempotency/redis/support/servers.ts";
import { DURABLE, missingRedis } from "../../support/redis-server.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { aReceiver, DUPLICATE, HANDLED } from "./support/receiver.ts";

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const LEASE_MS = 1_000;

/** Two processes that share a Redis, which can go away. */
async function twoReceivers() {
  const redis = await aRedis(...DURABLE);
  const receiver = async () =>
    aReceiver({
      store: redisStore(await nodeRedis(redis, { disableOfflineQueue: true })),
      leaseMs: LEASE_MS,
    });
  const [one, other] = [await receiver(), await receiver()];
  return { redis, one, other };
}

/** Posts it again and again, as a sender does that wants a 2xx. */
async function postUntil(post: () => Promise<{ status: number }>, status: number): Promise<void> {
  while ((await post()).status !== status) await pause(20);
}

describe.skipIf(missingRedis !== undefined)("onPostback runs once although the store", () => {
  test("is away as it ends, for longer than the lease", async () => {
    const { redis, one, other } = await twoReceivers();
    one.onPostback.mockImplementationOnce(() => redis.kill());

    const first = one.post();
    await pause(4 * LEASE_MS);
    await redis.start();
    await postUntil(other.post, 200);

    expect(await first).toEqual(HANDLED);
    expect(one.onPostback).toHaveBeenCalledTimes(1);
    expect(other.onPostback).not.toHaveBeenCalled();
    expect(await other.post()).toEqual(DUPLICATE);
  });

  test("is away while it runs, for longer than the lease", async () => {
    const { redis, one, other } = await twoReceivers();
    let isRunning = true;
    one.onPostback.mockImplementationOnce(async () => {
      await redis.kill();
      await pause(3 * LEASE_MS);
      await redis.start();
      await pause(2 * LEASE_MS);
      isRunning = false;
    });

    const first = one.post();
    await pause(LEASE_MS);
    while (isRunning) {
      const answer = await other.post();
      if (isRunning) expect(answer).toMatchObject({ status: 503 }); // it may wait until it has ended
      await pause(10);
    }

    expect(await first).toEqual(HANDLED);
    await postUntil(other.post, 200);
    expect(other.onPostback).not.toHaveBeenCalled();
  });

  test("lost everything while it runs", async () => {
    const { redis, one, other } = await twoReceivers();
    const client = await nodeRedis(redis);
    one.onPostback.mockImplementationOnce(async () => {
      await client.flushAll();
      await pause(LEASE_MS);
      expect(await other.post()).toMatchObject({ status: 503 });
    });

    expect(await one.post()).toEqual(HANDLED);

    expect(await other.post()).toEqual(DUPLICATE);
    expect(other.onPostback).not.toHaveBeenCalled();
  });
});

describe("a store that neither answers nor refuses for longer than the lease", () => {
  const HANGING_LEASE_MS = 1_500;

  /** Two processes, and a store of both that can stop to answer. What it was asked meanwhile it never did. */
  function twoReceivers() {
    const postbacks = new DocumentPostbacks(new MemoryDocuments(1));
    let isAway = false;
    const answer = <Result>(work: () => Promise<Result>) =>
      isAway ? new Promise<Result>(() => undefined) : work();
    const store: PostbackStore = {
      claimPostback: (...parameters) => answer(() => postbacks.claimPostback(...parameters)),
      renewPostback: (...parameters) => answer(() => postbacks.renewPostback(...parameters)),
      confirmPostback: (...parameters) => answer(() => postbacks.confirmPostback(...parameters)),
      releasePostback: (...parameters) => answer(() => postbacks.releasePostback(...parameters)),
    };
    const goAway = async (ms: number) => {
      isAway = true;
      await pause(ms);
      isAway = false;
    };
    const [one, other] = [1, 2].map(() => aReceiver({ store, leaseMs: HANGING_LEASE_MS, timeout: 1 }));
    if (one === undefined || other === undefined) throw new Error("there are two");
    return { one, other, goAway };
  }

  test("does not let another process run onPostback while it runs", async () => {
    const { one, other, goAway } = twoReceivers();
    let isRunning = true;
    one.onPostback.mockImplementationOnce(async () => {
      await goAway(2_600);
      await pause(2_500);
      isRunning = false;
    });

    const first = one.post();
    await pause(2_700);
    while (isRunning) {
      await other.post();
      await pause(20);
    }

    expect(await first).toEqual(HANDLED);
    await postUntil(other.post, 200);
    expect(other.onPostback).not.toHaveBeenCalled();
  });

  test("does not let another process run it after it succeeded", async () => {
    const { one, other, goAway } = twoReceivers();
    let away: Promise<void> | undefined;
    one.onPostback.mockImplementationOnce(() => {
      away = goAway(3_400);
    });

    expect(await one.post()).toEqual(HANDLED);
    await away;
    await postUntil(other.post, 200);

    expect(other.onPostback).not.toHaveBeenCalled();
    expect(one.events).toMatchObject([{ type: "store_failed", status: 200 }, { type: "handled" }]);
  });
});

test.skipIf(missingRedis !== undefined)(
  "a claim whose answer was lost is given back once the store answers again, long before its lease ends",
  async () => {
    const redis = await aRedis(...DURABLE);
    const store = redisStore(await nodeRedis(redis, { disableOfflineQueue: true }));
    const { post, onPostback } = aReceiver({ store });
    const claim = store.claimPostback.bind(store);
    vi.spyOn(store, "claimPostback").mockImplementationOnce(async (...parameters) => {
      await claim(...parameters);
      await redis.kill();
      throw new Error("Socket closed unexpectedly");
    });

    expect(await post()).toMatchObject({ status: 503, body: { error: "store_failed" } });
    await redis.start();

    await vi.waitFor(async () => expect(await post()).toEqual(HANDLED), { timeout: 6_000, interval: 200 });
    expect(onPostback).toHaveBeenCalledTimes(1);
  },
);

describe.skipIf(missingRedis !== undefined)("while the store is away after onPostback succeeded", () => {
  test("the sender has its 200 soon, and a repeat of it at the same process, too", async () => {
    const { redis, one } = await twoReceivers();
    one.onPostback.mockImplementationOnce(() => redis.kill());

    const start = performance.now();
    expect(await one.post()).toEqual(HANDLED);
    expect(performance.now() - start).toBeLessThan(5_000);

    expect(await one.post()).toEqual(DUPLICATE);
    expect(one.onPostback).toHaveBeenCalledTimes(1);
    await redis.start();
  });

  test("an event says so, and another one that it is recorded at last", async () => {
    const { redis, one, other } = await twoReceivers();
    one.onPostback.mockImplementationOnce(() => redis.kill());
    await one.post();
    expect(one.events).toMatchObject([{ type: "store_failed", status: 200 }]);

    await redis.start();

    await vi.waitFor(() => expect(one.events).toHaveLength(2), { timeout: 5_000 });
    expect(one.events[1]).toMatchObject({ type: "handled", status: 200 });
    expect(await other.post()).toEqual(DUPLICATE);
  });
});

test("onPostback runs once although the clock of a SQLite store is set forward by a day", async () => {
  const file = join(temporaryFolder(), "store.db");
  const receiver = () => {
    const store = sqliteStore(file);
    onTestFinished(() => store.close());
    return aReceiver({ store, leaseMs: 600 });
  };
  const [one, other] = [receiver(), receiver()];
  let isRunning = true;
  one.onPostback.mockImplementationOnce(async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 24 * 60 * 60_000 });
    await pause(2_000);
    isRunning = false;
  });
  onTestFinished(() => void vi.useRealTimers());

  const first = one.post();
  await pause(50);
  while (isRunning) {
    await other.post();
    await pause(10);
  }

  expect(await first).toEqual(HANDLED);
  expect(other.onPostback).not.toHaveBeenCalled();
  expect(await other.post()).toEqual(DUPLICATE);
});

test.skipIf(missingRedis !== undefined)(
  "onPostback runs once although the store stands still for three leases",
  async () => {
    const redis = await aRedis(...DURABLE, "--enable-debug-command", "yes");
    const receiver = async () => aReceiver({ store: redisStore(await nodeRedis(redis)), leaseMs: LEASE_MS });
    const [one, other] = [await receiver(), await receiver()];
    const client = await nodeRedis(redis);
    one.onPostback.mockImplementationOnce(async () => {
      await client.sendCommand(["DEBUG", "SLEEP", String((3 * LEASE_MS) / 1000)]);
      await pause(LEASE_MS);
      void client.sendCommand(["DEBUG", "SLEEP", String((3 * LEASE_MS) / 1000)]);
    });

    const first = one.post();
    await pause(100);
    await postUntil(other.post, 200);

    expect(await first).toEqual(HANDLED);
    expect(one.onPostback).toHaveBeenCalledTimes(1);
    expect(other.onPostback).not.toHaveBeenCalled();
  },
);
