import { describe, expect, test, vi } from "vitest";
import { withTimeout } from "../../src/http/timers.ts";

const late = () => new Error("late");

describe("an operation with a timeout", () => {
  test("causes no unhandled rejection if it fails after the timeout", async () => {
    let fail = (_error: Error) => {};
    const work = () =>
      new Promise<never>((_resolve, reject) => {
        fail = reject;
      });
    await expect(withTimeout({ ms: 10, createError: late }, work)).rejects.toThrow("late");

    fail(new Error("too late")); // an unhandled rejection would fail the run
    await new Promise((resolve) => setImmediate(resolve));
  });

  test("leaves no timer and no listener behind", async () => {
    const { signal } = new AbortController();
    const started = vi.spyOn(globalThis, "setTimeout");
    const stopped = vi.spyOn(globalThis, "clearTimeout");
    const added = vi.spyOn(signal, "addEventListener");
    const removed = vi.spyOn(signal, "removeEventListener");

    await withTimeout({ ms: 60_000, createError: late, signal }, async () => 7);

    expect(stopped).toHaveBeenCalledWith(started.mock.results[0]?.value);
    expect(added.mock.calls.map(([name, listener]) => [name, listener])).toEqual(removed.mock.calls);
    expect(added).toHaveBeenCalledTimes(1);
  });
});
