import { ConnectionError } from "../errors/connection-error.ts";
import { InvalidRequestError } from "../errors/invalid-request-error.ts";
import type { PaymentsError } from "../errors/payments-error.ts";
import type { Endpoint } from "../spec/endpoints.ts";
import type { Call } from "./call.ts";
import { CallScope } from "./call-scope.ts";
import type { Connection } from "./connection.ts";
import { emitTo } from "./events.ts";
import { Pipeline } from "./pipeline.ts";
import { copyOptions, type RequestOptions } from "./request-options.ts";
import type { WithResponse } from "./result.ts";

/**
 * Prepares a call, sends it, and returns its result. What needs no sending is its own result.
 *
 * This is the one way out for errors: only errors that this call made leave it. Whatever else is thrown meanwhile, by a
 * signal, a custom `fetch`, a listener, a store or a signer, becomes a new error of this call, with this call's outcome.
 */
export async function runCall<Data, Options extends RequestOptions>(
  connection: Connection,
  endpoint: Endpoint,
  options: Options | undefined,
  prepare: (
    scope: CallScope,
    options: Options | undefined,
  ) => Call<Data> | Promise<Call<Data> | WithResponse<Data>>,
): Promise<WithResponse<Data>> {
  const scope = new CallScope(endpoint);
  let pipeline: Pipeline<Data> | undefined;
  try {
    const given = copyOptions(endpoint, options);
    const prepared = prepare(scope, given);
    const call = prepared instanceof Promise ? await prepared : prepared;
    if (isResult(call)) return call;
    pipeline = new Pipeline(connection, scope, given, call);
    return await pipeline.finish();
  } catch (error) {
    const failure = scope.made(error) ? error : await ownErrorFor(error, scope, pipeline);
    const { externalRef } = failure;
    const event = { type: "error", endpoint: endpoint.name, error: failure } as const;
    emitTo(connection.onEvent, externalRef === undefined ? event : { ...event, externalRef });
    throw failure;
  }
}

function isResult<Data>(call: Call<Data> | WithResponse<Data>): call is WithResponse<Data> {
  return Object.hasOwn(call, "response");
}

/** The error of this call for something that other code threw. */
async function ownErrorFor<Data>(
  error: unknown,
  scope: CallScope,
  pipeline: Pipeline<Data> | undefined,
): Promise<PaymentsError> {
  if (pipeline === undefined) {
    // Only what was passed in can fail before a call is ready, such as a getter that throws.
    const issues = [{ field: "options", message: "could not be read" }];
    return new InvalidRequestError(issues, scope.context("not_sent"));
  }
  try {
    return await pipeline.failure(error);
  } catch {
    return new ConnectionError("unknown reason", pipeline.outcomeOfFailure());
  }
}
