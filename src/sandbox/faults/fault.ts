import type { ServiceEndpointName } from "../../spec/endpoints.ts";

/** Every kind of fault. */
export const FAULT_KINDS = [
  "charged_then_reset",
  "charged_then_stalled",
  "charged_then_500",
  "stalled_body",
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
 * A failure to simulate for a call. docs/sandbox.md describes each kind.
 *
 * @useDeclaredType
 */
export type FaultKind = (typeof FAULT_KINDS)[number];

/** A fault for the next calls of an endpoint. */
export interface Fault {
  /** The endpoint whose calls fail. */
  readonly on: ServiceEndpointName;
  /** How they fail. */
  readonly kind: FaultKind;
  /** How many calls fail. Default 1. */
  readonly times?: number;
}

/** A fault that applies to the next calls. */
export interface ArmedFault {
  /** 1 for the first fault, then increasing. */
  readonly id: number;
  /** The endpoint whose calls fail. */
  readonly on: ServiceEndpointName;
  /** How they fail. */
  readonly kind: FaultKind;
  /** How many more calls fail. */
  readonly times: number;
}
