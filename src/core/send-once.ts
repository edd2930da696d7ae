import { type Answer, readAnswer } from "./answer.ts";
import type { FetchLike } from "./connection.ts";
import { DirectlyReadAnswer } from "./direct-answer.ts";
import { type DirectRequest, directSendOf, type Progress } from "./direct-transport.ts";
import { isPaymentsError } from "./errors/payments-error.ts";

/** One request and its whole answer. */
export async function sendOnce(
  fetch: FetchLike | undefined,
  url: string,
  request: DirectRequest,
  signal: AbortSignal,
  progress: Progress,
): Promise<Answer> {
  const direct = directSendOf(fetch);
  if (direct !== undefined) return new DirectlyReadAnswer(await direct(url, request, signal, progress));
  const { method, headers, body } = request;
  const init: RequestInit = { method, headers, redirect: "manual", signal };
  if (body !== undefined) init.body = body;
  progress.onLeaving();
  try {
    const response = await (fetch ?? globalThis.fetch)(url, init);
    progress.onHead();
    return await readAnswer(response, fetch === undefined);
  } catch (error) {
    // Where a caller's `fetch` uses this package too, the outcome of that call is not the outcome of this one.
    throw isPaymentsError(error) ? new Error(error.message, { cause: error }) : error;
  }
}
