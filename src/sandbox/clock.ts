/** The time that a gateway goes by: token age, pix expiry, rate limits and every timestamp. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
  /**
   * Moves the time forward by whole or broken milliseconds, zero or more.
   *
   * @throws {RangeError} when `ms` is negative, not finite, or leads beyond the year 9999, after which
   * ISO 8601 timestamps change their form.
   */
  advance(ms: number): void;
}

const LAST_MOMENT = Date.parse("9999-11-30T00:00:00Z");

/**
 * With `start` the clock stands still there until it is advanced, so that a seeded gateway gives the
 * same timestamps on every run. Without it the clock follows the machine's, plus what was advanced.
 */
export function createClock(start?: number): Clock {
  let advanced = 0;
  const now = () => (start ?? Date.now()) + advanced;

  return {
    now,
    advance(ms) {
      if (!(ms >= 0 && now() + ms <= LAST_MOMENT)) {
        throw new RangeError(`The clock can be advanced by 0 ms or more, up to the year 9999; got ${ms}.`);
      }
      advanced += ms;
    },
  };
}

/** ISO 8601 in UTC, the form of every timestamp of the service. Spec: "Transaction (`data`)". */
export function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
