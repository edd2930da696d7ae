/** How long a work may take. */
export interface Deadline {
  /** Milliseconds. */
  readonly ms: number;
  /** The error where it takes longer. */
  readonly late: () => Error;
  /** Ends the waiting, with its own reason. */
  readonly signal?: AbortSignal | undefined;
}

/** What a work gives, or an error where it takes too long; also where it throws at once. The work itself goes on. */
export async function withTimeout<Result>(
  { ms, late, signal }: Deadline,
  work: () => Promise<Result>,
): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let onAbort = () => {};
  const over = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(late()), ms);
    onAbort = () => reject(signal?.reason);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([work(), over]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  }
}

/** A pause between retries that nobody waits for. It does not keep a process alive that has nothing else to do. */
export async function backgroundPause(ms: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer: unknown = setTimeout(resolve, ms);
    (timer as { unref?: () => void }).unref?.();
  });
}
