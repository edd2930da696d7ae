import { INSPECT } from "../data/own-properties.ts";
import { REDACTED } from "../data/redactor.ts";

/** The response of a call, apart from its data. */
export interface ResponseMeta {
  /** HTTP status. */
  readonly status: number;
  /** Headers of the response; empty if `replayed`. */
  readonly headers: Headers;
  /** The service's own id of the request, if a header has one. */
  readonly requestId: string | undefined;
  /** Milliseconds from the call to the result, retries included. */
  readonly durationMs: number;
  /** Whether the result comes from a store instead of the service. */
  readonly replayed: boolean;
}

/** A result and its response. */
export interface WithResponse<Data> {
  /** The result. */
  readonly data: Data;
  /** Status, headers and duration of the response. */
  readonly response: ResponseMeta;
}

/** A promise of a result that can also return the response. */
export interface PaymentsPromise<Data> extends Promise<Data> {
  /** The result together with status, headers, request id and duration of its response. */
  withResponse(): Promise<WithResponse<Data>>;
}

/** Chains native async functions only. Through anything else the stack of an error would not lead to the caller. */
export function toPaymentsPromise<Data>(full: Promise<WithResponse<Data>>): PaymentsPromise<Data> {
  const result = (async () => (await full).data)();
  const withResponse = async () => ({ data: await result, response: (await full).response });
  return Object.assign(result, { withResponse });
}

type Show = (value: unknown, options: object) => string;

/** The function that Node calls to show a value: here the copy of a result that `hide` returns. */
export function inspectAs<Result extends object>(hide: (result: Result) => object) {
  return function (this: object, _depth: number, options: object, show: Show): string {
    return show(hide(this as Result), options);
  };
}

// The annotation lets a bundler drop it: a buyer's page has no such results.
const inspectWithoutPostbackUrl = /* @__PURE__ */ inspectAs((result) =>
  "postBackUrl" in result ? { ...result, postBackUrl: REDACTED } : { ...result },
);

/**
 * Adds the received body as `raw`. It is not enumerable, so JSON and spread copies do not contain it. `util.inspect`
 * shows neither `raw` nor the postback URL, which is a credential if it is signed.
 */
export function attachRawBody<Result extends object>(
  result: Result,
  raw: unknown,
  inspect = inspectWithoutPostbackUrl,
): Result & { readonly raw: unknown } {
  Object.defineProperty(result, "raw", { value: raw });
  Object.defineProperty(result, INSPECT, { value: inspect });
  return result as Result & { readonly raw: unknown };
}
