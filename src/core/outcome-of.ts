import type { Endpoint } from "../spec/endpoints.ts";
import type { Outcome } from "./errors/outcome.ts";

/** The outcome of a create; every other call charges nobody and has none. */
export function outcomeOf(endpoint: Endpoint, outcome: Exclude<Outcome, "not_applicable">): Outcome {
  return endpoint.charges ? outcome : "not_applicable";
}
