/** Pauses between tries, in milliseconds. */
export interface Pauses {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** When {@link Backoff} stops, and how it waits. */
export interface BackoffOptions extends Pauses {
  /** Milliseconds from now in which a try may begin. Default: no limit. */
  readonly forMs?: number;
  /** Ends a pause early. Whoever tries again checks the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Whether the pauses keep a process alive that has nothing else to do. Default `true`. */
  readonly keepsAlive?: boolean;
}

/**
 * Milliseconds to wait after a failed try: they double from the first pause to the longest, and are randomly shortened by
 * up to half, so that processes do not try again at the same time.
 *
 * @param tries - How many have failed, one or more.
 */
export function backoffMs(tries: number, { firstMs, longestMs }: Pauses): number {
  return Math.min(longestMs, firstMs * 2 ** (tries - 1)) * (0.5 + Math.random() / 2);
}

/**
 * The pauses of one loop that tries the same thing again:
 *
 * ```ts
 * const backoff = new Backoff({ firstMs: 50, longestMs: 1_000, forMs: 10_000 });
 * do {
 *   if (await isDone()) return;
 * } while (await backoff.pause());
 * throw new Error("It took too long.");
 * ```
 */
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
    const { signal, keepsAlive = true } = this.#options;
    if (signal?.aborted === true) return true;
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      if (!keepsAlive) (timer as { unref?: () => void }).unref?.(); // browsers have no such timers
      signal?.addEventListener("abort", end);
    });
    return true;
  }
}
