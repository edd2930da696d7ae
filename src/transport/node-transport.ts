import { type DirectSend, offerDirectSend } from "../core/direct-transport.ts";
import { exchange } from "./exchange.ts";
import { fetchBy } from "./fetch-face.ts";
import { TargetBook } from "./target-book.ts";
import { textOf } from "./text-of.ts";
import { type NodeTransportOptions, readTransportOptions } from "./transport-options.ts";

export type { NodeTransportOptions };

/** A `fetch` over `node:http` and `node:https`. Make one with {@link nodeTransport}. */
export interface NodeTransport {
  /** As a `fetch`, see {@link nodeTransport}. */
  (url: string | URL, init?: RequestInit): Promise<Response>;
  /**
   * Ends the sockets that no call uses, and keeps none from now on. Calls under way go on; later ones open a
   * connection each, which ends with its call. May be called twice.
   */
  close(): void;
}

/**
 * Sends by `node:http` and `node:https`, for less than the platform's `fetch` costs. Give it to a client as its `fetch`;
 * one may serve many clients. It knows whether a byte of a request left, so a create that failed before says `not_sent`:
 * also one that was aborted or ran out of time while it waited for a connection. Without {@link NodeTransport.close},
 * an unused socket ends after `idleTimeout`, and keeps no process alive meanwhile.
 *
 * A request goes out once: no redirect is followed, nothing is repeated. Proxies are those of the environment, where
 * Node was told to use them (`NODE_USE_ENV_PROXY=1`, from Node 24 on), and a private CA comes from
 * `NODE_EXTRA_CA_CERTS`. An answer is unpacked from gzip, brotli and deflate.
 *
 * Called as a `fetch`, it takes a URL, and `method`, `headers`, `body` (text or bytes) and `signal` of an init. It
 * resolves when the whole body is there. A redirect is an answer like any other (`redirect: "manual"`), and a body
 * beyond 5,000,000 bytes breaks off there. It rejects with a `TypeError` where there is no answer, and with the
 * signal's reason.
 *
 * Where a tool for tests has replaced `http.request`, requests go by what the tool put there, and nothing is proven.
 *
 * @throws {ConfigurationError} on an option that cannot work.
 */
export function nodeTransport(options: NodeTransportOptions = {}): NodeTransport {
  const targets = new TargetBook(readTransportOptions(options));
  const send: DirectSend = async (url, request, signal, progress) => {
    const { status, rawHeaders, chunks, cut } = await exchange(targets, url, request, signal, progress);
    return { status, rawHeaders, text: textOf(chunks, cut), cut };
  };
  const transport = Object.assign(fetchBy(targets), { close: () => targets.close() });
  offerDirectSend(transport, send);
  return transport;
}
