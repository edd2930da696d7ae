/** How long something may take. */
export interface TimeLimit {
  /** Milliseconds. */
  readonly ms: number;
  /** Creates the error if it takes longer. */
  readonly late: () => Error;
  /** Ends the wait with its own reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Resolves with the result of `work`, or rejects when the time is over or the signal aborts, even if `work` ignores
 * that. The signal that `work` gets aborts at that moment.
 */
export async function withTimeout<Result>(
  { ms, late, signal }: TimeLimit,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let onAbort = () => {};
  try {
    return await new Promise<Result>((resolve, reject) => {
      const stop = (reason: unknown) => {
        controller.abort(reason);
        reject(reason);
      };
      timer = setTimeout(() => stop(late()), ms);
      onAbort = () => stop(signal?.reason);
      if (signal?.aborted === true) onAbort();
      else signal?.addEventListener("abort", onAbort, { once: true });
      // Deferred, so that a caller who aborts in the same tick has started nothing.
      Promise.resolve(controller.signal).then(work).then(resolve, reject);
    });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  }
}

/** Waits; rejects with the signal's reason if it aborts. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    if (signal?.aborted === true) onAbort();
    else signal?.addEventListener("abort", onAbort, { once: true });
  });
}

/** Waits between retries in the background. It does not keep a process alive that has nothing else to do. */
export async function backgroundPause(ms: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer: unknown = setTimeout(resolve, ms);
    (timer as { unref?: () => void }).unref?.();
  });
}

/** A moment by two clocks: one may stand still while a machine sleeps, the other may be set. */
export class Deadline {
  readonly #ms: number;
  readonly #monotonicStart = performance.now();
  readonly #wallStart = Date.now();

  /** @param ms - Milliseconds from now. */
  constructor(ms: number) {
    this.#ms = ms;
  }

  /** Milliseconds since the deadline was set; rather too many than too few. */
  get elapsedMs(): number {
    return Math.max(performance.now() - this.#monotonicStart, Date.now() - this.#wallStart);
  }

  get isOver(): boolean {
    return this.elapsedMs > this.#ms;
  }
}
