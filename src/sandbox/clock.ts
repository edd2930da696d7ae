/** The time that a gateway goes by: token age, pix expiry, rate limits, postbacks and every timestamp. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
  /**
   * Moves the time forward by whole or broken milliseconds, zero or more. What falls due on the way, such
   * as the expiry of a pix, happens before this returns, in order, and at its own time.
   *
   * @throws {RangeError} when `ms` is negative, not finite, or leads beyond the year 9999, after which
   * ISO 8601 timestamps change their form.
   */
  advance(ms: number): void;
}

/** A clock that also acts. */
export interface Scheduler extends Clock {
  /** Runs an action when the clock reaches `time`; at once when it is there already. */
  at(time: number, action: () => void): void;
  /** Runs what has fallen due and was not run yet: a timer of the machine may be late. */
  catchUp(): void;
  /** Milliseconds of the machine's time, which count even while nobody advances; none on a clock that stands. */
  machineNow(): number;
  /** Runs nothing any more, and forgets what was to be run. */
  stop(): void;
}

interface Appointment {
  readonly time: number;
  readonly action: () => void;
}

/** After the year 9999, ISO 8601 timestamps change their form. */
export const LAST_MOMENT = Date.parse("9999-11-30T00:00:00Z");

/** Beyond it, `setTimeout` fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * With `start` the clock stands still there until it is advanced, so that a seeded gateway gives the
 * same timestamps on every run. Without it the clock follows the machine's, plus what was advanced.
 */
export function createClock(start?: number): Scheduler {
  const appointments: Appointment[] = []; // soonest first, those of one time in the order they were made
  let advanced = 0;
  let acting: number | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopped = false;

  const now = () => acting ?? (start ?? Date.now()) + advanced;

  function runUntil(end: number): void {
    if (acting !== undefined) return; // an action that looks at the gateway
    try {
      for (let next = appointments[0]; next && next.time <= end; next = appointments[0]) {
        appointments.shift();
        acting = next.time;
        next.action();
      }
    } finally {
      acting = undefined;
    }
    setTimer();
  }

  /** One timer for the soonest appointment. It does not keep a process alive that has nothing else to do. */
  function setTimer(): void {
    if (timer !== undefined) clearTimeout(timer);
    timer = undefined;
    const [next] = appointments;
    if (start !== undefined || next === undefined) return;
    const wait = Math.max(next.time - now(), 0);
    timer = setTimeout(() => runUntil(now()), Math.min(wait, LONGEST_TIMER_MS));
    letGo(timer);
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
      if (stopped) return;
      if (time <= now()) return action();
      const index = appointments.findLastIndex((appointment) => appointment.time <= time) + 1;
      appointments.splice(index, 0, { time, action });
      if (index === 0) setTimer();
    },
    catchUp: () => runUntil(now()),
    machineNow: () => (start === undefined ? Date.now() : 0),
    stop() {
      stopped = true;
      appointments.length = 0;
      clearTimeout(timer);
    },
  };
}

/** Node's timers keep a process alive, those of browsers are plain numbers. */
function letGo(timer: unknown): void {
  (timer as { unref?: () => void }).unref?.();
}

/** ISO 8601 in UTC, the form of every timestamp of the service. Spec: "Transaction (`data`)". */
export function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
