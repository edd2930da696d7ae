/**
 * Taking payments, on a server: the client, its errors and events, money, and the types of what goes in and comes out.
 *
 * @module payments-sdk
 */

export type { CardTokensResource } from "./client/card-tokens.ts";
export type { PaymentsClientOptions } from "./client/client-options.ts";
export type { CompanyResource } from "./client/company.ts";
export type { CreateOptions } from "./client/create-options.ts";
export { PaymentsClient } from "./client/payments-client.ts";
export type { SellersResource } from "./client/sellers.ts";
export type { StatusResource } from "./client/status.ts";
export type { TransactionsResource } from "./client/transactions.ts";

export { assertNotRefused } from "./core/assert-not-refused.ts";
export type { ConnectionOptions, FetchLike } from "./core/connection.ts";
export { AbortedError } from "./core/errors/aborted-error.ts";
export { ApiError } from "./core/errors/api-error.ts";
export { AuthenticationError } from "./core/errors/authentication-error.ts";
export { CardRefusedError } from "./core/errors/card-refused-error.ts";
export { CardTokenExpiredError } from "./core/errors/card-token-expired-error.ts";
export { ConfigurationError } from "./core/errors/configuration-error.ts";
export { ConnectionError, type ConnectionFailure } from "./core/errors/connection-error.ts";
export { EnvironmentMismatchError } from "./core/errors/environment-mismatch-error.ts";
export { type EarlierPayment, IdempotencyConflictError } from "./core/errors/idempotency-conflict-error.ts";
export { IdempotencyStoreError } from "./core/errors/idempotency-store-error.ts";
export { InvalidPostbackError } from "./core/errors/invalid-postback-error.ts";
export { InvalidRequestError } from "./core/errors/invalid-request-error.ts";
export type { Issue } from "./core/errors/issue.ts";
export { NotFoundError } from "./core/errors/not-found-error.ts";
export type { Actor, Outcome } from "./core/errors/outcome.ts";
export { OutcomePendingError } from "./core/errors/outcome-pending-error.ts";
export { isPaymentsError, PaymentsError, type PaymentsErrorCode } from "./core/errors/payments-error.ts";
export { RateLimitError } from "./core/errors/rate-limit-error.ts";
export { RedirectError } from "./core/errors/redirect-error.ts";
export { ServerError } from "./core/errors/server-error.ts";
export { TimeoutError } from "./core/errors/timeout-error.ts";
export { UnexpectedResponseError } from "./core/errors/unexpected-response-error.ts";
export { UntrustedPostbackError, type UntrustedReason } from "./core/errors/untrusted-postback-error.ts";
export { ValidationError } from "./core/errors/validation-error.ts";
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
} from "./core/events.ts";
export { formatBRL, parseBRL, toCents } from "./core/money.ts";
export type { PaymentsPromise, ResponseMeta, WithResponse } from "./core/payments-promise.ts";
export type { HeadersInput, RequestOptions } from "./core/request-options.ts";
export type { CardParams } from "./schemas/card-token-request.ts";
export type { Company } from "./schemas/company.ts";
export type { Seller, SellerRevenue } from "./schemas/seller.ts";
export type { ServiceComponent, ServiceStatus } from "./schemas/service-status.ts";
export type {
  CardTransaction,
  PixCode,
  PixTransaction,
  RefusedCardTransaction,
  Transaction,
  TransactionCustomer,
  UnrefusedCardTransaction,
} from "./schemas/transaction.ts";
export type {
  CardTokenLike,
  CreateCardParams,
  CreatePixParams,
  CreateTransactionParams,
  CustomerDocument,
  CustomerParams,
  Metadata,
  OrderItem,
} from "./schemas/transaction-params.ts";
export type { EndpointName } from "./spec/endpoints.ts";
export type { PaymentMethod, TransactionStatus } from "./spec/values.ts";
export { CardToken } from "./tokenizer/card-token.ts";
export { CardTokenizer, type CardTokenizerOptions } from "./tokenizer/card-tokenizer.ts";
