/**
 * For the buyer's page: converts card data to tokens with the public key only, and has helpers for card forms and
 * installments.
 *
 * @module payments-sdk/browser
 */

export {
  ApiError,
  AuthenticationError,
  NotFoundError,
  RateLimitError,
  RedirectError,
  ServerError,
  UnexpectedResponseError,
  ValidationError,
} from "./errors/api-errors.ts";
export * from "./errors/connection-errors.ts";
export { type AnyPaymentsError, isPaymentsError } from "./errors/is-payments-error.ts";
export type { Issue } from "./errors/issue.ts";
export { type Actor, type Outcome, PaymentsError, type PaymentsErrorCode } from "./errors/payments-error.ts";
export { ConfigurationError, InvalidRequestError } from "./errors/usage-errors.ts";
export type { HeadersInput, RequestOptions } from "./http/call.ts";
export type { ConnectionOptions } from "./http/config.ts";
export * from "./http/events.ts";
export type { PaymentsPromise, ResponseMeta, WithResponse } from "./http/result.ts";
export type { FetchLike } from "./http/transport.ts";
export * from "./tokenizer/card-formats.ts";
export { CardToken } from "./tokenizer/card-token.ts";
export { CardTokenizer, type CardTokenizerOptions } from "./tokenizer/card-tokenizer.ts";
export * from "./tokenizer/installment-plan.ts";
export type { CardParams } from "./tokenizer/tokenize.ts";
