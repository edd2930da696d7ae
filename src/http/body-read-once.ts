import type { RequestProgress } from "./transport.ts";

/**
 * Puts the body of a create into an init in the form in which a `fetch` sends it no more than once. Workers do so by
 * themselves.
 *
 * - Deno sends a request again whose connection ended before an answer came, though the service may have read it. It
 *   cannot do so with a stream, which can be read once: whatever `fetch` it is, it calls Deno's.
 * - Bun did the same on a connection that it had kept, at least up to 1.3.12, so that a create gets one of its own there.
 *   Newer ones get what can be read once.
 * - undici, which is the `fetch` of Node and of edge-runtime, sends a request again that was answered 421. A tool in the
 *   place of Node's `fetch` gets a text, because it may look at it: that of Next.js names what it caches by the body.
 *
 * A body that can be read once also proves `not_sent`: as long as it has not been read, no byte of it was sent, through
 * whatever dispatcher, proxy or TLS handshake the request goes.
 *
 * @returns whether the body asks `progress` when it is read.
 */
export function onceByPlatform(
  init: RequestInit,
  body: string,
  fetch: object,
  progress: RequestProgress,
): boolean {
  const { Bun, Deno, EdgeRuntime } = globalThis as Runtimes;
  if (Deno !== undefined) {
    Object.assign(init, { body: streamOf(body, progress), duplex: "half" });
    return true;
  }
  const isOldBun = OLD_BUN.test(String(Bun?.version));
  const isBuns = Bun !== undefined && !isOldBun && NATIVE_FETCH.test(String(fetch));
  const isUndici = isNodesFetch(fetch) || (EdgeRuntime === "edge-runtime" && !("__nextPatched" in fetch));
  if (isUndici || isBuns) {
    const bytes = bytesOf(body);
    Object.assign(init, { body: new BodyReadOnce(bytes, progress), duplex: "half" });
    Object.assign(init.headers as object, { "content-length": String(bytes.length) });
    return true;
  }
  init.body = body;
  if (isOldBun) init.keepalive = false;
  return false;
}

/** A Buffer if there are any: undici would copy anything else into one. */
function bytesOf(text: string): Uint8Array {
  const { Buffer } = globalThis as Runtimes;
  return Buffer === undefined ? new TextEncoder().encode(text) : Buffer.from(text);
}

interface Runtimes {
  readonly Buffer?: { from(text: string): Uint8Array };
  readonly Bun?: { readonly version?: string };
  readonly Deno?: object;
  readonly EdgeRuntime?: string;
}

/** Whether a function is the `fetch` that Node brings: its source names what it calls, that of a tool does not. */
function isNodesFetch(fetch: unknown): boolean {
  return String(fetch).includes("internal/deps/undici");
}

/** What Bun's own `fetch` looks like; a function of a tool is not native, and a bound one has no name. */
const NATIVE_FETCH = /^function fetch\(\) \{\s*\[native code\]\s*\}$/;

const OLD_BUN = /^(?:0|1\.[0-3])\./;

/** A stream that is not read ahead. */
function streamOf(text: string, progress: RequestProgress): ReadableStream<Uint8Array> {
  const body = new BodyReadOnce(bytesOf(text), progress);
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value } = await body.next();
        if (value === undefined) controller.close();
        else controller.enqueue(value);
      },
    },
    { highWaterMark: 0 },
  );
}

/** Bytes that can be read once, in one piece, and only while the request may still be sent. Cheaper than a stream. */
class BodyReadOnce implements AsyncIterableIterator<Uint8Array, undefined> {
  readonly #progress: RequestProgress;
  #bytes: Uint8Array | undefined;

  constructor(bytes: Uint8Array, progress: RequestProgress) {
    this.#bytes = bytes;
    this.#progress = progress;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<Uint8Array, undefined>> {
    const value = this.#bytes;
    if (value === undefined) return END;
    this.#bytes = undefined;
    try {
      this.#progress.beginSending();
    } catch (error) {
      return Promise.reject(error);
    }
    return Promise.resolve({ done: false, value });
  }

  /** Node 26.6 and newer call it if the request ends early, and end the process if it is missing. */
  return(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.#bytes = undefined;
    return END;
  }
}

const END = Promise.resolve({ done: true, value: undefined } as const);
