import type { CardTokenizer, FetchLike, PaymentsClientOptions } from "payments-sdk";
import { nodeTransport } from "payments-sdk/node";
import { type Merchant, merchantAt, tokenizerAt } from "./merchant.ts";

/** A transport of ours, and the merchants whose calls go over it. */
export interface Transport {
  readonly name: string;
  /** What a client is given as its `fetch`. */
  readonly fetch: FetchLike | undefined;
  readonly merchantAt: (baseUrl: string, options?: PaymentsClientOptions) => Merchant;
  readonly tokenizerAt: (baseUrl: string, options?: object) => CardTokenizer;
}

function transport(name: string, fetch: FetchLike | undefined): Transport {
  return {
    name,
    fetch,
    merchantAt: (baseUrl, options) => merchantAt(baseUrl, { fetch, ...options }),
    tokenizerAt: (baseUrl, options) => tokenizerAt(baseUrl, { fetch, ...options }),
  };
}

export const PLATFORM_FETCH = transport("the platform's fetch", undefined);

/** One for all tests, as one serves many clients: what a test leaves on it may not touch the next. */
export const NODE_TRANSPORT = transport("nodeTransport", nodeTransport());

/** What holds for one has to hold for the other: `describe.each(TRANSPORTS)("over $name", ...)`. */
export const TRANSPORTS: readonly Transport[] = [PLATFORM_FETCH, NODE_TRANSPORT];
