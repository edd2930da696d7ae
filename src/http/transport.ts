import type { Deadline } from "./timers.ts";

/** The part of `fetch` that the SDK uses; it is always called with a URL and an init. */
export type FetchLike = (url: string, init: RequestInit) => Promise<Response>;

/** What a transport sends. */
export interface TransportRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** What a transport received, read to its end or to `RESPONSE_MAX_BYTES`. */
export interface TransportResponse {
  readonly status: number;
  /** Names and values in turn, as received. */
  readonly rawHeaders: readonly string[];
  readonly text: string;
  /** Whether the body was cut off because it was too long. */
  readonly cut: boolean;
  /** Closes the connection of the response, so that no other request is sent on it. */
  readonly closeConnection: () => void;
}

/**
 * Sends a request once and reads the whole response. Calls `progress.beginSending()` right before the first byte is
 * written. Rejects as soon as `signal` aborts, with its reason, and then sends nothing more.
 */
export type SendByTransport = (
  url: string,
  request: TransportRequest,
  signal: AbortSignal,
  progress: RequestProgress,
) => Promise<TransportResponse>;

/** By identity, so that no other `fetch` can claim that its proofs count. */
const transports = new WeakMap<FetchLike, SendByTransport>();

/** Registers how to send by a `fetch` that is a transport of this package, without the objects of `fetch`. */
export function registerTransport(fetch: FetchLike, send: SendByTransport): void {
  transports.set(fetch, send);
}

export function findTransport(fetch: FetchLike | undefined): SendByTransport | undefined {
  return fetch && transports.get(fetch);
}

/**
 * How far the request of a call got: the proof of `not_sent`. A transport asks here before it writes the first byte,
 * and is refused once the request is withdrawn. So a request that was withdrawn in time was not sent, and never will
 * be, whatever the transport does afterwards.
 */
export class RequestProgress {
  /** When the request may no longer be sent. It is checked at the moment of sending. */
  sendBefore: Deadline | undefined;
  /** Whether the request was withdrawn because {@link sendBefore} was over. */
  isTooLate = false;
  /** Whether the headers of a response were received, in this attempt or an earlier one. */
  headersReceived = false;
  #stage: "waiting" | "sent" | "withdrawn" = "waiting";

  /**
   * Must be called right before the first byte is written. From then on a failure proves nothing.
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
