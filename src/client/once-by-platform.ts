import { isNodesFetch } from "../core/platform-fetch.ts";

/**
 * What a `fetch` needs in order to send a body once. Workers do so by themselves.
 *
 * - Deno sends a request again whose connection ended before an answer came, though the service may have read it. It
 *   cannot do so with a stream, which can be read once: whoever's `fetch` it is, it calls Deno's.
 * - Bun did the same on a connection that it had kept, at least up to 1.3.12, so that a create gets one of its own there.
 * - undici, which is the `fetch` of Node and of edge-runtime, sends a request again that was answered 421. A tool in the
 *   place of Node's `fetch` gets a text, because it may look at it: that of Next.js names what it caches by the body.
 */
export function onceByPlatform(init: RequestInit, body: string, fetch: object): void {
  const { Bun, Deno, EdgeRuntime } = globalThis as Runtimes;
  const isUndici = isNodesFetch(fetch) || (EdgeRuntime === "edge-runtime" && !("__nextPatched" in fetch));
  init.body = body;
  if (Deno !== undefined) readOnce(init, new Blob([body]).stream());
  else if (isUndici) {
    const bytes = bytesOf(body);
    readOnce(init, new OneReading(bytes));
    Object.assign(init.headers as object, { "content-length": String(bytes.length) });
  } else if (OLD_BUN.test(String(Bun?.version))) init.keepalive = false;
}

function readOnce(init: RequestInit, body: object): void {
  Object.assign(init, { body, duplex: "half" });
}

/** A Buffer where there are some: undici would copy anything else into one. */
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

const OLD_BUN = /^(?:0|1\.[0-3])\./;

/** Bytes that can be read once, in one piece: cheaper than a stream. */
class OneReading implements AsyncIterableIterator<Uint8Array, undefined> {
  #bytes: Uint8Array | undefined;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<Uint8Array, undefined>> {
    const value = this.#bytes;
    this.#bytes = undefined;
    return value === undefined ? END : Promise.resolve({ done: false, value });
  }
}

const END = Promise.resolve({ done: true, value: undefined } as const);
