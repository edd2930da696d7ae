import { json, validationError } from "./answers.ts";
import type { SandboxTransaction } from "./transaction.ts";
import { createTransaction, type TransactionCreationContext } from "./transaction-creation.ts";
import type { TransactionRequest } from "./transaction-request.ts";
import { type TransactionRulesContext, transactionProblems } from "./transaction-rules.ts";
import { readJson } from "./wire-rules.ts";

/** POST /api/v1/transactions: a 400 with every problem, or a 201 with the transaction. */
export async function answerCreateTransaction(
  request: Request,
  context: TransactionRulesContext & TransactionCreationContext,
): Promise<Response> {
  const body = await readJson(request);

  const problems = transactionProblems(body, context);
  if (problems.length > 0) return validationError(problems);

  // The rules have just proven this shape.
  const transaction = await createTransaction(body as TransactionRequest, context);
  return json(envelopeOf(transaction), 201);
}

/** Spec: "Transaction (response envelope)"; `paidAmount` is 0 at creation, of an approved card too. */
function envelopeOf({ scenario: _scenario, timeline: _timeline, ...data }: SandboxTransaction) {
  return {
    success: true,
    message: "Transaction created",
    status: 201,
    data: { ...data, paidAmount: 0 },
  };
}
