import { isRecord } from "../data/own-properties.ts";
import { assertConfig } from "../errors/check-options.ts";
import { InvalidPostbackError } from "../errors/postback-errors.ts";
import { withTimeout } from "../http/timers.ts";
import type { HandlerSettings } from "./handler-options.ts";
import type { PostbackInput } from "./parse-postback.ts";

/** The part of Node's `IncomingMessage` that is used, and the properties that frameworks add to it. */
export interface NodeRequest {
  /** HTTP method. */
  readonly method?: string | undefined;
  /** Path and query. */
  readonly url?: string | undefined;
  /** Express: the URL before a router removed its mount path. */
  readonly originalUrl?: string | undefined;
  /** Headers, with lower-case names. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The body, if a framework has parsed or buffered it. */
  readonly body?: unknown;
  /** Default 1. An HTTP/1 connection is closed if a part of the body was not read. */
  readonly httpVersionMajor?: number | undefined;
  /** Whether the body was read to its end. */
  readonly readableEnded: boolean;
  /** Whether reading the body has begun. */
  readonly readableDidRead?: boolean | undefined;
  /** Whether the connection is closed. */
  readonly destroyed: boolean;
  /** Adds a listener for the body. */
  on(event: string, listener: (chunk: Uint8Array) => void): unknown;
  /** Starts the flow of the body. */
  resume?(): unknown;
  /** Removes a listener. */
  removeListener(event: string, listener: (chunk: Uint8Array) => void): unknown;
}

/** A body that cannot be read to its end. */
export class UnreadableBodyError extends InvalidPostbackError {
  /** HTTP status of the response. */
  readonly status: number;

  constructor(status: number, message: string) {
    super([{ field: "", message }], undefined);
    this.status = status;
  }
}

/** The body of a request, the same for each kind of server. Read on demand: a getter of a framework may throw. */
export interface RequestBody {
  /** What a framework has parsed or buffered. */
  parsed(): unknown;
  /** Whether reading it has begun. */
  isUsed(): boolean;
  contentLength(): number;
  /** The bytes; `null` if there are none. */
  stream(): ReadableStream<Uint8Array> | null;
}

export function toFetchBody(request: Request): RequestBody {
  return {
    parsed: () => undefined,
    isUsed: () => request.bodyUsed,
    contentLength: () => Number(request.headers.get("content-length")),
    stream: () => request.body,
  };
}

export function toNodeBody(request: NodeRequest): RequestBody {
  return {
    parsed: () => request.body,
    isUsed: () => request.readableEnded || request.readableDidRead === true,
    contentLength: () => Number(request.headers["content-length"]),
    stream: () => (request.readableEnded ? null : toStream(request)),
  };
}

/**
 * Reads a body within its limits: the one that a framework has parsed, otherwise the one on the connection.
 *
 * @throws {UnreadableBodyError}
 * @throws {ConfigurationError} if the body was already read, and is kept elsewhere.
 */
export async function readBody(
  body: RequestBody,
  { maxBytes, timeout }: Pick<HandlerSettings, "maxBytes" | "timeout">,
): Promise<PostbackInput> {
  const parsed = body.parsed();
  assertConfig((parsed !== undefined && parsed !== null) || !body.isUsed(), ALREADY_READ);
  if (!isEmpty(parsed)) {
    if (sizeOf(parsed) > maxBytes) throw tooLarge(maxBytes);
    return parsed as PostbackInput; // the parser refuses every other type
  }
  if (body.contentLength() > maxBytes) throw tooLarge(maxBytes);
  const stream = body.stream(); // not earlier: some servers begin to read on access
  if (stream === null) return "";
  const reader = stream.getReader();
  const late = () => new UnreadableBodyError(408, `the body was not received within ${timeout} ms`);
  try {
    return await withTimeout({ ms: timeout, createError: late }, () => readAll(reader, maxBytes));
  } catch (error) {
    reader.cancel().catch(() => undefined); // not awaited: the sender may never notice
    throw error;
  }
}

const ALREADY_READ =
  "The body of the request was already read. Pass the request to the handler first. Or pass a clone of a Request, or put " +
  "the body of a Node request into request.body.";

/** Some frameworks set an empty value if they did not read the body. */
function isEmpty(parsed: unknown): boolean {
  if (parsed === undefined || parsed === null || parsed === "") return true;
  if (!isRecord(parsed) || Object.keys(parsed).length > 0) return false;
  const prototype: unknown = Object.getPrototypeOf(parsed);
  return prototype === Object.prototype || prototype === null; // not bytes
}

/** In bytes; 0 for a parsed object, whose size is no longer known. */
function sizeOf(parsed: unknown): number {
  if (typeof parsed === "string") return new TextEncoder().encode(parsed).length;
  return ArrayBuffer.isView(parsed) || parsed instanceof ArrayBuffer ? parsed.byteLength : 0;
}

function tooLarge(maxBytes: number): UnreadableBodyError {
  return new UnreadableBodyError(413, `the body has more than ${maxBytes} bytes`);
}

async function readAll(reader: ReadableStreamDefaultReader<Uint8Array>, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  while (true) {
    const { done, value } = await reader.read().catch(() => {
      throw new UnreadableBodyError(400, "the connection closed before the end of the body");
    });
    if (done) return text + decoder.decode();
    size += value.byteLength;
    if (size > maxBytes) throw tooLarge(maxBytes);
    text += decoder.decode(value, { stream: true });
  }
}

/** A request of Node as a web stream. Uses only the members of {@link NodeRequest}. */
function toStream(request: NodeRequest): ReadableStream<Uint8Array> {
  let stop = () => {};
  return new ReadableStream({
    start(controller) {
      const onData = (chunk: Uint8Array | string) =>
        controller.enqueue(typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk);
      const onEnd = () => {
        stop();
        controller.close();
      };
      const onClose = () => {
        stop();
        request.on("error", () => undefined); // a later error must not end the process
        controller.error(new Error("The connection is closed."));
      };
      if (request.destroyed) return onClose(); // it emits no more events
      const listeners = Object.entries({ data: onData, end: onEnd, error: onClose, close: onClose });
      stop = () => {
        for (const [event, listener] of listeners) request.removeListener(event, listener);
      };
      for (const [event, listener] of listeners) request.on(event, listener);
      request.resume?.(); // a middleware may have paused it
    },
    cancel() {
      stop();
      request.on("error", () => undefined);
    },
  });
}
