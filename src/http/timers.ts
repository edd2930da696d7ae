/** Internal: a time limit was reached. A call converts it to a `TimeoutError`. */
export class TimeoutReached extends Error {}

/** A time limit for anything that may take too long. */
export interface TimeLimit {
  /** Milliseconds. */
  readonly ms: number;
  /** Creates the error if it takes longer. Default: {@link TimeoutReached}. */
  readonly createError?: () => Error;
  /** Ends the wait with its own reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Resolves with the result of `work`, or rejects when the time is over or the signal aborts, even if `work` ignores
 * that. The signal that is passed to `work` aborts at the same moment.
 */
export function withTimeout<Result>(
  limit: TimeLimit,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  return withTimeoutSignal(limit, (signal) => Promise.race([work(signal), rejectOnAbort(signal)]));
}

/** Like {@link withTimeout}, but `work` itself has to end when its signal aborts, and may still return a result. */
export async function withTimeoutSignal<Result>(
  { ms, createError, signal }: TimeLimit,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(createError?.() ?? new TimeoutReached()), ms);
  const onAbort = () => controller.abort(signal?.reason);
  if (signal?.aborted === true) onAbort();
  else signal?.addEventListener("abort", onAbort, { once: true });
  try {
    // Deferred, so that nothing was started if the caller aborts in the same tick.
    return await Promise.resolve(controller.signal).then(work);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  }
}

/** Rejects with the reason of a signal when it aborts: a custom `fetch`, for example, may ignore its signal. */
export function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
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

/** Checked by the monotonic clock, which may pause while a machine sleeps, and by the wall clock, which may be changed. */
export interface Deadline {
  /** Milliseconds since the deadline was set; rather too many than too few. */
  readonly elapsedMs: number;
  readonly isOver: boolean;
}

/** @param ms - Milliseconds from now. */
export function createDeadline(ms: number): Deadline {
  const monotonicStart = performance.now();
  const wallStart = Date.now();
  return {
    get elapsedMs() {
      return Math.max(performance.now() - monotonicStart, Date.now() - wallStart);
    },
    get isOver() {
      return this.elapsedMs > ms;
    },
  };
}
