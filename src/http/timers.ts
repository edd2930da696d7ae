import { withOwn } from "../data/own-properties.ts";

/** The maximum delay of a JavaScript timer, in milliseconds. */
export const LONGEST_TIMER_MS = 2_147_483_647;

/** Tolerated difference between the clocks of this machine and of the service, in milliseconds. */
export const CLOCK_TOLERANCE_MS = 60_000;

/** The rules for a timeout, and for a time to wait, as they are shown in messages. */
export const TIMEOUT_RULE = `must be a number of milliseconds above zero, at most ${LONGEST_TIMER_MS}`;
export const WAIT_RULE = `must be a number of milliseconds, zero or more, at most ${LONGEST_TIMER_MS}`;

export function isTimeout(value: unknown): value is number {
  return typeof value === "number" && value > 0 && value <= LONGEST_TIMER_MS;
}

export function isWait(value: unknown): value is number {
  return value === 0 || isTimeout(value);
}

/** Internal: a time limit was reached. A call converts it to a `TimeoutError`. */
export class TimeoutReached extends Error {}

interface TimeLimit {
  readonly ms: number;
  /** Default: creates a {@link TimeoutReached}. */
  readonly createError?: () => Error;
  /** Ends the wait with its own reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Resolves with the result of `work`, or rejects when the time is over or a signal aborts, even if `work` ignores it. */
export function withTimeout<Result>(
  limit: TimeLimit,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  return withTimeoutSignal(limit, (signal) => untilAborted(signal, () => work(signal)));
}

/** Like {@link withTimeout}, but `work` itself has to end when its signal aborts, and may still return a result. */
export async function withTimeoutSignal<Result>(
  limit: TimeLimit,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const { ms, createError, signal } = withOwn(limit, ["createError", "signal"]);
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

/**
 * Resolves with the result of `work`, or rejects with the reason of a signal as soon as it aborts: before anything that
 * listens to the signal in `work`.
 */
export async function untilAborted<Result>(
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted();
  let onAbort: () => void = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(signal.reason);
  });
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([aborted, work()]);
  } finally {
    // Node's `fetch` keeps its signal until the next major garbage collection, and with it this result.
    signal.removeEventListener("abort", onAbort);
  }
}

/** Waits; rejects with the signal's reason if it aborts. */
export function pause(ms: number, signal: AbortSignal | undefined, keepsAlive = true): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      if (signal?.aborted === true) reject(signal.reason);
      else resolve();
    };
    const timer = setTimeout(end, ms);
    if (!keepsAlive) unref(timer);
    if (signal?.aborted === true) end();
    else signal?.addEventListener("abort", end);
  });
}

/** Lets the process end although the timer is set. Browsers have no such timers. */
export function unref<Timer>(timer: Timer): Timer {
  (timer as { unref?: () => void }).unref?.();
  return timer;
}

/** The pauses of a {@link Backoff}, and when they stop. */
export interface BackoffOptions {
  readonly firstMs: number;
  readonly longestMs: number;
  /** Milliseconds in which a try may begin. Default: no limit. */
  readonly forMs?: number;
  /** Ends a pause early. The next try checks the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Whether the pauses keep a process alive that has nothing else to do. Default `true`. */
  readonly keepsAlive?: boolean;
}

/**
 * Milliseconds to wait after one or more failed tries: they double from the first pause to the longest, and are randomly
 * shortened by up to half, so that processes do not try again at the same time.
 */
export function backoffMs(tries: number, { firstMs, longestMs }: BackoffOptions): number {
  return Math.min(longestMs, firstMs * 2 ** (tries - 1)) * (0.5 + Math.random() / 2);
}

/** The pauses of one loop that tries the same thing again: `do { ... } while (await backoff.pause())`. */
export class Backoff {
  readonly #options: BackoffOptions;
  readonly #endsAt: number;
  #tries = 0;

  constructor(options: BackoffOptions) {
    this.#options = options;
    this.#endsAt = performance.now() + (options.forMs ?? Number.POSITIVE_INFINITY);
  }

  /** Milliseconds until the next try; `undefined` if the time is over. The last try begins when it ends. */
  nextMs(): number | undefined {
    const leftMs = this.#endsAt - performance.now();
    this.#tries += 1;
    return leftMs <= 0 ? undefined : Math.min(leftMs, backoffMs(this.#tries, this.#options));
  }

  /** Waits until the next try is due. `false`, without waiting, if the time is over. Never rejects. */
  async pause(): Promise<boolean> {
    const ms = this.nextMs();
    if (ms === undefined) return false;
    const { signal, keepsAlive } = this.#options;
    await pause(ms, signal, keepsAlive).catch(() => undefined);
    return true;
  }
}

/**
 * A time limit by the monotonic clock, which may pause while a machine sleeps, and by the wall clock, which may be changed.
 *
 * @param ms - Milliseconds from now.
 */
export function createDeadline(ms: number) {
  const monotonicStart = performance.now();
  const wallStart = Date.now();
  return {
    /** Milliseconds since the deadline was set; rather too few than too many. */
    get monotonicMs(): number {
      return performance.now() - monotonicStart;
    },
    /** Milliseconds since the deadline was set; rather too many than too few. */
    get elapsedMs(): number {
      return Math.max(this.monotonicMs, Date.now() - wallStart);
    },
    get isOver(): boolean {
      return this.elapsedMs > ms;
    },
  };
}

export type Deadline = ReturnType<typeof createDeadline>;
