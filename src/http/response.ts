import type { Redactor } from "../data/redactor.ts";
import type { ErrorAnswer } from "../errors/api-error.ts";
import { REQUEST_ID_HEADERS } from "../spec/answers.ts";
import { ANSWER_MAX_BYTES, ERROR_BODY_MAX_CHARS } from "../spec/limits.ts";
import type { DirectAnswer } from "./transport.ts";

/** One answer of the service, its body read. */
export interface Answer {
  /** 0 where a browser hides the status of a redirect. */
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Whether the body was cut off because it was too long. */
  readonly cut: boolean;
  readonly requestId: string | undefined;
  /** Whether a custom `fetch` followed a redirect. */
  readonly redirected: boolean;
  /** Closes the connection that it came on, if a transport of ours sent the request. */
  readonly closeConnection: (() => void) | undefined;
}

/** Reads a response to its end, or to the limit. Only the platform's own keeps to its `content-length`. */
export async function readAnswer(response: Response, keepsToLength: boolean): Promise<Answer> {
  const headers = response.headers instanceof Headers ? response.headers : copyOf(response.headers);
  const { text, cut } = await readText(response, headers, keepsToLength);
  return new FetchedAnswer(response, headers, text, cut);
}

/** Headers of a custom `fetch`, which may be of any class. Without them an answer is as good. */
function copyOf(headers: unknown): Headers {
  try {
    return new Headers(headers as HeadersInit);
  } catch {
    return new Headers();
  }
}

/** Few look at the name of a request, which takes several looks into the headers. */
class FetchedAnswer implements Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly cut: boolean;
  readonly redirected: boolean;
  readonly closeConnection = undefined;

  constructor({ status, redirected }: Response, headers: Headers, text: string, cut: boolean) {
    this.status = status;
    this.redirected = redirected === true;
    this.headers = headers;
    this.text = text;
    this.cut = cut;
  }

  get requestId(): string | undefined {
    return requestIdOf((name) => this.headers.get(name) ?? undefined);
  }
}

async function readText(
  response: Response,
  headers: Headers,
  keepsToLength: boolean,
): Promise<{ text: string; cut: boolean }> {
  const length = Number(headers.get("content-length") ?? Number.NaN);
  const encoded = headers.has("content-encoding");
  if (keepsToLength && length <= ANSWER_MAX_BYTES && !encoded)
    return { text: await response.text(), cut: false };
  // A stream that is not the platform's comes from a `fetch` of the caller's.
  if (typeof response.body?.getReader !== "function") return cutText(await response.text());
  return readStream(response.body.getReader());
}

function cutText(text: string): { text: string; cut: boolean } {
  return text.length > ANSWER_MAX_BYTES
    ? { text: text.slice(0, ANSWER_MAX_BYTES), cut: true }
    : { text, cut: false };
}

async function readStream(
  reader: ReadableStreamDefaultReader<Uint8Array>,
): Promise<{ text: string; cut: boolean }> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { text: text + decoder.decode(), cut: false };
    bytes += value.byteLength;
    if (bytes > ANSWER_MAX_BYTES) {
      reader.cancel().catch(() => undefined);
      return { text, cut: true };
    }
    text += decoder.decode(value, { stream: true });
  }
}

/** What an error may keep of an answer. */
export function forError(answer: Answer, redactor: Redactor): ErrorAnswer {
  const { requestId } = answer;
  return {
    status: answer.status,
    headers: redactor.headers(answer.headers),
    // Struck out before it is cut, so that no secret is left over at the edge.
    body: redactor.text(answer.text).slice(0, ERROR_BODY_MAX_CHARS),
    requestId: requestId && redactor.text(requestId),
  };
}

/** What a transport of ours read, its headers an object only where somebody looks at them. */
export class DirectlyReadAnswer implements Answer {
  readonly status: number;
  readonly text: string;
  readonly cut: boolean;
  readonly redirected = false;
  readonly closeConnection: () => void;
  readonly #rawHeaders: readonly string[];
  #headers: Headers | undefined;

  constructor({ status, rawHeaders, text, cut, closeConnection }: DirectAnswer) {
    this.status = status;
    this.text = text;
    this.cut = cut;
    this.closeConnection = closeConnection;
    this.#rawHeaders = rawHeaders;
  }

  get headers(): Headers {
    this.#headers ??= headersFrom(this.#rawHeaders);
    return this.#headers;
  }

  get requestId(): string | undefined {
    return requestIdOf((name) => joined(this.#rawHeaders, name));
  }
}

/** All values of a name, as `Headers` gives them. */
function joined(rawHeaders: readonly string[], name: string): string | undefined {
  let value: string | undefined;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() !== name) continue;
    value = value === undefined ? rawHeaders[at + 1] : `${value}, ${rawHeaders[at + 1]}`;
  }
  return value;
}

function headersFrom(rawHeaders: readonly string[]): Headers {
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    try {
      headers.append(rawHeaders[at] ?? "", rawHeaders[at + 1] ?? "");
    } catch {
      // Not one that `Headers` can hold, which is no reason to lose the answer.
    }
  }
  return headers;
}

/** The service's own name for a request, from the headers of its answer. */
export function requestIdOf(find: (name: string) => string | undefined): string | undefined {
  for (const name of REQUEST_ID_HEADERS) {
    const value = find(name);
    if (value !== undefined) return value;
  }
  return undefined;
}
