import { type Answer, readAnswer } from "./answer.ts";
import type { Carrier } from "./carrier.ts";
import type { FetchLike } from "./connection.ts";
import { DirectlyReadAnswer } from "./direct-answer.ts";
import { type DirectRequest, directSendOf, type Progress } from "./direct-transport.ts";
import { isPaymentsError } from "./errors/payments-error.ts";

/**
 * One request and its whole answer.
 *
 * @param once - Puts the body into the init in place of this; see {@link Carrier}.
 */
export async function sendOnce(
  fetch: FetchLike | undefined,
  url: string,
  request: DirectRequest,
  signal: AbortSignal,
  progress: Progress,
  once?: Carrier["once"],
): Promise<Answer> {
  const direct = directSendOf(fetch);
  if (direct !== undefined) return new DirectlyReadAnswer(await direct(url, request, signal, progress));
  const { method, headers, body } = request;
  const init: RequestInit = { method, headers, redirect: "manual", signal };
  const send = fetch ?? globalThis.fetch;
  if (body !== undefined && once !== undefined) once(init, body, send);
  else if (body !== undefined) init.body = body;
  progress.onLeaving();
  try {
    const response = await send(url, init);
    progress.onHead();
    return await readAnswer(response, fetch === undefined);
  } catch (error) {
    // Where a caller's `fetch` uses this package too, the outcome of that call is not the outcome of this one.
    throw isPaymentsError(error) ? new Error(error.message, { cause: error }) : error;
  }
}
