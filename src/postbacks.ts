/**
 * Postbacks, which the service sends when a status changes: parse them, verify them by signed URLs, handle them once.
 *
 * @module payments-sdk/postbacks
 */

export { ConfigurationError } from "./errors/configuration-error.ts";
export { InvalidPostbackError } from "./errors/invalid-postback-error.ts";
export { InvalidRequestError } from "./errors/invalid-request-error.ts";
export { UntrustedPostbackError, type UntrustedReason } from "./errors/untrusted-postback-error.ts";
export type { RivalTransaction } from "./idempotency/contract.ts";
export type {
  HandledPostback,
  PostbackClaim,
  PostbackKey,
  PostbackStore,
} from "./idempotency/postback-contract.ts";
export type {
  PostbackBusyEvent,
  PostbackDuplicateEvent,
  PostbackEvent,
  PostbackEventListener,
  PostbackFailedEvent,
  PostbackHandledEvent,
  PostbackRefusedEvent,
  PostbackStoreFailedEvent,
  PostbackWarningEvent,
} from "./postbacks/events.ts";
export {
  createPostbackHandler,
  type NodeResponse,
  type PostbackHandler,
} from "./postbacks/handler.ts";
export type {
  HandlerStore,
  PostbackContext,
  PostbackHandlerOptions,
  VerifiesPostbacks,
} from "./postbacks/options.ts";
export { type Postback, type PostbackInput, parsePostback } from "./postbacks/parse-postback.ts";
export { PostbackUrlSigner, type PostbackUrlSignerOptions } from "./postbacks/postback-url-signer.ts";
export type { NodeRequest } from "./postbacks/read-body.ts";
export type {
  OrderToSign,
  PostbackSigningKey,
  PostbackToVerify,
  SignsPostbackUrls,
} from "./postbacks/signer-contract.ts";
export type { WaitOptions } from "./postbacks/waiters.ts";
export type { TransactionStatus } from "./spec/transaction-status.ts";
export { checkTransition, type Transition } from "./spec/transitions.ts";
