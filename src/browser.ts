/**
 * The buyer's page: makes card tokens with nothing but the public key, and helps with card forms.
 *
 * @module payments-sdk/browser
 */

export { AbortedError } from "./errors/aborted-error.ts";
export { ApiError } from "./errors/api-error.ts";
export { AuthenticationError } from "./errors/authentication-error.ts";
export { ConfigurationError } from "./errors/configuration-error.ts";
export { ConnectionError, type ConnectionFailure } from "./errors/connection-error.ts";
export { InvalidRequestError } from "./errors/invalid-request-error.ts";
export type { Issue } from "./errors/issue.ts";
export { NotFoundError } from "./errors/not-found-error.ts";
export type { Actor, Outcome } from "./errors/outcome.ts";
export { isPaymentsError, PaymentsError, type PaymentsErrorCode } from "./errors/payments-error.ts";
export { RateLimitError } from "./errors/rate-limit-error.ts";
export { RedirectError } from "./errors/redirect-error.ts";
export { ServerError } from "./errors/server-error.ts";
export { TimeoutError } from "./errors/timeout-error.ts";
export { UnexpectedResponseError } from "./errors/unexpected-response-error.ts";
export { ValidationError } from "./errors/validation-error.ts";
export type { ConnectionOptions } from "./http/connection.ts";
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
export { type CardBrand, cardBrand } from "./tokenizer/card-form/card-brand.ts";
export { formatCardNumber } from "./tokenizer/card-form/format-card-number.ts";
export { isLuhnValid } from "./tokenizer/card-form/is-luhn-valid.ts";
export { type Expiry, parseExpiry } from "./tokenizer/card-form/parse-expiry.ts";
export { CardToken } from "./tokenizer/card-token.ts";
export { CardTokenizer, type CardTokenizerOptions } from "./tokenizer/card-tokenizer.ts";
