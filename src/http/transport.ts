import type { RequestProgress } from "./request-progress.ts";

/** Maximum bytes of a response body. A longer one is not read to its end. */
export const RESPONSE_MAX_BYTES = 5_000_000;

/** The part of `fetch` that the SDK uses; it is always called with a URL and an init. */
export type FetchLike = (url: string, init: RequestInit) => Promise<Response>;

/** What a transport sends. */
export interface TransportRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** What a transport received, read to its end, to `RESPONSE_MAX_BYTES` or to a failure. */
export interface TransportResponse {
  readonly status: number;
  /** Creates the headers. Called on first use, because few calls need them. */
  readonly headers: () => Headers;
  readonly text: string;
  /** Whether the body was cut off because it was too long. */
  readonly isCut: boolean;
  /** Why the rest of the body is missing, if its connection failed or the signal aborted. */
  readonly failure: unknown;
  /** Closes the connection of the response, so that no other request is sent on it. */
  readonly closeConnection: () => void;
}

/**
 * Sends a request once and reads the whole response. Calls `progress.beginSending()` right before the first byte is
 * written. As soon as `signal` aborts, it sends nothing more, and rejects with the signal's reason; or, after the
 * headers, resolves with the part of the body that was received.
 */
export type SendByTransport = (
  url: string,
  request: TransportRequest,
  signal: AbortSignal,
  progress: RequestProgress,
) => Promise<TransportResponse>;

/** Keyed by identity: only transports of this package are trusted to prove `not_sent`. */
const transports = new WeakMap<FetchLike, SendByTransport>();

/** Registers the function that sends for a transport of this package, without `Request` and `Response` objects. */
export function registerTransport(fetch: FetchLike, send: SendByTransport): void {
  transports.set(fetch, send);
}

export function findTransport(fetch: FetchLike): SendByTransport | undefined {
  return transports.get(fetch);
}
