import type { CardTokenizer, FetchLike, PaymentsClientOptions } from "payments-sdk";
import { nodeTransport } from "payments-sdk/node";
import type { Reply } from "./http-server.ts";
import { type Merchant, merchantAt, tokenizerAt } from "./merchant.ts";
import { type ServedMerchant, startMerchant } from "./start-merchant.ts";

/** A transport, and merchants that use it. */
export interface Transport {
  readonly name: string;
  /** The `fetch` option of a client. */
  readonly fetch: FetchLike | undefined;
  readonly merchantAt: (baseUrl: string, options?: PaymentsClientOptions) => Merchant;
  readonly startMerchant: (
    replies: Reply | readonly Reply[],
    options?: PaymentsClientOptions,
  ) => Promise<ServedMerchant>;
  readonly tokenizerAt: (baseUrl: string, options?: object) => CardTokenizer;
}

function transport(name: string, fetch: FetchLike | undefined): Transport {
  const at: Transport["merchantAt"] = (baseUrl, options) => merchantAt(baseUrl, { fetch, ...options });
  return {
    name,
    fetch,
    merchantAt: at,
    startMerchant: (replies, options) => startMerchant(replies, options, at),
    tokenizerAt: (baseUrl, options) => tokenizerAt(baseUrl, { fetch, ...options }),
  };
}

export const PLATFORM_FETCH = transport("the platform's fetch", undefined);

/** One for all tests, as one serves many clients: a test must not affect the next one through it. */
export const NODE_TRANSPORT = transport("nodeTransport", nodeTransport());

/** Both transports must pass the same tests: `describe.each(TRANSPORTS)("over $name", ...)`. */
export const TRANSPORTS: readonly Transport[] = [PLATFORM_FETCH, NODE_TRANSPORT];
