/**
 * For the buyer's page: converts card data to tokens with the public key only, and has helpers for card forms and
 * installments.
 *
 * @module payments-sdk/browser
 */

export { AbortedError } from "./errors/aborted-error.ts";
export { ApiError } from "./errors/api-error.ts";
export { AuthenticationError } from "./errors/authentication-error.ts";
export { ConfigurationError } from "./errors/configuration-error.ts";
export { ConnectionError, type ConnectionFailure } from "./errors/connection-error.ts";
export { InvalidRequestError } from "./errors/invalid-request-error.ts";
export { type AnyPaymentsError, isPaymentsError } from "./errors/is-payments-error.ts";
export type { Issue } from "./errors/issue.ts";
export { NotFoundError } from "./errors/not-found-error.ts";
export type { Actor, Outcome } from "./errors/outcome.ts";
export { PaymentsError, type PaymentsErrorCode } from "./errors/payments-error.ts";
export { RateLimitError } from "./errors/rate-limit-error.ts";
export { RedirectError } from "./errors/redirect-error.ts";
export { ServerError } from "./errors/server-error.ts";
export { TimeoutError } from "./errors/timeout-error.ts";
export { UnexpectedResponseError } from "./errors/unexpected-response-error.ts";
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
export type { CardParams } from "./tokenizer/card.ts";
export {
  type CardBrand,
  cardBrand,
  type Expiry,
  formatCardNumber,
  formatExpiry,
  isExpired,
  isLuhnValid,
  parseExpiry,
  securityCodeLength,
} from "./tokenizer/card-form.ts";
export { CardToken } from "./tokenizer/card-token.ts";
export { CardTokenizer, type CardTokenizerOptions } from "./tokenizer/card-tokenizer.ts";
export {
  type InstallmentOption,
  type InstallmentPlanOptions,
  installmentPlan,
} from "./tokenizer/installment-plan.ts";
