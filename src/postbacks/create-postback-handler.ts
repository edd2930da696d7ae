import { NO_CALL } from "../errors/check-options.ts";
import { ConfigurationError } from "../errors/configuration-error.ts";
import { type PostbackHandlerOptions, readHandlerOptions } from "./handler-options.ts";
import type { Postback } from "./parse-postback.ts";
import { type NodeRequest, readNodeBody } from "./read-node-body.ts";
import { readRequestBody } from "./read-request-body.ts";
import { type HandlerAnswer, takePostback } from "./take-postback.ts";
import { Turns } from "./turns.ts";
import { Waiters, type WaitOptions } from "./waiters.ts";

/** The part of Node's `ServerResponse` that is used. */
export interface NodeResponse {
  /** HTTP status of the answer. */
  statusCode: number;
  /** Sets a header of the answer. */
  setHeader(name: string, value: string): unknown;
  /** Sends the answer. */
  end(body: string): unknown;
}

/** Takes postbacks. Its members are plain functions, and can be passed on as they are. */
export interface PostbackHandler {
  /** For everything that speaks `Request` and `Response`: Hono, Next.js, Bun, Deno, Workers. Never rejects. */
  fetch(request: Request): Promise<Response>;
  /**
   * For Node's own requests and responses: `node:http`, Express, Fastify. A body that a framework has parsed or
   * buffered is taken from `request.body`. Never rejects.
   */
  node(request: NodeRequest, response: NodeResponse): Promise<void>;
  /**
   * Waits until a postback of an order was handled; for scripts and tests. One that was handled already, the last of
   * its order, is given at once. Where there is a signer, it gives signed ones only.
   *
   * @throws {AbortedError} when the signal ends it.
   */
  waitFor(externalRef: string, options?: WaitOptions): Promise<Postback>;
}

/**
 * Makes what takes the postbacks of the service: it reads them, refuses those that are not of their order, and runs
 * `onPostback` to success once for each `(id, rawStatus, amount)`, however often and on however many machines they
 * arrive, as far as the `store` reaches.
 *
 * | request | answer | `onPostback` |
 * |---|---|---|
 * | a postback | 200 | ran, and succeeded |
 * | one that was handled before | 200 | did not run |
 * | the same while it is being handled | 503, `Retry-After` | did not run |
 * | another status of a transaction, while one is being handled | waits for it, up to `timeout` | ran after it |
 * | a postback, and `onPostback` throws | 500 | ran; runs again when it is sent again |
 * | no postback of the specification's shape | 400 | did not run |
 * | no valid signature for this order | 401 | did not run |
 * | any method but POST | 405 | did not run |
 * | a body that comes too slowly, or is too large | 408, 413 | did not run |
 * | a postback while the store fails | 503, `Retry-After` | did not run |
 *
 * That the service sends a postback again which got no 2xx is an assumption: the specification does not say.
 *
 * Spec: "Postback notification".
 *
 * @throws {ConfigurationError} on an option that cannot work, and without a `signer` unless `allowUnsigned` is said.
 */
export function createPostbackHandler(options: PostbackHandlerOptions): PostbackHandler {
  const settings = readHandlerOptions(options);
  const waiters = new Waiters();
  const turns = new Turns();
  const notice = (postback: Postback, isDuplicate: boolean) => waiters.notice(postback, isDuplicate);
  return {
    async fetch(request) {
      const { method, url } = request;
      const readBody = async () => {
        if (request.bodyUsed) throw new ConfigurationError(ALREADY_READ, NO_CALL);
        return readRequestBody(request, settings);
      };
      const { status, headers, body } = await takePostback(
        { method, url, readBody },
        settings,
        turns,
        notice,
      );
      const closing = leavesBodyUnread(status) && { connection: "close" };
      return new Response(JSON.stringify(body), { status, headers: { ...headers, ...closing } });
    },
    async node(request, response) {
      const { method = "", url = "", originalUrl = url } = request;
      const readBody = () => readNodeBody(request, settings);
      const answer = await takePostback({ method, url: originalUrl, readBody }, settings, turns, notice);
      try {
        send(request, response, answer);
      } catch {
        // The connection is gone, or somebody else has answered: what ran has run all the same.
      }
    },
    waitFor: (externalRef, waitOptions) => waiters.wait(externalRef, waitOptions),
  };
}

const ALREADY_READ =
  "The body of the request was read before: give the handler the request first, or a clone of it.";

/** What is left of a body would be taken for the next request, so that the connection has to end. */
function leavesBodyUnread(status: number): boolean {
  return status === 408 || status === 413;
}

function send(
  { httpVersionMajor = 1 }: NodeRequest,
  response: NodeResponse,
  { status, headers, body }: HandlerAnswer,
): void {
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  // HTTP/2 has no such header.
  if (leavesBodyUnread(status) && httpVersionMajor === 1) response.setHeader("connection", "close");
  response.end(JSON.stringify(body));
}
