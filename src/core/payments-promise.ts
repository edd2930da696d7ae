/** What came with a result. */
export interface ResponseMeta {
  /** HTTP status. */
  readonly status: number;
  /** Headers of the answer; none where `replayed`. */
  readonly headers: Headers;
  /** The service's own name for the request, where a header carries one. */
  readonly requestId: string | undefined;
  /** Milliseconds from the call to the result, retries included. */
  readonly durationMs: number;
  /** Whether the result came from a store instead of from the service. */
  readonly replayed: boolean;
}

/** A result, and what came with it. */
export interface WithResponse<Data> {
  /** The result. */
  readonly data: Data;
  /** Status, headers and duration of the answer. */
  readonly response: ResponseMeta;
}

/** A promise of a result that also knows the answer which carried it. */
export interface PaymentsPromise<Data> extends Promise<Data> {
  /** The result together with status, headers, request id and duration of its answer. */
  withResponse(): Promise<WithResponse<Data>>;
}

/**
 * Promises the result of what a call gives. A promise of the platform's own, made by async functions, and awaited by one
 * at a time: through any other the stack of an error would not lead to the caller.
 */
export function promiseOf<Data>(full: Promise<WithResponse<Data>>): PaymentsPromise<Data> {
  const result = resultOf(full);
  const withResponse = async () => ({ data: await result, response: (await full).response });
  return Object.assign(result, { withResponse });
}

async function resultOf<Data>(full: Promise<WithResponse<Data>>): Promise<Data> {
  return (await full).data;
}
