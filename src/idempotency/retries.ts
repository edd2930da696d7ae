import { CHANGE_AT_MOST_MS, CHANGE_TRIES } from "../spec/limits.ts";

/** Retries before the first pause: most lost races are won at once. */
const RETRIES_AT_ONCE = 3;

/** The longest pause, in milliseconds. */
const PAUSE_AT_MOST_MS = 100;

/** Limits how often, and for how long, one change of a record is tried. */
export class Retries {
  readonly #start = performance.now();
  readonly #signal: AbortSignal | undefined;
  #count = 0;
  #countWithoutProgress = 0;

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
  }

  /**
   * Another process changed the record first.
   *
   * @param cause - The error by which the database reports it, if there is one.
   */
  async afterLosing(cause?: unknown): Promise<void> {
    this.#countWithoutProgress = 0;
    if (performance.now() - this.#start > CHANGE_AT_MOST_MS) {
      throw new Error(
        `Other processes changed the record faster than this one, for ${CHANGE_AT_MOST_MS} ms.`,
        { cause },
      );
    }
    await this.#pause();
  }

  /** Nothing changed since the last try: the next one most likely fails in the same way. */
  async withoutProgress(reason: string): Promise<void> {
    this.#countWithoutProgress += 1;
    if (this.#countWithoutProgress === CHANGE_TRIES) throw new Error(`${reason}.`);
    await this.#pause();
  }

  async #pause(): Promise<void> {
    this.#signal?.throwIfAborted();
    this.#count += 1;
    const doublings = this.#count - RETRIES_AT_ONCE;
    if (doublings <= 0) return;
    const longest = Math.min(2 ** doublings, PAUSE_AT_MOST_MS);
    await new Promise((resolve) => setTimeout(resolve, longest * (0.5 + Math.random() / 2)));
    this.#signal?.throwIfAborted();
  }
}
