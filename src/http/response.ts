import { hasTooManyValues } from "../data/json.ts";
import { isRecord, ownProperty } from "../data/own-properties.ts";
import { untilAborted } from "./timers.ts";
import { RESPONSE_MAX_BYTES, type ReceivedResponse } from "./transport.ts";

/** Headers in which gateways send a request id, the most common first. The specification shows none. */
const REQUEST_ID_HEADERS = ["x-request-id", "request-id", "x-correlation-id", "cf-ray"] as const;

export type RawResponse = ReturnType<typeof createRawResponse>;

/** A response whose body was read. */
export function createRawResponse(received: ReceivedResponse) {
  let { headers } = received;
  return {
    ...received,
    isOk: received.status >= 200 && received.status <= 299,
    get headers(): Headers {
      if (typeof headers === "function") headers = headers();
      return headers;
    },
    /** The service's own id of the request, if a header has one. */
    get requestId(): string | undefined {
      const name = REQUEST_ID_HEADERS.find((known) => this.headers.has(known));
      return name && (this.headers.get(name) ?? undefined);
    },
  };
}

/** Reads the body of a response to its end, to the limit, until it fails or until `signal` aborts. */
export async function readResponse(response: Response, signal: AbortSignal): Promise<RawResponse> {
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
    await untilAborted(signal, read);
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
  const closeConnection = undefined;
  return createRawResponse({ status, headers, text, isTruncated, failure, isRedirected, closeConnection });
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
