import type { ErrorContext, Outcome } from "../errors/outcome.ts";
import { isErrorOf, type PaymentsError } from "../errors/payments-error.ts";
import type { Endpoint } from "../spec/endpoints.ts";

/** One call of the SDK: what its errors say of it, and by what they are known to be its own. */
export class CallScope {
  readonly endpoint: Endpoint;
  /** The merchant's reference, once it was read from the parameters. */
  externalRef: string | undefined;

  constructor(endpoint: Endpoint) {
    this.endpoint = endpoint;
  }

  /** What an error of this call is made with. Only a create has an outcome: nothing else can charge anyone. */
  context(outcome: Exclude<Outcome, "not_applicable">): ErrorContext {
    const { name, charges } = this.endpoint;
    const { externalRef } = this;
    const context = {
      call: this,
      outcome: charges ? outcome : "not_applicable",
      endpoint: name,
      externalRef,
    } as const;
    return { ...context, cause: undefined, consequence: undefined };
  }

  /** Whether this very call made an error. An error of another call says nothing about this one. */
  made(error: unknown): error is PaymentsError {
    return isErrorOf(this, error);
  }
}
