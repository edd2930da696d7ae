import { assertConfig } from "../errors/check-options.ts";
import { type DirectSend, offerDirectSend } from "../http/transport.ts";
import { exchange } from "./exchange.ts";
import { fetchBy } from "./fetch-adapter.ts";
import { TargetCache } from "./target-cache.ts";
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
 * @throws {ConfigurationError} on an option that cannot work, and on a Bun before 1.4 or a Deno before 2.9, whose
 * `node:http` sends requests twice or not at all.
 */
export function nodeTransport(options: NodeTransportOptions = {}): NodeTransport {
  assertConfig(
    !isTooOld(),
    "nodeTransport needs Node, Bun 1.4 or newer, or Deno 2.9 or newer: leave it out here.",
  );
  const targets = new TargetCache(readTransportOptions(options));
  const send: DirectSend = async (url, request, signal, progress) => {
    const { chunks, ...incoming } = await exchange(targets, url, request, signal, progress);
    return { ...incoming, text: textOf(chunks, incoming.cut) };
  };
  const transport = Object.assign(fetchBy(targets), { close: () => targets.close() });
  offerDirectSend(transport, send);
  return transport;
}

/** What was seen to send twice (Bun 1.3.12), to break off every answer (Bun 1.3.14) or to send nothing (Deno 2.5). */
function isTooOld(): boolean {
  const { Bun, Deno } = globalThis as { Bun?: { version?: string }; Deno?: { version?: { deno?: string } } };
  return (
    /^(?:0|1\.[0-3])\./.test(String(Bun?.version)) || /^(?:[01]|2\.[0-8])\./.test(String(Deno?.version?.deno))
  );
}
