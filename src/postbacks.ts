/**
 * Postbacks, which the service sends when a status changes: parse them, verify them by signed URLs, handle them once.
 *
 * @module payments-sdk/postbacks
 */

export type * from "./contracts/close.ts";
export type { PossibleDuplicate } from "./contracts/idempotency-store.ts";
export type * from "./contracts/postback-signer.ts";
export type * from "./contracts/postback-store.ts";
export * from "./errors/postback-errors.ts";
export { ConfigurationError, InvalidRequestError } from "./errors/usage-errors.ts";
export type {
  HandlerStore,
  NamedCallbacks,
  PostbackContext,
  PostbackHandlerOptions,
  ReviewContext,
  ReviewReason,
  SingleCallback,
  VerifiesPostbacks,
} from "./postbacks/handler-options.ts";
export type { NodeResponse } from "./postbacks/handler-response.ts";
export { type Postback, type PostbackInput, parsePostback } from "./postbacks/parse-postback.ts";
export type {
  NamedCallback,
  PostbackBusyEvent,
  PostbackDuplicateEvent,
  PostbackEvent,
  PostbackEventListener,
  PostbackFailedEvent,
  PostbackHandledEvent,
  PostbackRefusedEvent,
  PostbackStoreFailedEvent,
  PostbackWarningEvent,
} from "./postbacks/postback-events.ts";
export { createPostbackHandler, type PostbackHandler } from "./postbacks/postback-handler.ts";
export type { RetryOptions, RetryResult } from "./postbacks/postback-retries.ts";
export { PostbackUrlSigner, type PostbackUrlSignerOptions } from "./postbacks/postback-url-signer.ts";
export type { NodeRequest } from "./postbacks/read-body.ts";
export * from "./postbacks/status-handler.ts";
export type { WaitOptions } from "./postbacks/wait-for-postback.ts";
export type { TransactionStatus } from "./spec/transaction-status.ts";
export { checkTransition, type Transition } from "./spec/transitions.ts";
