import type { DeliveryAttempt, PostbackBody } from "./postback-delivery.ts";
import type { PostbackSettings } from "./postback-options.ts";

const RESPONSE_MAX_CHARACTERS = 1_000;

/** Posts a body; never rejects. A redirect is not followed. */
export async function sendPostback(
  url: string,
  body: PostbackBody,
  { fetch, timeoutMs }: Pick<PostbackSettings, "fetch" | "timeoutMs">,
  stopping: AbortSignal,
): Promise<Omit<DeliveryAttempt, "at">> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = AbortSignal.any([timeout, stopping]);
  try {
    signal.throwIfAborted();
    const response = await unlessAborted(
      signal,
      fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
        redirect: "manual",
        signal,
      }),
    );
    return { status: response.status, body: await readStart(response, signal) };
  } catch (error) {
    if (stopping.aborted) return { error: "the gateway was closed" };
    return { error: timeout.aborted ? `no response within ${timeoutMs} ms` : describeError(error) };
  }
}

/**
 * Reads only the part of a response that is kept, because the response may be endless. If it is cut off, it still
 * counts as a response, because its status was received.
 */
async function readStart({ body }: Response, signal: AbortSignal): Promise<string> {
  let text = "";
  try {
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    while (reader && text.length < RESPONSE_MAX_CHARACTERS) {
      const { done, value } = await unlessAborted(signal, reader.read());
      if (done) return text;
      text += value;
    }
    void reader?.cancel().catch(() => {}); // not awaited: it may never settle
  } catch {
    // Keep the text that was received.
  }
  return text.slice(0, RESPONSE_MAX_CHARACTERS);
}

/**
 * Rejects when the signal is aborted, because a custom `fetch` may ignore it. The listener is removed: Deno keeps a
 * process alive while a timeout signal has listeners.
 */
function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

/** The error of `fetch` only states that it failed; the reason is in its cause. */
function describeError(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = (cause as { code?: unknown } | undefined)?.code;
  if (typeof code === "string") return code;
  return cause instanceof Error ? cause.message : String(cause);
}
