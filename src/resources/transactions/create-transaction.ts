import type { PostbackSettings } from "../../client/postback-settings.ts";
import type { Issue } from "../../errors/issue.ts";
import type { Call } from "../../http/call.ts";
import type { CallScope } from "../../http/call-scope.ts";
import { type EventListener, emitTo } from "../../http/events.ts";
import { issuesOfOptions } from "../../http/request-options.ts";
import type { WithResponse } from "../../http/result.ts";
import { runCall } from "../../http/run-call.ts";
import type { IdempotencyStore } from "../../idempotency/contract.ts";
import { endpoints } from "../../spec/endpoints.ts";
import type { PaymentMethod } from "../../spec/values.ts";
import { type Account, credentialsFor } from "../account.ts";
import { createOnce, type PreparedCreate } from "./create-once.ts";
import type { CreateOptions } from "./create-options.ts";
import { type PreparedTransaction, prepareTransaction } from "./prepare-transaction.ts";
import { readTransaction } from "./read-transaction.ts";
import type { TransactionRequest } from "./request.ts";
import { signPostbackUrl } from "./sign-postback-url.ts";
import type { Transaction } from "./transaction.ts";
import { rescueId, transactionInRefusal } from "./transaction-id.ts";
import { warningsFor } from "./warnings.ts";

/** What a client's creates have in common. */
export interface CreateSettings {
  readonly account: Account;
  readonly postbacks: PostbackSettings;
  readonly store: IdempotencyStore | undefined;
}

/** What a create was called with. */
export interface CreateArguments {
  readonly params: unknown;
  /** The method that the caller chose by the name of the function; else `params` says. */
  readonly method: PaymentMethod | undefined;
  readonly options: CreateOptions | undefined;
}

const endpoint = endpoints.createTransaction;

/** Sends a create, once. */
export function createTransaction(
  settings: CreateSettings,
  create: CreateArguments,
): Promise<WithResponse<Transaction>> {
  const { account, store } = settings;
  const { connection } = account;
  if (store !== undefined) {
    return createOnce(store, connection, create.options, (scope, options) =>
      prepare(scope, settings, create, options),
    );
  }
  return runCall(connection, endpoint, create.options, (scope, options) => {
    const prepared = prepare(scope, settings, create, options);
    return prepared instanceof Promise ? prepared.then(({ call }) => call) : prepared.call;
  });
}

/** A promise only where there is something to wait for. */
function prepare(
  scope: CallScope,
  { account, postbacks, store }: CreateSettings,
  { params, method }: CreateArguments,
  options: CreateOptions | undefined,
): PreparedCreate | Promise<PreparedCreate> {
  const { url: postbackUrl, signer } = postbacks;
  const prepared = prepareTransaction(scope, {
    params,
    method,
    postbackUrl,
    signsPostbackUrls: signer !== undefined,
    isKept: store !== undefined,
    extraBody: options?.extraBody,
    optionIssues: [...issuesOfOptions(endpoint, options), ...issuesWithoutStore(store, options)],
  });
  const { request, expired } = prepared;
  if (signer === undefined) return { request, call: callOf(scope, account, prepared), expired };
  const timeout = options?.timeout ?? account.connection.timeout;
  const signal = options?.signal;
  return signPostbackUrl(scope, prepared, signer, { timeout, signal }).then((signed) => ({
    request: signed.request,
    call: callOf(scope, account, signed, request.postbackUrl),
    expired,
  }));
}

function issuesWithoutStore(
  store: IdempotencyStore | undefined,
  options: CreateOptions | undefined,
): Issue[] {
  if (store !== undefined || options?.wait === undefined) return [];
  return [{ field: "options.wait", message: "needs a client with `idempotency`" }];
}

function callOf(
  scope: CallScope,
  account: Account,
  { request, body }: PreparedTransaction,
  unsignedUrl?: string,
): Call<Transaction> {
  const { externalRef, postbackUrl } = request;
  tellWarnings(request, account.connection.onEvent);
  const { authorization, secrets } = credentialsFor(account, scope);
  const token = request.paymentMethod === "credit_card" ? request.card.hash : undefined;
  return {
    path: undefined,
    query: undefined,
    body,
    authorization,
    secrets: [...secrets, token, postbackUrl, unsignedUrl],
    read: (answer, deviate, redactorOf) => readTransaction(answer, request, deviate, redactorOf),
    rescueId: (text) => rescueId(text, externalRef),
    transactionInRefusal: (text) => transactionInRefusal(text, externalRef),
    beforeSend: undefined,
    fieldOf: undefined,
  };
}

/** Without a listener nothing is looked for. */
function tellWarnings(request: TransactionRequest, onEvent: EventListener | undefined): void {
  if (onEvent === undefined) return;
  const { externalRef } = request;
  for (const { field, message } of warningsFor(request)) {
    const event = { type: "warning", endpoint: endpoint.name, field, message } as const;
    emitTo(onEvent, externalRef === undefined ? event : { ...event, externalRef });
  }
}
