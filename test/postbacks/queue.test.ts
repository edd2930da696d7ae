import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { PostbackQueues, type QueuePlace } from "../../src/postbacks/queue.ts";

test("results of the store are not kept in memory while another postback of the order hangs", async () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc") as () => void;
  const queues = new PostbackQueues();
  const enter = (id: number) => {
    const key = { trust: "signed", externalRef: "order-1", id, rawStatus: "approved", amount: 1 } as const;
    return queues.enter(key) as QueuePlace;
  };
  const hanging = enter(1);
  const results: WeakRef<object>[] = [];

  for (let id = 2; id < 10; id += 1) {
    const place = enter(id);
    await place.runSerially(1_000, async () => {
      const result = {};
      results.push(new WeakRef(result));
      return result;
    });
    place.leave();
  }
  await new Promise((resolve) => setTimeout(resolve, 10));
  collectGarbage();

  expect(results.filter((result) => result.deref() !== undefined)).toHaveLength(0);
  hanging.leave();
});
