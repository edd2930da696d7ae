import { getEventListeners } from "node:events";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Backoff } from "../../src/http/timers.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("the last try begins when the time ends, and none follows", async () => {
  const backoff = new Backoff({ firstMs: 60_000, longestMs: 60_000, forMs: 1_000 });

  const pause = backoff.pause();
  await vi.advanceTimersByTimeAsync(1_000);

  expect(await pause).toBe(true);
  expect(await backoff.pause()).toBe(false);
});

test("an abort ends a pause at once, and leaves no timer and no listener", async () => {
  const controller = new AbortController();
  const backoff = new Backoff({ firstMs: 60_000, longestMs: 60_000, signal: controller.signal });

  const pause = backoff.pause();
  controller.abort();

  expect(await pause).toBe(true);
  expect(await backoff.pause()).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
  expect(getEventListeners(controller.signal, "abort")).toEqual([]);
});
