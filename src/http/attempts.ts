/** How often a call may be put on the wire, and for how long. */
export interface AttemptRules {
  readonly url: string;
  readonly method: string;
  /** Milliseconds; of one attempt or of all together, see the {@link Attempts} in question. */
  readonly timeout: number;
  /** The caller's. */
  readonly signal: AbortSignal | undefined;
  /** How many attempts may follow the first. */
  readonly retries: number;
  /**
   * Milliseconds to wait after the failed attempt of that number (1 for the first); `undefined` where it is the
   * last.
   */
  readonly delayAfter: (attempt: number, patience?: Patience) => number | undefined;
}

/** How long there is to wait for another attempt. */
export interface Patience {
  /** Milliseconds. */
  readonly longestMs: number;
  /** Whether the failed attempt was waiting enough. */
  readonly atOnce: boolean;
}

/** One attempt: rejects where another one is worth trying. */
export type Attempt = (signal: AbortSignal) => Promise<void>;

/**
 * Makes attempts until one is content or none is left; rejects with what the last one rejected with, or as soon as the
 * time or the caller's signal ends, whatever the attempt does then.
 *
 * @throws {AttemptTimeout} where the time ran out.
 */
export type Attempts = (rules: AttemptRules, attempt: Attempt) => Promise<void>;

/** The time for an attempt ran out. It never leaves the pipeline. */
export class AttemptTimeout extends Error {}
