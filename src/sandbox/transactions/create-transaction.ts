import { endpoints } from "../../spec/endpoints.ts";
import { PIX_EXPIRY_DAYS } from "../../spec/limits.ts";
import {
  ANTIFRAUD_REASON,
  type LaterOutcome,
  OUTSIDE_LIMITS,
  OUTSIDE_LIMITS_REASON,
} from "../cards/test-cards.ts";
import { type Clock, toTimestamp } from "../clock.ts";
import type { FaultSupply } from "../faults/faults.ts";
import type { Random } from "../random.ts";
import { isWithinLimits } from "../sandbox-company.ts";
import { validationError } from "../service-responses.ts";
import { createPixCode, toQrDataUri } from "./pix-code.ts";
import type { SandboxStatus, SandboxTransaction } from "./sandbox-transaction.ts";
import type { TransactionRecords } from "./transaction-records.ts";
import {
  type CardTransactionRequest,
  type PixTransactionRequest,
  type TransactionRequest,
  type ValidationContext,
  validateTransaction,
} from "./validate-transaction.ts";

const DAY_MS = 86_400_000;

/** Hundredths of a percent. The specification shows a fee, but no rates. */
const FEE_RATES = { credit_card: 399, pix: 99 } as const;

/** Where a bank would fetch the charge of a pix code. `.test` is reserved, so no code can be paid with real money. */
const PIX_HOST = "pix.payments.test/qr/v2";

export interface CreationContext extends ValidationContext {
  readonly clock: Clock;
  readonly random: Random;
  readonly transactions: TransactionRecords;
  readonly faults: Pick<FaultSupply, "take">;
}

interface Creation {
  readonly transaction: SandboxTransaction;
  /** A change of status that the card's scenario causes later. */
  readonly later?: LaterOutcome | undefined;
}

/** POST /api/v1/transactions: a 400 with all problems, or a 201 with the transaction. */
export function handleCreateTransaction(body: unknown, context: CreationContext): Response {
  const problems = validateTransaction(body, context);
  if (problems.length > 0) return validationError(problems);

  const request = body as TransactionRequest; // the validation above checks this shape
  const isPix = request.paymentMethod === "pix";
  const { transaction, later } = isPix ? createPix(request, context) : createCard(request, context);
  context.transactions.add(transaction, later);
  return Response.json(toEnvelope(transaction), { status: 201 });
}

/** Spec: "Transaction (response envelope)". `paidAmount` is 0 at creation, even if a card is approved. */
function toEnvelope(transaction: SandboxTransaction) {
  const { scenario: _scenario, fault: _fault, items: _items, timeline: _timeline, ...data } = transaction;
  return { success: true, message: "Transaction created", status: 201, data: { ...data, paidAmount: 0 } };
}

function createPix(request: PixTransactionRequest, context: CreationContext): Creation {
  const refusal = pixRefusal(request, context);
  // A refused pix has no code. The specification does not show one: see `outsideLimits` and the fault `pix_refused`.
  if (refusal !== undefined) {
    return {
      transaction: { ...createBase(request, "refused", context), ...refusal, installments: 1, fees: 0 },
    };
  }
  const base = createBase(request, "pending", context);
  const qrcodeText = createPixCode({
    amount: request.amount,
    merchantName: context.company.name,
    location: `${PIX_HOST}/${context.random.hex(16)}`,
  });
  const expirationDate = toTimestamp(Date.parse(base.createdAt) + expiryDays(request) * DAY_MS);
  const pix = { qrcode: toQrDataUri(qrcodeText), qrcodeText, expirationDate };
  return { transaction: { ...base, installments: 1, pix, fees: feeOf(request) } };
}

/** Unless `outsideLimits` is `refused`, the validation has already refused an amount outside the limits. */
function pixRefusal(
  { amount }: PixTransactionRequest,
  { company, faults }: CreationContext,
): Pick<SandboxTransaction, "refusedReason" | "fault"> | undefined {
  if (!isWithinLimits(amount, company)) return { refusedReason: OUTSIDE_LIMITS_REASON };
  const fault = faults.take(endpoints.createTransaction.name, "refusePix");
  return fault && { refusedReason: ANTIFRAUD_REASON, fault: fault.kind };
}

function createCard(request: CardTransactionRequest, context: CreationContext): Creation {
  const { amount, card } = request;
  // With `outsideLimits: "validation"`, the validation has already refused an amount outside the limits.
  const outcome = isWithinLimits(amount, context.company)
    ? context.cardTokens.outcomeOf(card.hash)
    : OUTSIDE_LIMITS;
  const isRefused = outcome.status === "refused";

  const transaction: SandboxTransaction = {
    ...createBase(request, outcome.status, context),
    ...(outcome.refusedReason !== undefined && { refusedReason: outcome.refusedReason }),
    installments: Number(request.installments),
    refusedAmount: isRefused ? amount : 0,
    paidAmount: outcome.status === "approved" ? amount : 0,
    fees: isRefused ? 0 : feeOf(request),
    scenario: outcome.scenario,
  };
  return { transaction, later: outcome.later };
}

function createBase(request: TransactionRequest, status: SandboxStatus, context: CreationContext) {
  const { baseUrl, company, clock, random, transactions } = context;
  const { metadata, externalRef, postbackUrl, items } = request;
  const secureId = random.uuid();
  const createdAt = toTimestamp(clock.now());
  return {
    id: transactions.nextId(),
    status,
    amount: request.amount,
    companyId: company.id,
    refusedAmount: 0,
    paidAmount: 0,
    refundedAmount: 0,
    paymentMethod: request.paymentMethod,
    ...(metadata !== undefined && { metadata }),
    acquirerType: "sandbox",
    secureId,
    secureUrl: `${baseUrl}/checkout/${secureId}`,
    ...(externalRef !== undefined && { externalId: externalRef }),
    customer: toCustomer(request),
    traceable: request.traceable ?? false,
    ...(postbackUrl !== undefined && { postBackUrl: postbackUrl }),
    createdAt,
    ...(items !== undefined && { items }),
    timeline: [{ status, at: createdAt }],
  };
}

function toCustomer({ customer, externalRef }: TransactionRequest): SandboxTransaction["customer"] {
  const { name, email, phone, document } = customer;
  return {
    name,
    email,
    ...(phone !== undefined && { phone }),
    document: { number: document.number, type: document.type },
    ...(externalRef !== undefined && { externalRef }),
  };
}

/** Spec: "Limits": 1 if not sent; values above 30 are reduced to 30. */
function expiryDays({ pix }: PixTransactionRequest): number {
  return Math.min(pix?.expiresInDays ?? PIX_EXPIRY_DAYS.default, PIX_EXPIRY_DAYS.max);
}

function feeOf({ amount, paymentMethod }: TransactionRequest): number {
  return Math.round((amount / 10_000) * FEE_RATES[paymentMethod]);
}
