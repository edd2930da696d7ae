import { AsyncLocalStorage } from "node:async_hooks";

const signals = new AsyncLocalStorage<AbortSignal>();

/** What was stopped gets this long to tidy up, and to say how far it came. */
const LAST_WORDS_MS = 2_000;

/**
 * Does some work; where it takes too long, what it started is ended, see {@link onLimit}.
 *
 * @throws {Error} where it takes too long, with what the work says of its end.
 */
export function withinLimit<Result>(ms: number, work: () => Promise<Result>): Promise<Result> {
  const controller = new AbortController();
  const { signal } = controller;
  return new Promise((resolve, reject) => {
    const tooLong = (lastWords: string) =>
      reject(new Error(`It did not end within ${ms / 1000} s, and was stopped.\n${lastWords}`.trimEnd()));
    let timer = setTimeout(() => {
      timer = setTimeout(tooLong, LAST_WORDS_MS, "");
      controller.abort();
    }, ms);
    signals
      .run(signal, work)
      .then(
        (result) => (signal.aborted ? tooLong("") : resolve(result)),
        (error: unknown) => (signal.aborted ? tooLong(String(error)) : reject(error)),
      )
      .finally(() => clearTimeout(timer));
  });
}

/** Ends something where the work that started it takes too long; gives what takes that back. */
export function onLimit(end: () => void): () => void {
  const signal = signals.getStore();
  if (signal?.aborted === true) end();
  signal?.addEventListener("abort", end);
  return () => signal?.removeEventListener("abort", end);
}
