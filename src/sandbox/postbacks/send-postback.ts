import type { DeliveryAttempt, PostbackBody } from "./delivery.ts";
import type { PostbackSettings } from "./postback-options.ts";

/** What is kept of a receiver's answer. */
const ANSWER_MAX_CHARACTERS = 1_000;

/** Posts a body over HTTP; never rejects. A redirect is an answer, and not followed. */
export async function sendPostback(
  url: string,
  body: PostbackBody,
  { fetch, timeoutMs }: Pick<PostbackSettings, "fetch" | "timeoutMs">,
  stopping: AbortSignal,
): Promise<Omit<DeliveryAttempt, "at">> {
  const late = AbortSignal.timeout(timeoutMs);
  const over = AbortSignal.any([late, stopping]);
  try {
    over.throwIfAborted();
    const response = await unlessOver(
      over,
      fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
        redirect: "manual",
        signal: over,
      }),
    );
    return { status: response.status, body: await startOf(response, over) };
  } catch (error) {
    if (stopping.aborted) return { error: "the gateway was closed" };
    return { error: late.aborted ? `no answer within ${timeoutMs} ms` : reasonOf(error) };
  }
}

/**
 * The text of an answer, read no further than is kept: it may have no end. One that breaks off is an
 * answer all the same, since its status came.
 */
async function startOf({ body }: Response, over: AbortSignal): Promise<string> {
  let text = "";
  try {
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    while (reader && text.length < ANSWER_MAX_CHARACTERS) {
      const { done, value } = await unlessOver(over, reader.read());
      if (done) return text;
      text += value;
    }
    void reader?.cancel().catch(() => {}); // nobody waits for it
  } catch {
    // What came of it is all there is.
  }
  return text.slice(0, ANSWER_MAX_CHARACTERS);
}

/**
 * The `fetch` of an option may not heed its signal. Deno keeps a process alive for as long as somebody listens to a
 * signal that has a time.
 */
function unlessOver<T>(over: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const onOver = () => reject(over.reason);
    over.addEventListener("abort", onOver, { once: true });
    work.then(resolve, reject).finally(() => over.removeEventListener("abort", onOver));
  });
}

/** `fetch` itself says no more than that it failed; what was wrong is in its cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = (cause as { code?: unknown } | undefined)?.code;
  if (typeof code === "string") return code;
  return cause instanceof Error ? cause.message : String(cause);
}
