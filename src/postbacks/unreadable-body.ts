/** A body that is not read to its end. */
export class UnreadableBody extends Error {
  /** The HTTP status that says so. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export const tooLarge = (maxBytes: number) =>
  new UnreadableBody(413, `the body has more than ${maxBytes} bytes`);
export const tooSlow = (timeout: number) =>
  new UnreadableBody(408, `the body did not come within ${timeout} ms`);
export const brokenOff = () => new UnreadableBody(400, "the body broke off");

/** What a body may cost. */
export interface BodyLimits {
  readonly maxBytes: number;
  /** Milliseconds. */
  readonly timeout: number;
}
