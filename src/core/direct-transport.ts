import type { FetchLike } from "./connection.ts";
import type { RequestProgress } from "./request-progress.ts";

/** What a transport of ours is to send. */
export interface DirectRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** What came back, read to its end or to `ANSWER_MAX_BYTES`. */
export interface DirectAnswer {
  readonly status: number;
  /** Names and values in turn, as they came. */
  readonly rawHeaders: readonly string[];
  readonly text: string;
  /** Whether the body was cut off because it was too long. */
  readonly cut: boolean;
  /** Closes the connection that it came on, so that no other request is sent on it. */
  readonly closeConnection: () => void;
}

/**
 * Sends a request once and reads the whole answer. Asks `progress` right before the first byte is written. Rejects as
 * soon as `signal` aborts, with its reason, and then sends nothing more.
 */
export type DirectSend = (
  url: string,
  request: DirectRequest,
  signal: AbortSignal,
  progress: RequestProgress,
) => Promise<DirectAnswer>;

/** By identity, so that nobody else can say of a `fetch` that its proofs count. */
const sends = new WeakMap<FetchLike, DirectSend>();

/** Tells that a `fetch` is a transport of ours, and how to send by it without the objects that `fetch` deals in. */
export function offerDirectSend(fetch: FetchLike, send: DirectSend): void {
  sends.set(fetch, send);
}

export function directSendOf(fetch: FetchLike | undefined): DirectSend | undefined {
  return fetch && sends.get(fetch);
}
