import type { EndpointName } from "../../spec/endpoints.ts";

/** Every way in which a call can go wrong on purpose. */
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
  "rate_limited",
  "refused_connection",
] as const;

/**
 * A way in which a call can go wrong on purpose; docs/sandbox.md says what each does.
 *
 * @useDeclaredType
 */
export type FaultKind = (typeof FAULT_KINDS)[number];

/** A way in which the next calls of an endpoint go wrong. */
export interface Fault {
  /** The calls that go wrong. */
  readonly on: EndpointName;
  /** How they go wrong. */
  readonly kind: FaultKind;
  /** How many calls go wrong. Default 1. */
  readonly times?: number;
}

/** A fault that waits for its calls. */
export interface ArmedFault {
  /** Counts up from 1. */
  readonly id: number;
  /** The calls that go wrong. */
  readonly on: EndpointName;
  /** How they go wrong. */
  readonly kind: FaultKind;
  /** How many are left. */
  readonly times: number;
}
