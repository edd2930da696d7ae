/**
 * For your server: the client, its errors and events, money helpers, and the types of parameters and results.
 *
 * @module payments-sdk
 */

export type { PaymentsClientOptions } from "./client/client-options.ts";
export { PaymentsClient } from "./client/payments-client.ts";
export { AbortedError } from "./errors/aborted-error.ts";
export { ApiError } from "./errors/api-error.ts";
export { AuthenticationError } from "./errors/authentication-error.ts";
export { CardRefusedError } from "./errors/card-refused-error.ts";
export { CardTokenExpiredError } from "./errors/card-token-expired-error.ts";
export { ConfigurationError } from "./errors/configuration-error.ts";
export { ConnectionError, type ConnectionFailure } from "./errors/connection-error.ts";
export { EnvironmentMismatchError } from "./errors/environment-mismatch-error.ts";
export { type EarlierPayment, IdempotencyConflictError } from "./errors/idempotency-conflict-error.ts";
export { IdempotencyStoreError } from "./errors/idempotency-store-error.ts";
export { InvalidPostbackError } from "./errors/invalid-postback-error.ts";
export { InvalidRequestError } from "./errors/invalid-request-error.ts";
export { type AnyPaymentsError, isPaymentsError } from "./errors/is-payments-error.ts";
export type { Issue } from "./errors/issue.ts";
export { NotFoundError } from "./errors/not-found-error.ts";
export type { Actor, Outcome } from "./errors/outcome.ts";
export { OutcomePendingError } from "./errors/outcome-pending-error.ts";
export { PaymentsError, type PaymentsErrorCode } from "./errors/payments-error.ts";
export { PixRefusedError } from "./errors/pix-refused-error.ts";
export { RateLimitError } from "./errors/rate-limit-error.ts";
export { RedirectError } from "./errors/redirect-error.ts";
export { ServerError } from "./errors/server-error.ts";
export { TimeoutError } from "./errors/timeout-error.ts";
export { UnexpectedResponseError } from "./errors/unexpected-response-error.ts";
export { UntrustedPostbackError, type UntrustedReason } from "./errors/untrusted-postback-error.ts";
export { ValidationError } from "./errors/validation-error.ts";
export type { ConnectionOptions } from "./http/config.ts";
export {
  type DriftEvent,
  type ErrorEvent,
  type EventListener,
  type Logger,
  logEvents,
  type PaymentsEvent,
  type RequestEvent,
  type ResponseEvent,
  type RetryEvent,
  type WarningEvent,
} from "./http/events.ts";
export type { HeadersInput, RequestOptions } from "./http/request-options.ts";
export type { PaymentsPromise, ResponseMeta, WithResponse } from "./http/result.ts";
export type { FetchLike } from "./http/transport.ts";
export { type Postback, type PostbackInput, parsePostback } from "./postbacks/parse-postback.ts";
export type { CardTokensResource } from "./resources/card-tokens.ts";
export type { Company, CompanyResource } from "./resources/company.ts";
export { formatBRL, parseBRL, toCents } from "./resources/money.ts";
export type { Query, QueryValue, ReadOptions } from "./resources/query.ts";
export type { RequestParams } from "./resources/request.ts";
export type { Seller, SellerRevenue, SellersResource } from "./resources/sellers.ts";
export type { ServiceComponent, ServiceStatus, StatusResource } from "./resources/service-status.ts";
export { assertNotRefused } from "./resources/transactions/assert-not-refused.ts";
export type {
  CardParamsWith,
  CardTokenLike,
  CreateCardParams,
  CreateDefaults,
  CreatePixParams,
  CreateTransactionParams,
  CustomerDocument,
  CustomerParams,
  Metadata,
  OrderItem,
} from "./resources/transactions/params.ts";
export type {
  CardTransaction,
  PixCode,
  PixTransaction,
  RefusedCardTransaction,
  Transaction,
  TransactionCustomer,
  UnrefusedCardTransaction,
} from "./resources/transactions/transaction.ts";
export type { CreateOptions, TransactionsResource } from "./resources/transactions/transactions.ts";
export type { EndpointName } from "./spec/endpoints.ts";
export { isCnpj, isCpf } from "./spec/tax-id.ts";
export type { TransactionStatus } from "./spec/transaction-status.ts";
export type { PaymentMethod } from "./spec/values.ts";
export type { CardParams } from "./tokenizer/card.ts";
export { CardToken } from "./tokenizer/card-token.ts";
export { CardTokenizer, type CardTokenizerOptions } from "./tokenizer/card-tokenizer.ts";
export {
  type InstallmentOption,
  type InstallmentPlanOptions,
  installmentPlan,
} from "./tokenizer/installment-plan.ts";
