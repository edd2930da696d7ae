import { isPaymentsError } from "../../errors/payments-error.ts";
import type { Call } from "../../http/call.ts";
import type { CallScope } from "../../http/call-scope.ts";
import type { Connection } from "../../http/connection.ts";
import type { WithResponse } from "../../http/result.ts";
import { runCall } from "../../http/run-call.ts";
import type { ClaimedOrder, IdempotencyStore } from "../../idempotency/contract.ts";
import { endpoints } from "../../spec/endpoints.ts";
import { AtMostOnce } from "./at-most-once.ts";
import { endByFailure, endWith } from "./attempt-end.ts";
import type { CreateOptions } from "./create-options.ts";
import type { TransactionRequest } from "./request.ts";
import { tellLimitOnce } from "./tell-limit-once.ts";
import { tellOfExpiredPix } from "./tell-of-expired-pix.ts";
import type { Transaction } from "./transaction.ts";

/** A create that is ready to be sent. */
export interface PreparedCreate {
  readonly request: TransactionRequest;
  readonly call: Call<Transaction>;
  /** Why it cannot be sent, unless it was sent before. */
  readonly expired?: Error | undefined;
}

const endpoint = endpoints.createTransaction;

/** Sends a create that was not sent before, by whomever; gives the transaction of one that was. */
export async function createOnce(
  store: IdempotencyStore,
  connection: Connection,
  options: CreateOptions | undefined,
  prepare: (scope: CallScope, options: CreateOptions | undefined) => PreparedCreate | Promise<PreparedCreate>,
): Promise<WithResponse<Transaction>> {
  const guard = new AtMostOnce(store, connection.onEvent);
  let result: WithResponse<Transaction>;
  try {
    result = await runCall(connection, endpoint, options, async (scope, given) => {
      tellLimitOnce(store, connection.onEvent);
      const timeout = given?.timeout ?? connection.timeout;
      const wait = given?.wait ?? 0;
      const signal = given?.signal;
      const { request, call, expired } = await prepare(scope, given);
      const order = orderOf(request);
      const sent = await guard.claim({ scope, order, secrets: call.secrets, timeout, wait, signal });
      if (sent === undefined && expired !== undefined) throw expired;
      if (sent === undefined) return { ...call, beforeSend: guard.beforeSend };
      tellOfExpiredPix(sent.data, order.externalRef, connection.onEvent);
      return sent;
    });
  } catch (error) {
    await guard.end(endByFailure(error), outcomeOf(error));
    tellLimitOnce(store, connection.onEvent);
    throw error;
  }
  await guard.end(endWith(result.data), "created");
  tellLimitOnce(store, connection.onEvent); // some stores know it only once they were used
  return result;
}

function outcomeOf(error: unknown): "not_sent" | "rejected" | "unknown" | "created" {
  return isPaymentsError(error) && error.outcome !== "not_applicable" ? error.outcome : "unknown";
}

/** Its reference is there: a client with a store requires it. */
function orderOf(request: TransactionRequest): ClaimedOrder {
  const { externalRef = "", amount, paymentMethod } = request;
  const installments = paymentMethod === "credit_card" ? request.installments : undefined;
  const order = { externalRef, amount, paymentMethod, owner: crypto.randomUUID() };
  return installments === undefined ? order : { ...order, installments };
}
