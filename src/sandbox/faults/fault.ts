import type { ServiceEndpointName } from "../../spec/endpoints.ts";

/** Every kind of fault of a call. `transactions.create` supports all of them. */
export const FAULT_KINDS = [
  "charged_then_reset",
  "charged_then_stalled",
  "charged_then_500",
  "stalled_body",
  "late_response",
  "redirect_307",
  "html_502",
  "truncated_json",
  "unknown_status",
  "drifted_body",
  "pix_refused",
  "rate_limited",
  "refused_connection",
] as const;

/**
 * A failure to simulate: of a call, or `shop_500` of a postback. docs/sandbox.md describes each kind.
 *
 * @useDeclaredType
 */
export type FaultKind = (typeof FAULT_KINDS)[number] | "shop_500";

/** The effect of each fault, in one sentence. */
export const FAULT_DESCRIPTIONS: Readonly<Record<FaultKind, string>> = {
  charged_then_reset: "Processed, then the connection is reset before the response.",
  charged_then_stalled: "Processed, but no response is ever sent.",
  charged_then_500: "Processed, but the response is a 500.",
  stalled_body: "Processed, but the response stops in the middle of its body, and the connection stays open.",
  late_response: "Processed, but the response is sent one second late.",
  redirect_307: "Not processed: a 307 redirect to the same URL. A client that follows it creates a charge.",
  html_502: "Not processed: a proxy's HTML page with status 502.",
  truncated_json: "Processed, but half of the response body is missing.",
  unknown_status: "Processed, but the response has a status that the specification does not list.",
  drifted_body: "Processed, but fields of the response have different types, are new or are missing.",
  pix_refused:
    "Processed, but the pix is refused: a 201 without a code. A card payment does not use the fault.",
  rate_limited: "Not processed: a 429 with Retry-After: 1.",
  refused_connection:
    "Not processed: the connection is refused. Over HTTP, the port is closed for all requests, for 1 second each time.",
  shop_500: "Not sent: the postback fails as if the shop had responded with a 500.",
};

/** A fault for the next calls of an endpoint, or for the next attempts to send a postback. */
export interface Fault {
  /** The endpoint whose calls fail, or `postbacks`. */
  readonly on: ServiceEndpointName | "postbacks";
  /** How they fail. */
  readonly kind: FaultKind;
  /** How many calls or attempts fail. Default 1. */
  readonly times?: number;
}

/** A fault that applies to the next calls or attempts. */
export interface ArmedFault extends Required<Fault> {
  /** 1 for the first fault, then increasing. */
  readonly id: number;
  /** How many more fail. */
  readonly times: number;
}
