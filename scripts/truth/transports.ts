import type { FetchLike } from "payments-sdk";
import { nodeTransport } from "payments-sdk/node";
import { SELF_SIGNED } from "../../test/support/http-server.ts";
import { ATTEMPT_HEADER } from "./oracle.ts";
import type { Protocol, Scenario } from "./scenarios.ts";

/** Transports that merchants may use. */

/** A custom `fetch`, or `undefined` for the platform's, and a function that releases it. */
export interface Transport {
  readonly fetch: FetchLike | undefined;
  close(): void;
}

/**
 * @param repeatOrigin - Origin to which a transport that repeats sends a request again.
 * @param foreign - Error of another call, for transports that throw one.
 */
export function transportOf(scenario: Scenario, repeatOrigin: string, foreign: Error): Transport {
  const fetch: FetchLike = (url, init) => globalThis.fetch(url, init);
  const toTransport = (custom: FetchLike | undefined, close: () => void = () => undefined) => ({
    fetch: custom,
    close,
  });
  switch (scenario.transport) {
    case "fetch":
    case "wrapped global fetch":
      return toTransport(undefined);
    case "nodeTransport": {
      const transport = nodeTransport({ maxSockets: scenario.sockets });
      return toTransport(transport, () => transport.close());
    }
    case "custom fetch":
      return toTransport(fetch);
    case "custom fetch that throws before sending":
      return toTransport(() => {
        throw foreign;
      });
    case "custom fetch that throws after the response":
      return toTransport(async (url, init) => {
        await fetch(url, init);
        throw foreign;
      });
    case "custom fetch that repeats":
      return toTransport(repeating(fetch, repeatOrigin));
    case "global fetch that repeats once": {
      const original = globalThis.fetch;
      const restore = () => {
        globalThis.fetch = original;
      };
      const sendAndRepeat = repeating((url, init) => original(url, init), repeatOrigin, restore);
      globalThis.fetch = (url, init = {}) => sendAndRepeat(String(url), init);
      return toTransport(undefined, restore);
    }
  }
}

/** Repeats a request after a failure and after a 5xx. */
function repeating(
  fetch: FetchLike,
  repeatOrigin: string,
  beforeRepeat: () => void = () => undefined,
): FetchLike {
  return async (url, init) => {
    const body = await new Response(init.body).text();
    const again = () => {
      beforeRepeat();
      return fetch(url.replace(/^https?:\/\/[^/]+/, repeatOrigin), { ...init, body });
    };
    const response = await fetch(url, { ...init, body }).catch((error: unknown) => {
      if (init.signal?.aborted) throw error;
      return again();
    });
    return response.status >= 500 ? again() : response;
  };
}

// The dispatcher of undici, which Node's fetch uses. Its types are not part of Node's.
type Handler = Record<string, unknown>;
interface DispatchOptions {
  readonly origin: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array> | Uint8Array | string | null;
}
type Dispatch = (options: DispatchOptions, handler: Handler) => boolean;
interface Dispatcher {
  dispatch(options: DispatchOptions, handler: Handler): boolean;
  compose(interceptor: (dispatch: Dispatch) => Dispatch): Dispatcher;
}
type AgentClass = new (options: object) => Dispatcher;

const DISPATCHERS = [1, 2].map((version) => Symbol.for(`undici.globalDispatcher.${version}`));

/** Lets a tool wrap the platform's `fetch`, as dd-trace does. Returns a function that restores it. */
export function wrapFetch(): () => void {
  const original = globalThis.fetch;
  globalThis.fetch = (...request) => original(new Request(...request));
  return () => {
    globalThis.fetch = original;
  };
}

/**
 * Replaces the dispatcher of the platform's `fetch` with one that looks the same and repeats a request if the connection
 * fails; with one that speaks HTTP/2 to a service with {@link SELF_SIGNED}; or both. Returns a function that restores it.
 *
 * @param repeatOriginOf - Origin for the second request of an attempt.
 */
export async function replaceDispatcher(
  kind: Scenario["dispatcher"],
  protocol: Protocol,
  repeatOriginOf: (attempt: string) => string,
): Promise<() => void> {
  await fetch("data:,"); // undici is loaded by its first use
  const originals = DISPATCHERS.map((name) => Reflect.get(globalThis, name) as Dispatcher | undefined);
  const original = originals[1] ?? originals[0];
  if (original === undefined) throw new Error("This runtime has no dispatcher of undici.");
  const Platforms = original.constructor as AgentClass;

  const isHttp2 = protocol === "HTTP/2";
  const options = isHttp2 ? { allowH2: true, connect: { ca: SELF_SIGNED.cert } } : {};
  const plain = isHttp2 ? new Platforms(options) : original;

  const repeatOnFailure =
    (dispatch: Dispatch): Dispatch =>
    (options, handler) => {
      sendAndRepeat(dispatch, options, handler, repeatOriginOf).catch((error: unknown) => {
        queueMicrotask(() => {
          throw error;
        });
      });
      return true;
    };
  class Agent extends Platforms {
    override dispatch(options: DispatchOptions, handler: Handler): boolean {
      return repeatOnFailure((...request) => super.dispatch(...request))(options, handler);
    }
  }
  const create = {
    default: () => plain,
    subclass: () => new Agent(options),
    factory: () => new Platforms({ factory: () => new Agent(options) }),
    composed: () => new Platforms(options).compose(repeatOnFailure),
    patched: () => Object.assign(plain, { dispatch: repeatOnFailure(plain.dispatch.bind(plain)) }),
  };
  const replacement = create[kind]();
  for (const [index, name] of DISPATCHERS.entries()) {
    if (originals[index] !== undefined) Reflect.set(globalThis, name, replacement);
  }
  return () => {
    if (kind === "patched") Reflect.deleteProperty(plain, "dispatch");
    for (const [index, name] of DISPATCHERS.entries()) {
      if (originals[index] !== undefined) Reflect.set(globalThis, name, originals[index]);
    }
  };
}

async function sendAndRepeat(
  dispatch: Dispatch,
  options: DispatchOptions,
  handler: Handler,
  repeatOriginOf: (attempt: string) => string,
): Promise<void> {
  const body = options.body === null ? null : await new Response(options.body as BodyInit).text();
  const attempt = options.headers[ATTEMPT_HEADER];
  if (attempt === undefined) {
    dispatch({ ...options, body }, handler); // not a call of a scenario
    return;
  }
  const origin = repeatOriginOf(attempt);
  const again = () => dispatch({ ...options, origin, body }, handler);
  dispatch({ ...options, body }, repeatingHandler(handler, again));
}

/** A handler that repeats a request once, instead of reporting that the connection failed before a response. */
function repeatingHandler(handler: Handler, again: () => void): Handler {
  let isTooLate = false;
  return new Proxy(handler, {
    get(target, name) {
      const member = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return (...details: unknown[]) => {
        const isFailure = name === "onError" || name === "onResponseError";
        if (!isFailure || isTooLate || !details.some(isConnectionFailure)) {
          isTooLate ||= name === "onHeaders" || name === "onResponseStart";
          return member.apply(target, details);
        }
        isTooLate = true;
        again();
      };
    },
  });
}

/** An abort is not one: it must not be repeated. */
function isConnectionFailure(error: unknown): boolean {
  return error instanceof Error && (error.name === "SocketError" || "syscall" in error);
}
