import type { ServiceEndpointName } from "../../spec/endpoints.ts";
import type { FaultKind } from "../faults/fault.ts";

/** How many requests a gateway keeps. */
export const REQUESTS_MAX = 1_000;

/**
 * A request that the gateway received, and its response. Keys, card tokens and card data are redacted.
 *
 * @useDeclaredType
 */
export interface SandboxRequest {
  /** 1 for the first request, then increasing. */
  readonly id: number;
  /** When it arrived: ISO 8601, by the gateway's clock. */
  readonly at: string;
  /** HTTP method. */
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** Missing if no endpoint has this path and method. */
  readonly endpoint?: ServiceEndpointName;
  /** HTTP status. Missing while no response was sent, and if a fault broke the connection. */
  readonly status?: number;
  /** Whole milliseconds until the response, by the machine's clock. Missing while the request is in flight. */
  readonly durationMs?: number;
  /** At most 64 kB; empty if it has none. Only the length of a tokenization request is kept. */
  readonly requestBody: string;
  /** At most 64 kB; empty if it has none, and if a fault did not let the client have all of it. */
  readonly responseBody: string;
  /** Why the request was refused, in words. */
  readonly reason?: string;
  /** The fault that replaced the response. */
  readonly fault?: FaultKind;
  /** Id of the transaction that the request created, even if a fault replaced the response. */
  readonly transactionId?: number;
}
