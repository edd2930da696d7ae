import { describe, expect, test, vi } from "vitest";
import { withTimeout } from "../../src/http/timers.ts";

const late = () => new Error("late");
const never = () => new Promise<never>(() => undefined);

describe("a work", () => {
  test("fails as it fails, also where it throws at once", async () => {
    const thrown = new Error("no");

    await expect(withTimeout({ ms: 60_000, late }, () => Promise.reject(thrown))).rejects.toBe(thrown);
    const throwing = () => {
      throw thrown;
    };
    await expect(withTimeout({ ms: 60_000, late }, throwing)).rejects.toBe(thrown);
  });

  test("that takes too long is given up", async () => {
    await expect(withTimeout({ ms: 10, late }, never)).rejects.toThrow("late");
  });

  test("that the caller ends is given up with the caller's reason", async () => {
    const controller = new AbortController();
    const waiting = withTimeout({ ms: 60_000, late, signal: controller.signal }, never);
    const reason = new Error("the caller's own");

    controller.abort(reason);

    await expect(waiting).rejects.toBe(reason);
  });

  test("that fails after it was given up fails nothing else", async () => {
    let fail = (_error: Error) => {};
    const work = () =>
      new Promise<never>((_resolve, reject) => {
        fail = reject;
      });
    await expect(withTimeout({ ms: 10, late }, work)).rejects.toThrow("late");

    fail(new Error("too late")); // an unhandled rejection would fail the run
    await new Promise((resolve) => setImmediate(resolve));
  });

  test("leaves neither a timer nor a listener behind", async () => {
    const { signal } = new AbortController();
    const started = vi.spyOn(globalThis, "setTimeout");
    const stopped = vi.spyOn(globalThis, "clearTimeout");
    const added = vi.spyOn(signal, "addEventListener");
    const removed = vi.spyOn(signal, "removeEventListener");

    await withTimeout({ ms: 60_000, late, signal }, async () => 7);

    expect(stopped).toHaveBeenCalledWith(started.mock.results[0]?.value);
    expect(added.mock.calls.map(([name, listener]) => [name, listener])).toEqual(removed.mock.calls);
    expect(added).toHaveBeenCalledTimes(1);
  });
});
