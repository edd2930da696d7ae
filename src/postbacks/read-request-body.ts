import { withTimeout } from "../http/timers.ts";
import { type BodyLimits, brokenOff, tooLarge, tooSlow } from "./unreadable-body.ts";

/**
 * The body of a `Request`, read no further than the limits allow.
 *
 * @throws {UnreadableBody}
 */
export async function readRequestBody(
  request: Request,
  { maxBytes, timeout }: BodyLimits,
): Promise<Uint8Array> {
  if (Number(request.headers.get("content-length")) > maxBytes) throw tooLarge(maxBytes);
  const { body } = request; // not before: some servers begin to read where it is touched
  if (body === null) return new Uint8Array();
  const reader = body.getReader();
  const deadline = { ms: timeout, late: () => tooSlow(timeout) };
  try {
    return await withTimeout(deadline, () => readAll(reader, maxBytes));
  } catch (error) {
    // Nobody waits for it: the sender may never notice.
    reader.cancel().catch(() => undefined);
    throw error;
  }
}

async function readAll(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  while (true) {
    const { done, value } = await reader.read().catch(() => {
      throw brokenOff();
    });
    if (done) return joined(chunks, size);
    size += value.byteLength;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(value);
  }
}

/** The bytes of all chunks, one after the other. */
export function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}
