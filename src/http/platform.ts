import type { Redactor } from "../data/redactor.ts";
import type { ConnectionFailure } from "../errors/connection-error.ts";
import type { Attempts } from "./attempts.ts";
import type { RequestProgress } from "./transport.ts";

/** What is left of a call that got no answer. */
export interface FailedCall {
  readonly url: string;
  readonly redactor: Redactor;
  /** Whether a `fetch` of the caller's sent it. */
  readonly foreignFetch: boolean;
  /** Whether the head of an answer could be read, now or at an attempt before. */
  readonly isHeard: boolean;
  /** The caller's. */
  readonly signal: AbortSignal | undefined;
  /** Milliseconds that finding out more may take. */
  readonly leftMs: number;
}

/** Why there was no answer. */
export interface TransportFailure {
  /** Default `network`. */
  readonly reason?: ConnectionFailure;
  /** What happened, in words, without an address. */
  readonly detail: string;
  /** The failure without what it may hold of the request. */
  readonly cause: Error | undefined;
}

/** How calls are carried to the service: from a server by other means than from a buyer's page. */
export interface Carrier {
  readonly attempts: Attempts;
  /** What a rejected `fetch` tells. */
  readonly explain: (error: unknown, call: FailedCall) => TransportFailure | Promise<TransportFailure>;
  /**
   * Puts the body of a create into an init, in the form in which a `fetch` sends it no more than once. Returns whether
   * the body asks `progress` by itself, as soon as it is read; any other is taken for sent once `fetch` is called.
   */
  readonly once?: (init: RequestInit, body: string, fetch: object, progress: RequestProgress) => boolean;
  /** What to look at where the service refuses the keys. */
  readonly keysHint: string;
}
