/** The part of `fetch` that the SDK uses; it is always called with a URL and an init. */
export type FetchLike = (url: string, init: RequestInit) => Promise<Response>;

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

/**
 * How far the request of a call got: the proof behind `not_sent`. A transport has to ask here before it writes the
 * first byte, and is refused once the request was withdrawn. So a request that was withdrawn in time was not sent, and
 * never will be, whatever the transport does afterwards.
 */
export class RequestProgress {
  readonly #lastCheck: (() => void) | undefined;
  #stage: "waiting" | "sent" | "withdrawn" = "waiting";
  /** Whether the headers of a response were received, at this attempt or an earlier one. */
  headersReceived = false;
  /** What the last check threw: a transport may have wrapped it. */
  refusal: unknown;

  /** @param lastCheck - Throws if the request may not be sent any more. It runs at the moment of sending. */
  constructor(lastCheck?: () => void) {
    this.#lastCheck = lastCheck;
  }

  /**
   * To be called right before the first byte is written. From then on a failure proves nothing.
   *
   * @throws if the request was withdrawn, or the last check refuses it: nothing may be written then.
   */
  beginSending(): void {
    if (this.#stage === "withdrawn") throw new Error("withdrawn");
    try {
      if (this.#stage === "waiting") this.#lastCheck?.();
    } catch (error) {
      this.#stage = "withdrawn";
      this.refusal = error;
      throw error;
    }
    this.#stage = "sent";
  }

  /** A response proves that a request was sent, also if nobody said so before. */
  receiveHeaders(): void {
    this.#stage = "sent";
    this.headersReceived = true;
  }

  /** Forbids to send the request from now on. Returns whether nothing of it was sent. */
  withdraw(): boolean {
    if (this.#stage === "waiting") this.#stage = "withdrawn";
    return this.#stage === "withdrawn";
  }
}
