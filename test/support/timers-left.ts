/**
 * Does some work, and counts the timers that were set meanwhile and have neither run nor been cleared when it ends.
 *
 * Unlike `vi.getTimerCount()`, without those of the platform's `fetch`: it sets one for all of its connections, and one
 * whenever a connection becomes idle, also a connection of an earlier test.
 */
export async function timersLeftBy(work: () => PromiseLike<unknown>): Promise<number> {
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  const left = new Set<unknown>();
  const setCounted = (run: () => void, ms?: number) => {
    const onTime = () => {
      left.delete(timer);
      run();
    };
    const timer = set(onTime, ms);
    if (!new Error().stack?.includes("internal/deps/undici")) left.add(timer);
    return timer;
  };
  const clearCounted = (timer?: ReturnType<typeof setTimeout>) => {
    left.delete(timer);
    clear(timer);
  };
  // Not by `vi.spyOn`: if it is restored after the fake timers, it brings them back, for every later file.
  Object.assign(globalThis, { setTimeout: setCounted, clearTimeout: clearCounted });
  try {
    await work();
    return left.size;
  } finally {
    Object.assign(globalThis, { setTimeout: set, clearTimeout: clear });
  }
}
