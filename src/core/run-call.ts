import type { Endpoint } from "../spec/endpoints.ts";
import type { Call } from "./call.ts";
import type { Connection } from "./connection.ts";
import { InvalidRequestError } from "./errors/invalid-request-error.ts";
import { isPaymentsError } from "./errors/payments-error.ts";
import { emitTo } from "./events.ts";
import { outcomeOf } from "./outcome-of.ts";
import type { WithResponse } from "./payments-promise.ts";
import { Pipeline } from "./pipeline.ts";
import { fixOptions, type RequestOptions } from "./request-options.ts";

/**
 * Prepares a call, sends it, and makes a result or a `PaymentsError` of whatever happens. What needs no sending is its
 * own result.
 */
export async function runCall<Data>(
  connection: Connection,
  endpoint: Endpoint,
  options: RequestOptions | undefined,
  prepare: () => Call<Data> | Promise<Call<Data> | WithResponse<Data>>,
): Promise<WithResponse<Data>> {
  let pipeline: Pipeline<Data> | undefined;
  try {
    const prepared = prepare();
    if (prepared instanceof Promise) {
      const fixed = fixOptions(options); // the caller may use the object again while it waits
      const call = await prepared;
      if ("response" in call) return call;
      pipeline = new Pipeline(connection, endpoint, fixed, call);
    } else {
      pipeline = new Pipeline(connection, endpoint, options, prepared);
    }
    return await pipeline.finish();
  } catch (error) {
    const failure = isPaymentsError(error)
      ? error
      : ((await pipeline?.failure(error)) ?? unreadable(endpoint));
    const { externalRef } = failure;
    const event = { type: "error", endpoint: endpoint.name, error: failure } as const;
    emitTo(connection.onEvent, externalRef === undefined ? event : { ...event, externalRef });
    throw failure;
  }
}

/** Only what a caller passed in can fail before a call is ready, such as a getter that throws. */
function unreadable(endpoint: Endpoint): InvalidRequestError {
  const issues = [{ field: "options", message: "could not be read" }];
  return new InvalidRequestError(issues, {
    outcome: outcomeOf(endpoint, "not_sent"),
    endpoint: endpoint.name,
  });
}
