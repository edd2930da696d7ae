/** What came with a result. */
export interface ResponseMeta {
  /** HTTP status. */
  readonly status: number;
  readonly headers: Headers;
  /** The service's own name for the request, where a header carries one. */
  readonly requestId: string | undefined;
  /** Milliseconds from the call to the result, retries included. */
  readonly durationMs: number;
  /** Whether the result came from a store instead of from the service. */
  readonly replayed: boolean;
}

export interface WithResponse<Data> {
  readonly data: Data;
  readonly response: ResponseMeta;
}

/** A promise of a result that also knows the answer which carried it. */
export class PaymentsPromise<Data> extends Promise<Data> {
  // `then` gives plain promises: a derived value has no answer of its own.
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  readonly #full: Promise<WithResponse<Data>>;

  constructor(full: Promise<WithResponse<Data>>) {
    super((resolve, reject) => {
      full.then(({ data }) => resolve(data), reject);
    });
    this.#full = full;
  }

  /** The result together with status, headers, request id and duration of its answer. */
  withResponse(): Promise<WithResponse<Data>> {
    // Whoever takes this one handles its rejection; the other would count as unhandled.
    this.catch(() => undefined);
    return this.#full.then(({ data, response }) => ({ data, response }));
  }
}
