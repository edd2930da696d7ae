/**
 * At most so many of something per address in a span of time.
 *
 * In memory, and so for one process. A real shop counts in its store, and asks for a CAPTCHA before it refuses.
 */
export class AttemptLimit {
  readonly #most: number;
  readonly #spanMs: number;
  readonly #times = new Map<string, number[]>();

  constructor(most: number, spanMs: number) {
    this.#most = most;
    this.#spanMs = spanMs;
  }

  isReached(address: string, now = Date.now()): boolean {
    return this.#recent(address, now).length >= this.#most;
  }

  count(address: string, now = Date.now()): void {
    for (const known of this.#times.keys())
      if (this.#recent(known, now).length === 0) this.#times.delete(known);
    this.#times.set(address, [...this.#recent(address, now), now]);
  }

  #recent(address: string, now: number): number[] {
    return (this.#times.get(address) ?? []).filter((time) => now - time < this.#spanMs);
  }
}
