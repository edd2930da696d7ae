import type { Deadline } from "./timers.ts";

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
