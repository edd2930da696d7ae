/** What is to be sent. */
export interface DirectRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** Hears how far a request got. */
export interface Progress {
  /** From now on a byte of the request may be on its way. Until then a failure proves that none is. */
  readonly onLeaving: () => void;
  /** The head of the answer is there. */
  readonly onHead: () => void;
}
