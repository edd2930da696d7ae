import { parseExactJson } from "../data/json.ts";
import { isRecord, own } from "../data/own.ts";
import type { Redactor } from "../data/redactor.ts";
import type { ErrorResponse } from "../errors/api-error.ts";
import { REQUEST_ID_HEADERS } from "../spec/answers.ts";
import { ERROR_BODY_MAX_CHARS, RESPONSE_MAX_BYTES } from "../spec/limits.ts";

/** The parts of a {@link RawResponse}. */
interface Parts {
  readonly status: number;
  /** A function is called on first use. */
  readonly headers: Headers | (() => Headers);
  readonly text: string;
  readonly isCut: boolean;
  readonly isRedirected: boolean;
  readonly closeConnection: (() => void) | undefined;
}

/** The parsed body of a response, or why it cannot be used. */
export type ParsedBody =
  | {
      readonly ok: true;
      readonly value: unknown;
      /** Whether it has `success: false`, which the service also sends with a 2xx. */
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
  /** Whether a custom `fetch` followed a redirect. */
  readonly isRedirected: boolean;
  /** Closes the connection of the response, if a transport of this package sent the request. */
  readonly closeConnection: (() => void) | undefined;
  #headers: Headers | (() => Headers);

  constructor({ status, headers, text, isCut, isRedirected, closeConnection }: Parts) {
    this.status = status;
    this.isOk = status >= 200 && status <= 299;
    this.text = text;
    this.isCut = isCut;
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
      // Redacted before it is cut, so that no part of a secret remains at the edge.
      body: redactor.text(this.text).slice(0, ERROR_BODY_MAX_CHARS),
      requestId: requestId && redactor.text(requestId),
    };
  }
}

export function parseBody({ text, isCut }: RawResponse): ParsedBody {
  if (isCut) return { ok: false, problem: "the body is too long" };
  try {
    const value = parseExactJson(text);
    return { ok: true, value, isFailure: isRecord(value) && own(value, "success") === false };
  } catch {
    return { ok: false, problem: describeText(text) };
  }
}

/**
 * Reads the body of a response to its end, or to the limit.
 *
 * @param isCustomFetch - Only the platform's own `fetch` is known to enforce `content-length`.
 */
export async function readResponse(response: Response, isCustomFetch: boolean): Promise<RawResponse> {
  const headers = response.headers instanceof Headers ? response.headers : copyHeaders(response.headers);
  const length = Number(headers.get("content-length") ?? Number.NaN);
  const isShort = !isCustomFetch && length <= RESPONSE_MAX_BYTES && !headers.has("content-encoding");
  const body = isShort ? { text: await response.text(), isCut: false } : await readToLimit(response);
  const { status } = response;
  const isRedirected = response.redirected === true;
  return new RawResponse({ status, headers, ...body, isRedirected, closeConnection: undefined });
}

/** A custom `fetch` may return headers of any class. If they cannot be copied, the response is kept without them. */
function copyHeaders(headers: unknown): Headers {
  try {
    return new Headers(headers as HeadersInit);
  } catch {
    return new Headers();
  }
}

interface BodyText {
  readonly text: string;
  readonly isCut: boolean;
}

async function readToLimit(response: Response): Promise<BodyText> {
  // The body of a custom `fetch` may not be a platform stream.
  if (typeof response.body?.getReader === "function") return readStream(response.body.getReader());
  const text = await response.text();
  return { text: text.slice(0, RESPONSE_MAX_BYTES), isCut: text.length > RESPONSE_MAX_BYTES };
}

async function readStream(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<BodyText> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { text: text + decoder.decode(), isCut: false };
    bytes += value.byteLength;
    if (bytes > RESPONSE_MAX_BYTES) {
      reader.cancel().catch(() => undefined);
      return { text, isCut: true };
    }
    text += decoder.decode(value, { stream: true });
  }
}

function describeText(text: string): string {
  if (text.trim() === "") return "the body is empty";
  return /^\s*</.test(text) ? "the body is a page, not JSON" : "the body is not JSON";
}
