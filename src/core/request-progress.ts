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
