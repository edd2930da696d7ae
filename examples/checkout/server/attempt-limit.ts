/** Limits events per address and hour. A real shop counts them in its database, for all its servers. */
export class AttemptLimit {
  readonly #most: number;
  readonly #times = new Map<string, readonly number[]>();

  constructor(most: number) {
    this.#most = most;
  }

  isReached(address: string): boolean {
    return this.#recent(address).length >= this.#most;
  }

  count(address: string): void {
    this.#times.set(address, [...this.#recent(address), Date.now()]);
  }

  #recent(address: string): readonly number[] {
    const anHourAgo = Date.now() - 60 * 60_000;
    return (this.#times.get(address) ?? []).filter((time) => time > anHourAgo);
  }
}
