import type { EndpointName } from "../spec/endpoints.ts";

/**
 * Whether a call charged the customer. An earlier call for the same order may have charged, too: see
 * `PaymentsError.mayHaveCharged`.
 *
 * - `not_sent`: the request was never sent; it charged no one.
 * - `rejected`: the service refused the request; it charged no one.
 * - `unknown`: the request was sent, but there was no usable response; the customer may have been charged.
 * - `created`: a transaction exists.
 * - `not_applicable`: the call does not create a transaction.
 */
export type Outcome = "not_sent" | "rejected" | "unknown" | "created" | "not_applicable";

/** Who can fix an error: the code that calls the SDK, the buyer, the network, or the service. */
export type Actor = "merchant" | "customer" | "network" | "service";

/** The call that an error is about. */
export interface ErrorContext {
  /** The call that creates the error. An error without it is never thrown by a call. */
  readonly call?: object | undefined;
  readonly outcome: Outcome;
  readonly endpoint?: EndpointName | undefined;
  readonly externalRef?: string | undefined;
  /** Host and port of the base URL. */
  readonly host?: string | undefined;
  readonly cause?: Error | undefined;
  /** Replaces the sentence about the charge that the message ends with. */
  readonly consequence?: string | undefined;
}

/** The sentence about the charge that a message ends with. @internal */
export const CONSEQUENCES: Readonly<Record<Outcome, string>> = {
  not_sent: "Nothing was sent, so no one was charged.",
  rejected: "No one was charged.",
  unknown:
    "It is not known whether the customer was charged: do not send it again. Check it with the service (dashboard or support); a postback comes only if its status changes.",
  created: "The transaction exists: do not send it again.",
  not_applicable: "",
};

/** The sentence for a call that charged no one, while an earlier one for its order may have. @internal */
export const EARLIER_CHARGE = "An earlier call for this order may have charged the customer.";

/** The service and its address, for a message. @internal */
export function describeService({ host }: ErrorContext): string {
  return host === undefined ? "service" : `service at ${host}`;
}
