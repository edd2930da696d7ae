/**
 * For your server: the client, its errors and events, money helpers, and the types of parameters and results.
 *
 * @module payments-sdk
 */

export { PaymentsClient, type PaymentsClientOptions } from "./client/payments-client.ts";
export type * from "./contracts/close.ts";
export type * from "./contracts/transaction.ts";
export type * from "./contracts/transaction-params.ts";
export {
  ApiError,
  AuthenticationError,
  CardRefusedError,
  NotFoundError,
  PixRefusedError,
  RateLimitError,
  RedirectError,
  ServerError,
  UnexpectedResponseError,
  ValidationError,
} from "./errors/api-errors.ts";
export * from "./errors/connection-errors.ts";
export * from "./errors/idempotency-errors.ts";
export { type AnyPaymentsError, isPaymentsError } from "./errors/is-payments-error.ts";
export type { Issue } from "./errors/issue.ts";
export { type Actor, type Outcome, PaymentsError, type PaymentsErrorCode } from "./errors/payments-error.ts";
export * from "./errors/postback-errors.ts";
export {
  CardTokenExpiredError,
  ConfigurationError,
  EnvironmentMismatchError,
  InvalidRequestError,
} from "./errors/usage-errors.ts";
export type { HeadersInput, RequestOptions } from "./http/call.ts";
export type { ConnectionOptions } from "./http/config.ts";
export * from "./http/events.ts";
export type { PaymentsPromise, ResponseMeta, WithResponse } from "./http/result.ts";
export type { PaymentsCallTrace } from "./http/trace.ts";
export type { FetchLike } from "./http/transport.ts";
export { type Postback, type PostbackInput, parsePostback } from "./postbacks/parse-postback.ts";
export type { CardTokensResource } from "./resources/card-tokens.ts";
export type { Company, CompanyResource } from "./resources/company.ts";
export { formatBRL, parseBRL, toCents } from "./resources/money.ts";
export type { Query, QueryValue, ReadOptions } from "./resources/query.ts";
export type { RequestParams } from "./resources/raw-request.ts";
export type { Seller, SellerRevenue, SellersResource } from "./resources/sellers.ts";
export type { ServiceComponent, ServiceStatus, StatusResource } from "./resources/service-status.ts";
export {
  assertNotRefused,
  type CreateOptions,
  type TransactionsResource,
} from "./resources/transactions/create.ts";

export { isCnpj, isCpf } from "./spec/check-digits.ts";
export type { EndpointName } from "./spec/endpoints.ts";
export type { TransactionStatus } from "./spec/transaction-status.ts";
export type { PaymentMethod } from "./spec/values.ts";
export { CardToken } from "./tokenizer/card-token.ts";
export { CardTokenizer, type CardTokenizerOptions } from "./tokenizer/card-tokenizer.ts";
export * from "./tokenizer/installment-plan.ts";
export type { CardParams } from "./tokenizer/tokenize.ts";
