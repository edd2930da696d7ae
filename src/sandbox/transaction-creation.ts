import { PIX_EXPIRY_DAYS } from "../spec/limits.ts";
import { type CardOutcome, OUTSIDE_LIMITS } from "./card-outcomes.ts";
import type { CardTokens } from "./card-tokens.ts";
import { type Clock, timestamp } from "./clock.ts";
import { isWithinLimits, type SandboxCompany } from "./company.ts";
import { pixCode } from "./pix-code.ts";
import { qrDataUri } from "./qr-png.ts";
import type { Random } from "./random.ts";
import type { SandboxPix, SandboxStatus, SandboxTransaction } from "./transaction.ts";
import type { TransactionLife } from "./transaction-life.ts";
import type {
  CardTransactionRequest,
  PixTransactionRequest,
  TransactionRequest,
} from "./transaction-request.ts";
import type { Transactions } from "./transactions.ts";
import type { Turns } from "./turns.ts";

const DAY_MS = 86_400_000;

/** Hundredths of a percent. The specification shows a fee and no rates. */
const FEE_RATES = { credit_card: 399, pix: 99 } as const;

/** Where the bank of a payer would fetch a charge. `.test` is reserved: no code can ever be paid for real. */
const PIX_HOST = "pix.payments.test/qr/v2";

export interface TransactionCreationContext {
  readonly baseUrl: string;
  readonly company: SandboxCompany;
  readonly clock: Clock;
  readonly random: Random;
  readonly cardTokens: Pick<CardTokens, "outcomeOf">;
  readonly transactions: Pick<Transactions, "takeId">;
  readonly life: Pick<TransactionLife, "begin">;
  readonly turns: Turns;
}

/** Makes the transaction that a valid request asks for, and begins its life. Spec: "Moves that are stated". */
export function createTransaction(
  request: TransactionRequest,
  context: TransactionCreationContext,
): Promise<SandboxTransaction> {
  return request.paymentMethod === "pix" ? createPix(request, context) : createCard(request, context);
}

async function createPix(
  request: PixTransactionRequest,
  context: TransactionCreationContext,
): Promise<SandboxTransaction> {
  // All that depends on the order of the requests comes before the first wait.
  const base = baseOf(request, "pending", context);
  const qrcodeText = pixCode({
    amount: request.amount,
    merchantName: context.company.name,
    location: `${PIX_HOST}/${context.random.hex(16)}`,
  });
  const expirationDate = timestamp(Date.parse(base.createdAt) + expiryDays(request) * DAY_MS);

  // A picture takes a while, and transactions begin in the order of their requests.
  const qrcode = await context.turns.take(qrDataUri(qrcodeText));
  const pix: SandboxPix = { qrcode, qrcodeText, expirationDate };
  const transaction = { ...base, installments: 1, pix, fees: feeOf(request) };
  context.life.begin(transaction);
  return transaction;
}

async function createCard(
  request: CardTransactionRequest,
  context: TransactionCreationContext,
): Promise<SandboxTransaction> {
  const outcome = cardOutcome(request, context);
  const isRefused = outcome.status === "refused";

  const transaction: SandboxTransaction = {
    ...baseOf(request, outcome.status, context),
    ...(outcome.refusedReason === undefined ? {} : { refusedReason: outcome.refusedReason }),
    installments: Number(request.installments),
    refusedAmount: isRefused ? request.amount : 0,
    paidAmount: outcome.status === "approved" ? request.amount : 0,
    fees: isRefused ? 0 : feeOf(request),
    scenario: outcome.scenario,
  };
  await context.turns.take(Promise.resolve());
  context.life.begin(transaction, outcome.later);
  return transaction;
}

/** With `outsideLimits: "validation"` no amount outside the limits comes this far. */
function cardOutcome(
  { amount, card }: CardTransactionRequest,
  { company, cardTokens }: TransactionCreationContext,
): CardOutcome {
  return isWithinLimits(amount, company) ? cardTokens.outcomeOf(card.hash) : OUTSIDE_LIMITS;
}

function baseOf(request: TransactionRequest, status: SandboxStatus, context: TransactionCreationContext) {
  const { baseUrl, company, clock, random, transactions } = context;
  const secureId = random.uuid();
  const createdAt = timestamp(clock.now());
  return {
    id: transactions.takeId(),
    status,
    amount: request.amount,
    companyId: company.id,
    refusedAmount: 0,
    paidAmount: 0,
    refundedAmount: 0,
    paymentMethod: request.paymentMethod,
    ...(request.metadata === undefined ? {} : { metadata: request.metadata }),
    acquirerType: "sandbox",
    secureId,
    secureUrl: `${baseUrl}/checkout/${secureId}`,
    ...(request.externalRef === undefined ? {} : { externalId: request.externalRef }),
    customer: customerOf(request),
    traceable: request.traceable ?? false,
    ...(request.postbackUrl === undefined ? {} : { postBackUrl: request.postbackUrl }),
    createdAt,
    timeline: [{ status, at: createdAt }],
  };
}

function customerOf({ customer, externalRef }: TransactionRequest): SandboxTransaction["customer"] {
  const { name, email, phone, document } = customer;
  const reference = typeof customer.externalRef === "string" ? customer.externalRef : externalRef;
  return {
    name,
    email,
    ...(phone === undefined ? {} : { phone }),
    document: { number: document.number, type: document.type },
    ...(reference === undefined ? {} : { externalRef: reference }),
  };
}

/** Spec: "Limits": 1 when not sent, larger values than 30 reduced to 30. */
function expiryDays({ pix }: PixTransactionRequest): number {
  return Math.min(pix?.expiresInDays ?? PIX_EXPIRY_DAYS.default, PIX_EXPIRY_DAYS.max);
}

function feeOf({ amount, paymentMethod }: TransactionRequest): number {
  return Math.round((amount / 10_000) * FEE_RATES[paymentMethod]);
}
