import type { Deadline } from "./timers.ts";

/** Maximum bytes of a response body. A longer one is not read to its end. */
export const RESPONSE_MAX_BYTES = 5_000_000;

/** The part of `fetch` that the SDK uses; it is always called with a URL and an init. */
export type FetchLike = (url: string, init: RequestInit) => Promise<Response>;

export interface TransportRequest {
  readonly method: string;
  /** By name, in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
}

/** What was received, read to its end, to `RESPONSE_MAX_BYTES` or to a failure. */
export interface ReceivedResponse {
  /** 0 if a browser hides the status of a redirect. */
  readonly status: number;
  /** A transport of this package creates them on first use, because few calls need them. */
  readonly headers: Headers | (() => Headers);
  readonly text: string;
  /** Whether the rest of the body is missing because it was too long. */
  readonly isTruncated: boolean;
  /** Why the rest of the body is missing, if its connection failed or the signal aborted. */
  readonly failure: unknown;
  /** Whether a custom `fetch` followed a redirect. */
  readonly isRedirected: boolean;
  /** Closes the connection, so that no other request is sent on it. Only a transport of this package can. */
  readonly closeConnection: (() => void) | undefined;
}

/**
 * How far the request of a call got: the proof of `not_sent`. A transport asks here before it writes the order, and is
 * refused once the request is withdrawn, so that it is never sent, whatever the transport does afterwards.
 */
export class RequestProgress {
  /** When the request may no longer be sent. It is checked at the moment of sending. */
  sendBefore: Deadline | undefined;
  /** Whether it was withdrawn because {@link sendBefore} was over. */
  isTooLate = false;
  /** Whether the headers of a response were received, in this attempt or an earlier one. */
  headersReceived = false;
  #stage: "waiting" | "sent" | "withdrawn" = "waiting";

  /**
   * Must be called before anything is written that the service could act on. From then on a failure proves nothing.
   *
   * @throws if the request was withdrawn or is too late: nothing may be written then.
   */
  beginSending(): void {
    if (this.#stage === "waiting" && this.sendBefore?.isOver === true) {
      this.isTooLate = true;
      this.#stage = "withdrawn";
    }
    if (this.#stage === "withdrawn") throw new Error("The request was withdrawn.");
    this.#stage = "sent";
  }

  /** A response proves that the request was sent, even if the transport did not report it. */
  receiveHeaders(): void {
    this.#stage = "sent";
    this.headersReceived = true;
  }

  /** Forbids sending the request from now on. Returns whether nothing of it was sent. */
  withdraw(): boolean {
    if (this.#stage === "waiting") this.#stage = "withdrawn";
    return this.#stage === "withdrawn";
  }
}

/**
 * Sends a request once and reads the response. Calls `progress.beginSending()` right before the first byte is written.
 * When `signal` aborts, it sends nothing more and rejects, or, after the headers, resolves with the part of the body.
 */
export type SendByTransport = (
  url: string,
  request: TransportRequest,
  signal: AbortSignal,
  progress: RequestProgress,
) => Promise<ReceivedResponse>;

export interface Transport {
  readonly send: SendByTransport;
  /** Why no request may be sent to a URL; `undefined` if nothing is wrong. */
  readonly findProblem: (url: string) => string | undefined;
}

/**
 * The transports of this package, by their `fetch`. They send without `Request` and `Response` objects. By identity: no
 * other `fetch` is trusted to prove `not_sent`.
 */
export const transports = new WeakMap<FetchLike, Transport>();
