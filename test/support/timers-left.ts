import { AsyncLocalStorage } from "node:async_hooks";

const works = new AsyncLocalStorage<object>();

/**
 * Does some work, and counts the timers that it set and that have neither run nor been cleared when it ends.
 *
 * Unlike `vi.getTimerCount()`, without those of other tests, whose work in the background may go on in this process, and
 * of the platform's `fetch`: it sets one for all of its connections, and one whenever a connection becomes idle.
 */
export async function timersLeftBy(work: () => PromiseLike<unknown>): Promise<number> {
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  const left = new Set<unknown>();
  const own = {};
  const setCounted = (run: () => void, ms?: number) => {
    const onTime = () => {
      left.delete(timer);
      run();
    };
    const timer = set(onTime, ms);
    const isOwn = works.getStore() === own;
    if (isOwn && !new Error().stack?.includes("internal/deps/undici")) left.add(timer);
    return timer;
  };
  const clearCounted = (timer?: ReturnType<typeof setTimeout>) => {
    left.delete(timer);
    clear(timer);
  };
  // Not by `vi.spyOn`: if it is restored after the fake timers, it brings them back, for every later file.
  Object.assign(globalThis, { setTimeout: setCounted, clearTimeout: clearCounted });
  try {
    await works.run(own, async () => work());
    return left.size;
  } finally {
    Object.assign(globalThis, { setTimeout: set, clearTimeout: clear });
  }
}
