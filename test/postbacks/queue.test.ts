import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, onTestFinished, test, vi } from "vitest";
import { PostbackQueues, type QueuedPostback } from "../../src/postbacks/postback-queue.ts";
import { aGate } from "../support/http-server.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

function enter(queues: PostbackQueues, id: number, externalRef = "order-1"): QueuedPostback {
  const entry = queues.enter({ trust: "signed", externalRef, id, rawStatus: "approved", amount: 1 });
  if (entry.type === "not_queued") throw new Error("the postback is not queued");
  return entry.queued;
}

test("a third transaction of an order waits for the first one, even if the second one has given up", async () => {
  const queues = new PostbackQueues();
  const finish = aGate();
  const ran: string[] = [];
  const first = enter(queues, 1).runSerially(10_000, async () => {
    await finish.passed;
    ran.push("first");
  });

  const second = enter(queues, 2).runSerially(1, async () => ran.push("second"));
  await expect(second).rejects.toThrow("busy with other postbacks");
  const third = enter(queues, 3).runSerially(10_000, async () => ran.push("third"));
  await new Promise(setImmediate);
  finish.open();
  await Promise.all([first, third]);

  expect(ran).toEqual(["first", "third"]);
});

test("of a burst, 30 postbacks use the store, and the others wait their turn without a call to it", async () => {
  const queues = new PostbackQueues();
  const gate = aGate();
  const ran: number[] = [];
  const arrive = (id: number, timeoutMs: number) =>
    enter(queues, id, `order-${id}`).runSerially(timeoutMs, async () => {
      ran.push(id);
      await gate.passed;
    });
  const first = Array.from({ length: 30 }, (_, id) => arrive(id, 10_000));
  const waiting = [arrive(30, 10_000), arrive(31, 10_000)];
  const late = arrive(32, 1);
  await expect(late).rejects.toThrow("busy with other postbacks");
  expect(ran).toHaveLength(30);

  gate.open();
  await Promise.all([...first, ...waiting]);

  expect(ran).toEqual(Array.from({ length: 32 }, (_, id) => id));
});

test("30 postbacks whose orders are locked hold up the others for a second", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const queues = new PostbackQueues();
  const never = new Promise<void>(() => undefined);
  for (let id = 0; id < 30; id += 1) void enter(queues, id, `locked-${id}`).runSerially(10_000, () => never);
  const ran = vi.fn<() => Promise<void>>(async () => undefined);
  void enter(queues, 30).runSerially(10_000, ran);

  await vi.advanceTimersByTimeAsync(900);
  expect(ran).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(200);

  expect(ran).toHaveBeenCalledOnce();
});

test("neither handled orders nor results of the store are kept in memory while a postback hangs", async () => {
  const queues = new PostbackQueues();
  enter(queues, 1);
  const results: WeakRef<object>[] = [];
  for (let id = 2; id < 10; id += 1) {
    const queued = enter(queues, id);
    await queued.runSerially(1_000, async () => {
      const result = {};
      results.push(new WeakRef(result));
      return result;
    });
    queued.leave();
  }
  await new Promise((resolve) => setTimeout(resolve, 10));
  collectGarbage();
  const before = process.memoryUsage().heapUsed;

  for (let order = 0; order < 50_000; order += 1) enter(queues, 1, `other-${order}`).leave();
  collectGarbage();

  expect(process.memoryUsage().heapUsed - before).toBeLessThan(5_000_000);
  expect(results.filter((result) => result.deref() !== undefined)).toHaveLength(0);
  expect(queues).toBeInstanceOf(PostbackQueues); // it is kept until here
});
