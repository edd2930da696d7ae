import assert from "node:assert/strict";

const POLL_MS = 10;

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export async function eventually(check: () => Promise<void>, forMs = 10_000): Promise<void> {
  const deadline = performance.now() + forMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
    await pause(POLL_MS);
  }
}

/**
 * Waits for work of the code under test.
 *
 * @throws {AssertionError} which names the work, if it takes longer, or fails. `cause` is its error.
 */
export async function within<Result>(
  ms: number,
  what: string,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const message = `${what} did not resolve within ${ms} ms (timeoutMs)`;
    timer = setTimeout(() => reject(new assert.AssertionError({ message })), ms);
  });
  const working = (async () => work())().catch((cause: unknown) => {
    throw Object.assign(new assert.AssertionError({ message: `${what} rejected: ${cause}` }), { cause });
  });
  try {
    return await Promise.race([working, late]);
  } finally {
    clearTimeout(timer);
  }
}
