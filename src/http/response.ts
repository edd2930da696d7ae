import { hasTooManyValues } from "../data/json.ts";
import { isRecord, own } from "../data/own.ts";
import type { Redactor } from "../data/redactor.ts";
import type { ErrorResponse } from "../errors/api-errors.ts";
import { RESPONSE_MAX_BYTES } from "./transport.ts";

/** Headers in which gateways send a request id, the most common first. The specification shows none. */
const REQUEST_ID_HEADERS = ["x-request-id", "request-id", "x-correlation-id", "cf-ray"] as const;

/** Maximum characters of a response body that an error keeps. */
const ERROR_BODY_MAX_CHARS = 65_536;

/** The parts of a {@link RawResponse}. */
interface Parts {
  readonly status: number;
  /** A function is called on first use. */
  readonly headers: Headers | (() => Headers);
  readonly text: string;
  readonly isCut: boolean;
  readonly failure: unknown;
  readonly isRedirected: boolean;
  readonly closeConnection: (() => void) | undefined;
}

/** The parsed body of a response, or why it cannot be used. */
export type ParsedBody =
  | {
      readonly ok: true;
      readonly value: unknown;
      /** Whether it has `success: false`, which a service may also send with a 2xx. */
      readonly isFailure: boolean;
    }
  | { readonly ok: false; readonly problem: string };

/** A response whose body was read. */
export class RawResponse {
  /** 0 if a browser hides the status of a redirect. */
  readonly status: number;
  /** Whether the status is 200 to 299. */
  readonly isOk: boolean;
  readonly text: string;
  /** Whether the body was cut off because it was too long. */
  readonly isCut: boolean;
  /** Why the rest of the body is missing; `undefined` if it was read to its end or to the limit. */
  readonly failure: unknown;
  /** Whether a custom `fetch` followed a redirect. */
  readonly isRedirected: boolean;
  /** Closes the connection of the response, if a transport of this package sent the request. */
  readonly closeConnection: (() => void) | undefined;
  #headers: Headers | (() => Headers);

  constructor({ status, headers, text, isCut, failure, isRedirected, closeConnection }: Parts) {
    this.status = status;
    this.isOk = status >= 200 && status <= 299;
    this.text = text;
    this.isCut = isCut;
    this.failure = failure;
    this.isRedirected = isRedirected;
    this.closeConnection = closeConnection;
    this.#headers = headers;
  }

  /** Created on first use, because few calls need them. */
  get headers(): Headers {
    if (typeof this.#headers === "function") this.#headers = this.#headers();
    return this.#headers;
  }

  /** The service's own id of the request, if a header has one. */
  get requestId(): string | undefined {
    for (const name of REQUEST_ID_HEADERS) {
      const value = this.headers.get(name);
      if (value !== null) return value;
    }
    return undefined;
  }

  /** The parts that an error keeps. */
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

/** @param value - The body as JSON. */
export function parseBody({ text, isCut, failure }: RawResponse, value: unknown): ParsedBody {
  if (isCut) return { ok: false, problem: "the body is too long" };
  if (value !== undefined) {
    return { ok: true, value, isFailure: isRecord(value) && own(value, "success") === false };
  }
  return { ok: false, problem: failure === undefined ? describeText(text) : "the body is cut off" };
}

/**
 * Reads the body of a response to its end, to the limit, or until it fails.
 *
 * @param aborted - Rejects when the call is aborted.
 */
export async function readResponse(response: Response, aborted: Promise<never>): Promise<RawResponse> {
  const headers = response.headers instanceof Headers ? response.headers : copyHeaders(response.headers);
  const { status } = response;
  let text = "";
  let isCut = false;
  let failure: unknown;
  // The body of a custom `fetch` may not be a platform stream.
  const reader = response.body?.getReader?.();
  const cancel = async () => reader?.cancel();
  const read = async () => {
    if (reader === undefined) {
      const whole = await response.text();
      text = whole.slice(0, RESPONSE_MAX_BYTES);
      isCut = text !== whole;
      return;
    }
    const decoder = new TextDecoder();
    for (let bytes = 0; ; ) {
      const { done, value } = await reader.read();
      const left = RESPONSE_MAX_BYTES - bytes;
      bytes += value?.byteLength ?? 0;
      isCut = bytes > RESPONSE_MAX_BYTES;
      text += decoder.decode(isCut ? value?.subarray(0, left) : value, { stream: !done });
      if (isCut) cancel().catch(() => undefined);
      if (done || isCut) return;
    }
  };
  try {
    await Promise.race([aborted, read()]);
  } catch (error) {
    failure = error ?? new Error();
    cancel().catch(() => undefined); // a custom `fetch` may ignore its signal
  }
  const isRedirected = response.redirected === true;
  return new RawResponse({ status, headers, text, isCut, failure, isRedirected, closeConnection: undefined });
}

/** A custom `fetch` may return headers of any class. If they cannot be copied, the response is kept without them. */
function copyHeaders(headers: unknown): Headers {
  try {
    return new Headers(headers as HeadersInit);
  } catch {
    return new Headers();
  }
}

function describeText(text: string): string {
  if (text.trim() === "") return "the body is empty";
  if (hasTooManyValues(text)) return "the body has too many values";
  return /^\s*</.test(text) ? "the body is a page, not JSON" : "the body is not JSON";
}
