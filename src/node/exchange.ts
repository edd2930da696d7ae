/// <reference types="node" />
import type { ClientRequest, IncomingMessage } from "node:http";
import type { RequestOptions } from "node:https";
import type { RequestProgress } from "../http/transport.ts";
import { ACCEPTED_CODINGS, BodyReader, parseContentEncoding } from "./body-reader.ts";
import type { Connection, Waiter } from "./connection-pool.ts";
import { http, https, isIntercepted } from "./node-http.ts";
import { sanitizeError } from "./sanitize-error.ts";
import type { Target, TargetCache } from "./target-cache.ts";

export interface TransportRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
}

export interface TransportResponse {
  readonly status: number;
  readonly statusText: string;
  /** Alternating names and values, as received. */
  readonly rawHeaders: readonly string[];
  /** The decompressed body. */
  readonly chunks: readonly Buffer[];
  /** Whether the body was too long: the last chunk exceeds the limit. */
  readonly isTruncated: boolean;
  /** Why the rest of the body is missing: its connection failed, the signal aborted, or it cannot be decoded. */
  readonly failure: unknown;
  /** Closes the connection of this response, unless another request already uses it. */
  readonly closeConnection: () => void;
}

/**
 * Sends a request once and reads the whole response. If the connection fails or `signal` aborts inside the body, it
 * resolves with the part that was received. Otherwise it rejects: with the reason of `signal`, or a sanitized error.
 */
export function exchange(
  targets: TargetCache,
  url: string,
  request: TransportRequest,
  signal: AbortSignal | undefined,
  progress: RequestProgress,
): Promise<TransportResponse> {
  return new Promise((resolve, reject) => {
    try {
      new Exchange({ target: targets.find(url), request, signal, progress, resolve, reject }).start();
    } catch (error) {
      reject(sanitizeError(error));
    }
  });
}

interface Task {
  readonly target: Target;
  readonly request: TransportRequest;
  readonly signal: AbortSignal | undefined;
  readonly progress: RequestProgress;
  readonly resolve: (response: TransportResponse) => void;
  readonly reject: (error: unknown) => void;
}

class Exchange implements Waiter {
  readonly #task: Task;
  #connection: Connection | undefined;
  #request: ClientRequest | undefined;
  #response: IncomingMessage | undefined;
  #body: BodyReader | undefined;
  #failure: unknown;
  #isSettled = false;

  readonly #fail = (error: unknown): void => this.#interrupt(sanitizeError(error));
  readonly onNoConnection = this.#fail;

  constructor(task: Task) {
    this.#task = task;
  }

