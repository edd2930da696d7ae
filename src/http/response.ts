import { hasTooManyValues } from "../data/json.ts";
import { isRecord, ownProperty } from "../data/own-properties.ts";
import type { Redactor } from "../data/redactor.ts";
import type { ErrorResponse } from "../errors/api-errors.ts";
import { LONGEST_TIMER_MS } from "./timers.ts";
import { RESPONSE_MAX_BYTES, type TransportResponse } from "./transport.ts";

/** Headers in which gateways send a request id, the most common first. The specification shows none. */
const REQUEST_ID_HEADERS = ["x-request-id", "request-id", "x-correlation-id", "cf-ray"] as const;

/** Maximum characters of a response body that an error keeps. */
const ERROR_BODY_MAX_CHARS = 65_536;

interface Parts extends Omit<TransportResponse, "headers" | "closeConnection"> {
  readonly headers: Headers | TransportResponse["headers"];
  readonly isRedirected: boolean;
  readonly closeConnection?: TransportResponse["closeConnection"];
}

/** A response whose body was read. See {@link TransportResponse} for its fields. */
export class RawResponse {
  /** 0 if a browser hides the status of a redirect. */
  readonly status: number;
  readonly isOk: boolean;
  readonly text: string;
  readonly isTruncated: boolean;
  readonly failure: unknown;
  /** Whether a custom `fetch` followed a redirect. */
  readonly isRedirected: boolean;
  /** Missing, unless a transport of this package sent the request. */
  readonly closeConnection: Parts["closeConnection"];
  #headers: Parts["headers"];

  constructor(parts: Parts) {
    this.status = parts.status;
    this.isOk = parts.status >= 200 && parts.status <= 299;
    this.text = parts.text;
    this.isTruncated = parts.isTruncated;
    this.failure = parts.failure;
    this.isRedirected = parts.isRedirected;
    this.closeConnection = parts.closeConnection;
    this.#headers = parts.headers;
  }

  get headers(): Headers {
    if (typeof this.#headers === "function") this.#headers = this.#headers();
    return this.#headers;
  }

  /** The service's own id of the request, if a header has one. */
  get requestId(): string | undefined {
    const name = REQUEST_ID_HEADERS.find((known) => this.headers.has(known));
    return name && (this.headers.get(name) ?? undefined);
  }

  toErrorResponse(redactor: Redactor): ErrorResponse {
    const { requestId } = this;
    return {
      status: this.status,
      headers: redactor.headers(this.headers),
      // Redacted with as much again behind it, so that no part of a secret remains at the edge.
      body: redactor.text(this.text.slice(0, 2 * ERROR_BODY_MAX_CHARS)).slice(0, ERROR_BODY_MAX_CHARS),
      requestId: requestId && redactor.text(requestId),
    };
  }
}

/** Reads the body of a response to its end, to the limit, until it fails or until `aborted` rejects. */
export async function readResponse(response: Response, aborted: Promise<never>): Promise<RawResponse> {
  const { status } = response;
  let text = "";
  let isTruncated = false;
  let failure: unknown;
  // The body of a custom `fetch` may not be a platform stream.
  const reader = response.body?.getReader?.();
  const cancel = async () => reader?.cancel();
  const read = async () => {
    if (reader === undefined) {
      const whole = await response.text();
      text = whole.slice(0, RESPONSE_MAX_BYTES);
      isTruncated = text !== whole;
      return;
    }
    const decoder = new TextDecoder();
    for (let bytes = 0; ; ) {
      const { done, value } = await reader.read();
      const left = RESPONSE_MAX_BYTES - bytes;
      bytes += value?.byteLength ?? 0;
      isTruncated = bytes > RESPONSE_MAX_BYTES;
      text += decoder.decode(isTruncated ? value?.subarray(0, left) : value, { stream: !done });
      if (isTruncated) cancel().catch(() => undefined);
      if (done || isTruncated) return;
    }
  };
  try {
    await Promise.race([aborted, read()]);
  } catch (error) {
    failure = error ?? new Error();
    cancel().catch(() => undefined); // a custom `fetch` may ignore its signal
  }
  let { headers } = response;
  if (!(headers instanceof Headers)) {
    // Those of a custom `fetch`. If they cannot be copied, the response is kept without them.
    try {
      headers = new Headers(headers);
    } catch {
      headers = new Headers();
    }
  }
  const isRedirected = response.redirected === true;
  return new RawResponse({ status, headers, text, isTruncated, failure, isRedirected });
}

/** The parsed body of a response, and whether it has `success: false`; or why it cannot be used. */
export type ParsedBody =
  | { readonly ok: true; readonly value: unknown; readonly isFailure: boolean }
  | { readonly ok: false; readonly problem: string };

/** @param value - The body as JSON. */
export function parseBody({ text, isTruncated, failure }: RawResponse, value: unknown): ParsedBody {
  if (isTruncated) return { ok: false, problem: "the body is too long" };
  if (value !== undefined) {
    return { ok: true, value, isFailure: isRecord(value) && ownProperty(value, "success") === false };
  }
  if (failure !== undefined) return { ok: false, problem: "the body is cut off" };
  if (text.trim() === "") return { ok: false, problem: "the body is empty" };
  if (hasTooManyValues(text)) return { ok: false, problem: "the body has too many values" };
  return { ok: false, problem: `the body is ${/^\s*</.test(text) ? "a page, not JSON" : "not JSON"}` };
}

/** The name of a day, and a time: `Date.parse` also finds a date in "try 5". */
const HTTP_DATE = /^[a-z]+,? .+:/i;

/**
 * Milliseconds from `Retry-After`, which has seconds or a date; `undefined` if it is missing or invalid. At most the
 * longest delay of a timer, because `setTimeout` does not wait at all for a longer one.
 */
export function retryAfterMs(headers: Headers, now = Date.now()): number | undefined {
  const value = headers.get("retry-after")?.trim() ?? "";
  let delay = Number.NaN;
  if (/^\d+(\.\d+)?$/.test(value)) delay = Math.ceil(Number(value) * 1000);
  else if (HTTP_DATE.test(value)) delay = Math.max(0, Date.parse(value) - now);
  return Number.isNaN(delay) ? undefined : Math.min(delay, LONGEST_TIMER_MS);
}
