import { INSPECT } from "../data/own.ts";
import { REDACTED } from "../data/redactor.ts";

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

type Show = (value: unknown, options: object) => string;

/** Shows a result as a copy of it from which something was taken away. */
type Inspector = (this: object, depth: number, options: object, show: Show) => string;

/** An inspector that shows what `hide` makes of a result. */
export function inspectorOf<Result extends object>(hide: (result: Result) => object): Inspector {
  return function (this: object, _depth, options, show) {
    return show(hide(this as Result), options);
  };
}

const withoutPostbackUrl = inspectorOf((result) =>
  "postBackUrl" in result ? { ...result, postBackUrl: REDACTED } : { ...result },
);

/**
 * Adds the body as it came to a result, out of sight: neither JSON nor a copy made by spreading has it,
 * and `util.inspect` shows neither it nor what `inspector` takes away: a postback URL may be signed, and is then
 * a credential.
 */
export function attachRawBody<Result extends object>(
  result: Result,
  raw: unknown,
  inspector: Inspector = withoutPostbackUrl,
): Result & { readonly raw: unknown } {
  Object.defineProperty(result, "raw", { value: raw });
  Object.defineProperty(result, INSPECT, { value: inspector });
  return result as Result & { readonly raw: unknown };
}
