/** The gateway's time, used for token lifetimes, pix expiry, rate limits, postbacks and every timestamp. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
  /**
   * Moves the time forward by zero or more milliseconds, fractions included. What becomes due in this period,
   * such as the expiry of a pix, happens before this returns, in order, and at its own time.
   *
   * @throws {RangeError} when `ms` is negative, not finite, or would go beyond the year 9999, after which
   * ISO 8601 timestamps change their format.
   */
  advance(ms: number): void;
}

/** A clock that also runs scheduled actions. */
export interface Scheduler extends Clock {
  /** Runs an action when the clock reaches `time`; immediately if it already has. */
  at(time: number, action: () => void): void;
  /** Runs every action that is due but has not run yet, because timers can be late. */
  catchUp(): void;
  /** The machine's time in milliseconds, which passes without `advance`; always 0 on a fixed clock. */
  machineNow(): number;
  stop(): void;
}

/** After the year 9999, ISO 8601 timestamps change their format. */
export const LAST_MOMENT = Date.parse("9999-11-30T00:00:00Z");

/** With a longer delay, `setTimeout` fires immediately. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Creates a clock.
 *
 * With `start`, the clock is fixed at that time until it is advanced, so that a seeded gateway returns the same
 * timestamps on every run. Without it, the clock follows the machine's clock, plus the time it was advanced by.
 */
export function createClock(start?: number): Scheduler {
  /** Sorted by time; actions of the same time in order of registration. */
  const scheduled: { readonly time: number; readonly action: () => void }[] = [];
  let advanced = 0;
  let runningAt: number | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;

  const now = () => runningAt ?? (start ?? Date.now()) + advanced;

  function runUntil(end: number): void {
    if (runningAt !== undefined) return; // called by an action that reads the gateway
    try {
      for (let next = scheduled[0]; next && next.time <= end; next = scheduled[0]) {
        scheduled.shift();
        runningAt = next.time;
        next.action();
      }
    } finally {
      runningAt = undefined;
    }
    setTimer();
  }

  /** One timer for the next action. It does not keep the process alive. */
  function setTimer(): void {
    if (timer !== undefined) clearTimeout(timer);
    timer = undefined;
    const [next] = scheduled;
    if (start !== undefined || next === undefined) return;
    const wait = Math.max(next.time - now(), 0);
    timer = setTimeout(() => runUntil(now()), Math.min(wait, LONGEST_TIMER_MS));
    // In Node a timer keeps the process alive; in browsers a timer is a number.
    (timer as { unref?: () => void }).unref?.();
  }

  return {
    now,
    advance(ms) {
      if (!(ms >= 0 && now() + ms <= LAST_MOMENT)) {
        throw new RangeError(`The clock can be advanced by 0 ms or more, up to the year 9999; got ${ms}.`);
      }
      const end = now() + ms;
      runUntil(end);
      advanced += ms;
      runUntil(now()); // an action may have advanced the clock, too
    },
    at(time, action) {
      if (isStopped) return;
      if (time <= now()) return action();
      const index = scheduled.findLastIndex((other) => other.time <= time) + 1;
      scheduled.splice(index, 0, { time, action });
      if (index === 0) setTimer();
    },
    catchUp: () => runUntil(now()),
    machineNow: () => (start === undefined ? Date.now() : 0),
    stop() {
      isStopped = true;
      scheduled.length = 0;
      clearTimeout(timer);
    },
  };
}

/** ISO 8601 in UTC, the format of every timestamp of the service. Spec: "Transaction (`data`)". */
export function toTimestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
