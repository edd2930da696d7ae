/**
 * The buyer's page: makes card tokens with nothing but the public key, and helps with card forms.
 *
 * @module payments-sdk/browser
 */

export type { ConnectionOptions, FetchLike } from "./core/connection.ts";
export { AbortedError } from "./core/errors/aborted-error.ts";
export { ApiError } from "./core/errors/api-error.ts";
export { AuthenticationError } from "./core/errors/authentication-error.ts";
export { ConfigurationError } from "./core/errors/configuration-error.ts";
export { ConnectionError, type ConnectionFailure } from "./core/errors/connection-error.ts";
export { InvalidRequestError } from "./core/errors/invalid-request-error.ts";
export type { Issue } from "./core/errors/issue.ts";
export { NotFoundError } from "./core/errors/not-found-error.ts";
export type { Actor, Outcome } from "./core/errors/outcome.ts";
export { isPaymentsError, PaymentsError, type PaymentsErrorCode } from "./core/errors/payments-error.ts";
export { RateLimitError } from "./core/errors/rate-limit-error.ts";
export { RedirectError } from "./core/errors/redirect-error.ts";
export { ServerError } from "./core/errors/server-error.ts";
export { TimeoutError } from "./core/errors/timeout-error.ts";
export { UnexpectedResponseError } from "./core/errors/unexpected-response-error.ts";
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
export type { PaymentsPromise, ResponseMeta, WithResponse } from "./core/payments-promise.ts";
export type { HeadersInput, RequestOptions } from "./core/request-options.ts";
export type { CardParams } from "./schemas/card-token-request.ts";
export { type CardBrand, cardBrand } from "./tokenizer/card-form/card-brand.ts";
export { formatCardNumber } from "./tokenizer/card-form/format-card-number.ts";
export { isLuhnValid } from "./tokenizer/card-form/is-luhn-valid.ts";
export { type Expiry, parseExpiry } from "./tokenizer/card-form/parse-expiry.ts";
export { CardToken } from "./tokenizer/card-token.ts";
export { CardTokenizer, type CardTokenizerOptions } from "./tokenizer/card-tokenizer.ts";