  start(): void {
    const { target, signal, reject } = this.#task;
    if (signal?.aborted === true) {
      reject(signal.reason);
      return;
    }
    signal?.addEventListener("abort", this.#onAbort, { once: true });
    if (isIntercepted()) this.#sendIntercepted();
    else target.pool.wait(this);
  }

  readonly onConnection = (connection: Connection): void => {
    const { target, request, progress } = this.#task;
    const { socketFactory } = target.pool;
    connection.assignTo(this);
    socketFactory.assignToNextRequest(connection.socket);
    let clientRequest: ClientRequest;
    try {
      const options = toRequestOptions(target, request);
      options.agent = socketFactory.agent;
      clientRequest = this.#createRequest(options);
    } catch (error) {
      // An invalid header or method: Node throws before the request gets the socket.
      socketFactory.unassign();
      target.pool.release(connection);
      this.#fail(error);
      return;
    }
    if (socketFactory.unassign()) target.pool.release(connection);
    else this.#connection = connection;
    if (this.#isSettled) {
      clientRequest.destroy(); // aborted by a tool that watches requests being created
      return;
    }
    try {
      progress.beginSending();
    } catch (error) {
      this.#fail(error);
      return;
    }
    clientRequest.end(toBody(request));
  };

  /** Sends with the replacement of `http.request`. What it does with the request is unknown, so it counts as sent. */
  #sendIntercepted(): void {
    const { target, request, progress } = this.#task;
    try {
      progress.beginSending();
      const clientRequest = this.#createRequest(toRequestOptions(target, request));
      if (this.#isSettled) clientRequest.destroy();
      else clientRequest.end(toBody(request));
    } catch (error) {
      this.#fail(error);
    }
  }

  #createRequest(options: RequestOptions): ClientRequest {
    const request = (this.#task.target.scheme === "https:" ? https : http).request(options);
    request.maxHeadersCount = 0; // unlimited: their size is limited, and Node would silently drop the rest
    request.on("response", this.#onResponse);
    request.on("error", this.#onRequestError);
    request.on("close", this.#onClose);
    this.#request = request;
    return request;
  }

  readonly #onResponse = (response: IncomingMessage): void => {
    if (this.#isSettled) return;
    this.#response = response.on("error", this.#fail);
    this.#task.progress.receiveHeaders();
    const { statusCode: status = 0, statusMessage: statusText = "", rawHeaders } = response;
    const { contentEncoding, maxIdleMs } = readHeaders(rawHeaders);
    if (this.#connection !== undefined && maxIdleMs !== undefined) {
      this.#connection.maxIdleMs = Math.min(this.#connection.maxIdleMs, maxIdleMs);
    }
    try {
      const codings = contentEncoding === undefined ? [] : parseContentEncoding(contentEncoding);
      const closeConnection = this.#closeConnection;
      this.#body = new BodyReader(response, codings, (chunks, isTruncated, error) => {
        const failure = this.#failure ?? (error === undefined ? undefined : sanitizeError(error));
        this.#finish({ status, statusText, rawHeaders, chunks, isTruncated, failure, closeConnection });
      });
    } catch (error) {
      this.#fail(error);
    }
  };

  /** Bytes after a complete response do not invalidate it: its `end` event is still to come. */
  readonly #onRequestError = (error: unknown): void => {
    if (this.#response?.complete !== true) this.#fail(error);
  };

  /** The only event after an unexpected upgrade. A complete response may not be read yet. */
  readonly #onClose = (): void => {
    if (this.#response?.complete === true) return;
    this.#fail(Object.assign(new Error("the connection ended"), { code: "ECONNRESET" }));
  };

  readonly #onAbort = (): void => this.#interrupt(this.#task.signal?.reason);

  /** Ends the exchange with the part of the body that was received, which may show what became of a charge. */
  #interrupt(error: unknown): void {
    if (this.#body === undefined) {
      this.#reject(error);
    } else if (this.#failure === undefined && !this.#isSettled) {
      this.#failure = error;
      this.#body.end();
    }
  }

  #reject(error: unknown): void {
    if (this.#settle()) this.#task.reject(error);
  }

  #finish(response: TransportResponse): void {
    if (this.#settle()) this.#task.resolve(response);
  }

  /** A response that is decompressed by streams can end after its connection was assigned to another request. */
  readonly #closeConnection = (): void => {
    if (this.#connection?.owner === this) this.#connection.socket.destroy();
  };

  /** Returns false if the exchange was settled before. */
  #settle(): boolean {
    if (this.#isSettled) return false;
    this.#isSettled = true;
    this.#task.signal?.removeEventListener("abort", this.#onAbort);
    this.#body?.destroy();
    if (this.#request === undefined) this.#task.target.pool.cancelWait(this);
    // A request that got its response before all of it was read would occupy its connection forever.
    else if (this.#response?.readableEnded !== true || !this.#request.writableFinished)
      this.#request.destroy();
    return true;
  }
}

/** Headers about the connection or the length of the body: the transport sets them. */
const TRANSPORT_HEADERS: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "expect",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** The same as Node's `fetch`: some firewalls refuse a request without it. */
const USER_AGENT = "node";

/**
 * The headers as an object. An array of names and values would be cheaper, but tracing tools that wrap `http.request`
 * copy the headers as an object and would lose them all.
 */
function toRequestOptions(target: Target, { method, headers, body }: TransportRequest): RequestOptions {
  const sent: Record<string, string> = {
    host: target.authority,
    "accept-encoding": ACCEPTED_CODINGS,
    "user-agent": USER_AGENT,
  };
  for (const name in headers) {
    const lowerCase = name.toLowerCase();
    if (!TRANSPORT_HEADERS.has(lowerCase)) sent[lowerCase] = headers[name] ?? "";
  }
  if (body !== undefined) sent["content-length"] = String(Buffer.byteLength(body));
  else if (method !== "GET" && method !== "HEAD") sent["content-length"] = "0";
  const { scheme, hostname, port, path } = target;
  return { method, protocol: scheme, host: hostname, port, path, headers: sent };
}

/** Node writes a string together with the headers, all in UTF-8. Headers beyond ASCII must be written separately. */
function toBody({ headers, body }: TransportRequest): string | Uint8Array | undefined {
  if (typeof body !== "string") return body;
  for (const name in headers) if (BEYOND_ASCII.test(headers[name] ?? "")) return Buffer.from(body);
  return body;
}

const BEYOND_ASCII = /[^\0-\x7f]/;

interface ResponseHeaders {
  readonly contentEncoding: string | undefined;
  /** From `Keep-Alive: timeout`, minus one second for the network. */
  readonly maxIdleMs: number | undefined;
}

const NETWORK_MS = 1_000;

function readHeaders(rawHeaders: readonly string[]): ResponseHeaders {
  let contentEncoding: string | undefined;
  let maxIdleMs: number | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? "";
    const value = rawHeaders[index + 1] ?? "";
    if (isHeader(name, "content-encoding")) {
      contentEncoding = contentEncoding === undefined ? value : `${contentEncoding},${value}`;
    } else if (isHeader(name, "keep-alive")) {
      const seconds = /(?:^|[\s,])timeout=(\d+)/i.exec(value)?.[1];
      if (seconds !== undefined) maxIdleMs = Math.max(0, Number(seconds) * 1_000 - NETWORK_MS);
    }
  }
  return { contentEncoding, maxIdleMs };
}

/** Compares lengths first: most names differ in length, and that is cheaper. */
function isHeader(name: string, lowerCase: string): boolean {
  return name.length === lowerCase.length && name.toLowerCase() === lowerCase;
}
