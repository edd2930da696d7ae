import type { Call } from "../core/call.ts";
import type { CallScope } from "../core/call-scope.ts";
import type { Issue } from "../core/errors/issue.ts";
import { type EventListener, emitTo } from "../core/events.ts";
import type { WithResponse } from "../core/payments-promise.ts";
import { readTransaction } from "../core/read-transaction.ts";
import { issuesOfOptions } from "../core/request-options.ts";
import { runCall } from "../core/run-call.ts";
import { rescueId, transactionInRefusal } from "../core/transaction-id.ts";
import type { IdempotencyStore } from "../idempotency/contract.ts";
import { warningsFor } from "../schemas/request-warnings.ts";
import type { Transaction } from "../schemas/transaction.ts";
import type { TransactionRequest } from "../schemas/transaction-request.ts";
import { endpoints } from "../spec/endpoints.ts";
import type { PaymentMethod } from "../spec/values.ts";
import { type Account, credentialsFor } from "./account.ts";
import { createOnce, type PreparedCreate } from "./create-once.ts";
import type { CreateOptions } from "./create-options.ts";
import type { PostbackSettings } from "./postback-settings.ts";
import { type PreparedTransaction, prepareTransaction } from "./prepare-transaction.ts";
import { signPostbackUrl } from "./sign-postback-url.ts";

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
