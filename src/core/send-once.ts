import { type Answer, readAnswer } from "./answer.ts";
import type { FetchLike } from "./connection.ts";
import { isPaymentsError } from "./errors/payments-error.ts";

/** One request and its whole answer. Rejects as soon as `signal` aborts, also where a `fetch` ignores it. */
export async function sendOnce(
  fetch: FetchLike | undefined,
  url: string,
  init: RequestInit,
  signal: AbortSignal,
  onHead: () => void,
): Promise<{ response: Response; answer: Answer }> {
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([
      exchange(fetch === undefined, fetch ?? globalThis.fetch, url, init, onHead),
      aborted,
    ]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

async function exchange(own: boolean, fetch: FetchLike, url: string, init: RequestInit, onHead: () => void) {
  try {
    const response = await fetch(url, init);
    onHead();
    return { response, answer: await readAnswer(response, own) };
  } catch (error) {
    // Where a caller's `fetch` uses this package too, the outcome of that call is not the outcome of this one.
    throw isPaymentsError(error) ? new Error(error.message, { cause: error }) : error;
  }
}
