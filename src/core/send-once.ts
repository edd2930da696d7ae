import { type Answer, readAnswer } from "./answer.ts";
import type { Carrier } from "./carrier.ts";
import type { FetchLike } from "./connection.ts";
import { DirectlyReadAnswer } from "./direct-answer.ts";
import { type DirectRequest, directSendOf } from "./direct-transport.ts";
import type { RequestProgress } from "./request-progress.ts";

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
  progress: RequestProgress,
  once?: Carrier["once"],
): Promise<Answer> {
  const direct = directSendOf(fetch);
  if (direct !== undefined) return new DirectlyReadAnswer(await direct(url, request, signal, progress));
  const { method, headers, body } = request;
  const init: RequestInit = { method, headers, redirect: "manual", signal };
  const send = fetch ?? globalThis.fetch;
  let reportsItself = false;
  if (body !== undefined && once !== undefined) reportsItself = once(init, body, send, progress);
  else if (body !== undefined) init.body = body;
  if (!reportsItself) progress.beginSending();
  const response = await send(url, init);
  progress.receiveHeaders();
  return readAnswer(response, fetch === undefined);
}
