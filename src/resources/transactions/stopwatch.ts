/** Tells how long something took, by both clocks: one may stand still while a machine sleeps, the other may be set. */
export class Stopwatch {
  #monotonic = performance.now();
  #wall = Date.now();

  restart(): void {
    this.#monotonic = performance.now();
    this.#wall = Date.now();
  }

  /** Milliseconds; rather too many than too few. */
  elapsedMs(): number {
    return Math.max(performance.now() - this.#monotonic, Date.now() - this.#wall);
  }
}
