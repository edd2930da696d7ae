import { bare } from "../data/own.ts";
import { type Call, type Deviate, NOTHING_MORE, type Reading } from "../http/call.ts";
import type { CallScope } from "../http/call-scope.ts";
import type { RequestOptions } from "../http/request-options.ts";
import { type PaymentsPromise, promiseOf } from "../http/result.ts";
import { runCall } from "../http/run-call.ts";
import type { AuthScheme, Endpoint } from "../spec/endpoints.ts";
import { type Account, credentialsFor } from "./account.ts";

/** What a read is made of. */
export interface Read<Data> {
  readonly endpoint: Endpoint;
  readonly read: (body: unknown, deviate: Deviate, scope: CallScope) => Reading<Data>;
  /** Default: the endpoint's. */
  readonly path?: string | undefined;
  /** Default: the endpoint's. */
  readonly auth?: AuthScheme | undefined;
  /** Throws where the call cannot be meant, before anything is sent. Default: nothing to check. */
  readonly check?: (scope: CallScope) => void;
}

/** Reads something that charges nobody. */
export function fetchResource<Data>(
  account: Account,
  resource: Read<Data>,
  options: RequestOptions | undefined,
): PaymentsPromise<Data> {
  const { endpoint, read, path, auth, check } = bare(resource);
  const call = runCall(account.connection, endpoint, options, (scope) => {
    check?.(scope);
    const inScope: Call<Data>["read"] = (body, deviate) => read(body, deviate, scope);
    return { ...NOTHING_MORE, path, read: inScope, ...credentialsFor(account, scope, auth) };
  });
  return promiseOf(call);
}
