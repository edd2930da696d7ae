const HOUR_MS = 60 * 60_000;

/** One buyer has the whole /64 of an IPv6 address. */
const networkOf = (ip: string): string =>
  ip
    .replace(/^::ffff:/i, "")
    .replace("::", ":0:0:0:0:")
    .split(":")
    .slice(0, 4)
    .join(":");

/** Limits refused cards per address and hour. A real shop counts them in its database: see docs/pci.md, "Card testing". */
export class AttemptLimit {
  readonly #most: number;
  #attempts: readonly { readonly network: string; readonly at: number }[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Counts an attempt before it is made, because others are made at the same time.
   *
   * @returns a function that uncounts it; `undefined` if it must not be made.
   */
  reserve(address: string): (() => void) | undefined {
    const attempt = { network: networkOf(address), at: Date.now() };
    this.#attempts = this.#attempts.filter(({ at }) => at > attempt.at - HOUR_MS);
    if (this.#attempts.filter(({ network }) => network === attempt.network).length >= this.#most)
      return undefined;
    this.#attempts = [...this.#attempts, attempt];
    return () => {
      this.#attempts = this.#attempts.filter((other) => other !== attempt);
    };
  }
}
