/// <reference types="node" />
import type { ClientRequest, IncomingMessage } from "node:http";
import type { RequestOptions } from "node:https";
import type { RequestProgress } from "../http/transport.ts";
import { BodyReader } from "./body-reader.ts";
import type { Connection } from "./connection.ts";
import type { Waiter } from "./connection-pool.ts";
import { codingsOf } from "./content-codings.ts";
import { isIntercepted } from "./interception.ts";
import { bodyOf, type Message, requestOptions } from "./message.ts";
import { http, https } from "./node-http.ts";
import { readHead } from "./read-head.ts";
import { sanitizeError } from "./sanitize-error.ts";
import type { Target, TargetCache } from "./target-cache.ts";

/** What came back. */
export interface Incoming {
  readonly status: number;
  readonly statusText: string;
  /** Names and values in turn, as they came. */
  readonly rawHeaders: readonly string[];
  /** The body, unpacked. */
  readonly chunks: readonly Buffer[];
  /** Whether it was too long: the last chunk goes beyond the limit. */
  readonly cut: boolean;
  /** Closes the connection that it came on. */
  readonly closeConnection: () => void;
}

/**
 * Sends a message once and reads the whole answer. Rejects with the reason of `signal` as soon as it aborts, else with
 * a bare error.
 */
export function exchange(
  targets: TargetCache,
  url: string,
  message: Message,
  signal: AbortSignal | undefined,
  progress: RequestProgress,
): Promise<Incoming> {
  return new Promise((resolve, reject) => {
    try {
      new Exchange({ target: targets.find(url), message, signal, progress, resolve, reject }).start();
    } catch (error) {
      reject(sanitizeError(error));
    }
  });
}

/** What is to be exchanged, and who is told of the end. */
interface Task {
  readonly target: Target;
  readonly message: Message;
  readonly signal: AbortSignal | undefined;
  readonly progress: RequestProgress;
  readonly resolve: (incoming: Incoming) => void;
  readonly reject: (error: unknown) => void;
}

class Exchange implements Waiter {
  readonly #task: Task;
  #connection: Connection | undefined;
  #request: ClientRequest | undefined;
  #response: IncomingMessage | undefined;
  #body: BodyReader | undefined;
  #isRead = false;
  #isOver = false;

  constructor(task: Task) {
    this.#task = task;
  }

  start(): void {
    const { signal, reject } = this.#task;
    if (signal?.aborted === true) {
      reject(signal.reason);
      return;
    }
    signal?.addEventListener("abort", this.#onAbort, { once: true });
    if (isIntercepted()) this.#sendByOthers();
    else this.#task.target.pool.wait(this);
  }

  readonly onConnection = (connection: Connection): void => {
    const { target, message, progress } = this.#task;
    const { maker } = target.pool;
    connection.serve(this);
    maker.give(connection.socket);
    let request: ClientRequest;
    try {
      const options = requestOptions(target, message);
      options.agent = maker.agent;
      request = this.#make(options);
    } catch (error) {
      // A header or a method that cannot be: Node looks before it takes the socket.
      maker.takeBack();
      target.pool.release(connection);
      this.#fail(error);
      return;
    }
    if (maker.takeBack()) target.pool.release(connection);
    else this.#connection = connection;
    if (this.#isOver) {
      request.destroy(); // aborted by a tool that watches requests being made
      return;
    }
    try {
      progress.beginSending();
    } catch (error) {
      this.#fail(error);
      return;
    }
    request.end(bodyOf(message));
  };

  readonly onNoConnection = (error: Error): void => this.#fail(error);

  /** By what a tool has put in the place of `http.request`: what becomes of the request is not ours to see. */
  #sendByOthers(): void {
    const { target, message, progress } = this.#task;
    try {
      progress.beginSending();
      const request = this.#make(requestOptions(target, message));
      if (this.#isOver) request.destroy();
      else request.end(bodyOf(message));
    } catch (error) {
      this.#fail(error);
    }
  }

  #make(options: RequestOptions): ClientRequest {
    const request = (this.#task.target.scheme === "https:" ? https : http).request(options);
    request.maxHeadersCount = 0; // no number: their length is limited, and Node would leave out the rest silently
    request.on("response", this.#onResponse);
    request.on("error", this.#onRequestBroken);
    request.on("close", this.#onClose);
    this.#request = request;
    return request;
  }

  readonly #onResponse = (response: IncomingMessage): void => {
    if (this.#isOver) return;
    this.#response = response;
    this.#task.progress.receiveHeaders();
    const { statusCode: status = 0, statusMessage: statusText = "", rawHeaders } = response;
    const { contentEncoding, keepMs } = readHead(rawHeaders);
    if (this.#connection !== undefined && keepMs !== undefined) {
      this.#connection.keepMs = Math.min(this.#connection.keepMs, keepMs);
    }
    try {
      const codings = contentEncoding === undefined ? [] : codingsOf(contentEncoding);
      this.#body = new BodyReader(response, codings, {
        onBody: (chunks, cut) =>
          this.#finish({
            status,
            statusText,
            rawHeaders,
            chunks,
            cut,
            closeConnection: this.#closeConnection,
          }),
        onBroken: this.#onBroken,
      });
    } catch (error) {
      this.#fail(error);
      return;
    }
    response.on("data", this.#onData).on("end", this.#onEnd).on("error", this.#onBroken);
  };

  readonly #onData = (chunk: Buffer): void => {
    if (!this.#isOver) this.#body?.add(chunk);
  };

  readonly #onEnd = (): void => {
    this.#isRead = true;
    if (!this.#isOver) this.#body?.end();
  };

  readonly #onBroken = (error: unknown): void => this.#fail(error);

  /** What comes behind an answer takes nothing from it: its end is yet to be heard. */
  readonly #onRequestBroken = (error: unknown): void => {
    if (this.#response?.complete !== true) this.#fail(error);
  };

  /** Also after an upgrade that nobody asked for, of which Node says nothing else. */
  readonly #onClose = (): void => {
    const isWhole = this.#response?.complete === true; // though it may not be read yet
    if (!isWhole) this.#fail(Object.assign(new Error("the connection ended"), { code: "ECONNRESET" }));
  };

  readonly #onAbort = (): void => {
    if (this.#end()) this.#task.reject(this.#task.signal?.reason);
  };

  #fail(error: unknown): void {
    if (this.#end()) this.#task.reject(sanitizeError(error));
  }

  #finish(incoming: Incoming): void {
    if (this.#end()) this.#task.resolve(incoming);
  }

  /** Not if another request is on it by now: an answer that is unpacked by streams is read after its connection is free. */
  readonly #closeConnection = (): void => {
    if (this.#connection?.user === this) this.#connection.socket.destroy();
  };

  /** @returns whether this was the end. */
  #end(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    this.#task.signal?.removeEventListener("abort", this.#onAbort);
    this.#body?.drop();
    if (this.#request === undefined) this.#task.target.pool.leave(this);
    // One that was answered before all of it was read would keep its connection for ever.
    else if (!this.#isRead || !this.#request.writableFinished) this.#request.destroy();
    return true;
  }
}
