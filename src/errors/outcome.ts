import type { EndpointName } from "../spec/endpoints.ts";

/**
 * What became of the charge.
 *
 * - `not_sent`: the request never left; nobody was charged.
 * - `rejected`: the service refused the request; nobody was charged.
 * - `unknown`: the request left and no usable answer came back; a customer may have been charged.
 * - `created`: a transaction exists.
 * - `not_applicable`: the call was not a create.
 */
export type Outcome = "not_sent" | "rejected" | "unknown" | "created" | "not_applicable";

/** Who can mend an error: the code that calls the SDK, the buyer, the way between, or the service. */
export type Actor = "merchant" | "customer" | "network" | "service";

/** What an error knows about the call that it ended. */
export interface ErrorContext {
  /** The call that makes the error. Without it, the error cannot be the end of a call. */
  readonly call?: object | undefined;
  readonly outcome: Outcome;
  readonly endpoint?: EndpointName | undefined;
  readonly externalRef?: string | undefined;
  readonly cause?: Error | undefined;
  /** What to say of the charge instead of the sentence that the outcome has for it. */
  readonly consequence?: string | undefined;
}

const CONSEQUENCES: Readonly<Record<Outcome, string>> = {
  not_sent: "Nothing was sent, so nobody was charged.",
  rejected: "The service refused the request, so nobody was charged.",
  unknown:
    "Whether the customer was charged is not known: do not send it again, wait for the postback or look it up in the dashboard.",
  created: "The transaction exists: do not send it again.",
  not_applicable: "",
};

/** A message without what it says of its own call's charge. @internal */
export function withoutConsequence(message: string): string {
  return Object.values(CONSEQUENCES)
    .reduce((rest, text) => rest.replace(text, ""), message)
    .trimEnd();
}

/** A message that ends with what became of the charge. @internal */
export function withConsequence(message: string, { outcome, consequence }: ErrorContext): string {
  return `${message} ${consequence ?? CONSEQUENCES[outcome]}`.trimEnd();
}
