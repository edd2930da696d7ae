import { isRecord } from "../data/own.ts";
import { NO_CALL } from "../errors/check-options.ts";
import { ConfigurationError } from "../errors/configuration-error.ts";
import type { PostbackInput } from "./parse-postback.ts";
import { joined } from "./read-request-body.ts";
import { type BodyLimits, brokenOff, tooLarge, tooSlow, type UnreadableBody } from "./unreadable-body.ts";

/** The part of Node's `IncomingMessage` that is used, and what frameworks add to it. */
export interface NodeRequest {
  /** HTTP method. */
  readonly method?: string | undefined;
  /** Path and query. */
  readonly url?: string | undefined;
  /** Express: the URL before a router took a part of it away. */
  readonly originalUrl?: string | undefined;
  /** Headers, by their names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** What a framework has parsed or buffered. */
  readonly body?: unknown;
  /** 1 where it is missing. A connection of HTTP/1 is closed where a body was left unread. */
  readonly httpVersionMajor?: number | undefined;
  /** Whether the body was read to its end. */
  readonly readableEnded: boolean;
  /** Whether somebody has begun to read the body. */
  readonly readableDidRead?: boolean | undefined;
  /** Whether the connection is gone. */
  readonly destroyed: boolean;
  /** Listens to the body. */
  on(event: string, listener: (chunk: Uint8Array) => void): unknown;
  /** Lets the body come. */
  resume?(): unknown;
  /** Stops listening. */
  removeListener(event: string, listener: (chunk: Uint8Array) => void): unknown;
}

/**
 * The body of a request of Node: what a framework has made of it, else what is read from the connection, no
 * further than the limits allow.
 *
 * @throws {UnreadableBody}
 * @throws {ConfigurationError} where somebody has read it and kept it elsewhere.
 */
export async function readNodeBody(request: NodeRequest, limits: BodyLimits): Promise<PostbackInput> {
  const { body, readableEnded, readableDidRead } = request;
  if ((readableEnded || readableDidRead === true) && (body === undefined || body === null)) {
    throw new ConfigurationError(BODY_IS_GONE, NO_CALL);
  }
  if (isNothing(body)) return readStream(request, limits);
  if (sizeOf(body) > limits.maxBytes) throw tooLarge(limits.maxBytes);
  // Whatever else it is, the parser says so.
  return body as PostbackInput;
}

const BODY_IS_GONE =
  "The body of the request was read before: give the handler the request first, or put what was read into request.body.";

/** Some frameworks put something empty where they read nothing. */
function isNothing(body: unknown): boolean {
  return (
    body === undefined ||
    body === null ||
    body === "" ||
    (isRecord(body) && isPlain(body) && Object.keys(body).length === 0)
  );
}

function isPlain(body: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(body);
  return prototype === Object.prototype || prototype === null;
}

/** Of what has been parsed nobody knows any more. */
function sizeOf(body: unknown): number {
  if (typeof body === "string") return new TextEncoder().encode(body).length;
  return ArrayBuffer.isView(body) || body instanceof ArrayBuffer ? body.byteLength : 0;
}

function readStream(request: NodeRequest, { maxBytes, timeout }: BodyLimits): Promise<Uint8Array> {
  if (Number(request.headers["content-length"]) > maxBytes) return Promise.reject(tooLarge(maxBytes));
  // Somebody has read it, and there was nothing in it.
  if (request.readableEnded) return Promise.resolve(new Uint8Array());
  // The events that would say so are over.
  if (request.destroyed) return Promise.reject(brokenOff());
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    const onData = (chunk: Uint8Array | string) => {
      const bytes = typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk;
      size += bytes.byteLength;
      chunks.push(bytes);
      if (size > maxBytes) fail(tooLarge(maxBytes));
    };
    const onEnd = () => {
      stop();
      resolve(joined(chunks, size));
    };
    const onBreak = () => fail(brokenOff());
    const timer = setTimeout(() => fail(tooSlow(timeout)), timeout);
    const listeners = [
      ["data", onData],
      ["end", onEnd],
      ["error", onBreak],
      ["close", onBreak],
    ] as const;
    for (const [event, listener] of listeners) request.on(event, listener);
    request.resume?.(); // a middleware that waited for something may have paused it

    function stop(): void {
      clearTimeout(timer);
      for (const [event, listener] of listeners) request.removeListener(event, listener);
    }
    function fail(error: UnreadableBody): void {
      stop();
      // What else comes must not end the process.
      request.on("error", () => undefined);
      reject(error);
    }
  });
}
