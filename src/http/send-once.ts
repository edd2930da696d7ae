import type { Carrier } from "./platform.ts";
import { type Answer, DirectlyReadAnswer, readAnswer } from "./response.ts";
import type { FetchLike, RequestProgress } from "./transport.ts";
import { type DirectRequest, directSendOf } from "./transport.ts";

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
