import type { PossibleDuplicate } from "../contracts/idempotency-store.ts";
import type { PaymentsError } from "../errors/payments-error.ts";
import type { Postback } from "./parse-postback.ts";

/** The name of one of the callbacks that each have a meaning. */
export type NamedCallback = "onPaid" | "onNotPaid" | "onReturned" | "onReview";

interface AnsweredEvent {
  /** HTTP status of the response; for a retry, the one that a delivery with this result gets. */
  readonly status: number;
  /** Whether it is the result of a retry, and not of a delivery. Missing for a delivery. */
  readonly isRetry?: true;
}

/** The callback of a postback succeeded, or it has none. */
export interface PostbackHandledEvent extends AnsweredEvent {
  /** The postback was handled. */
  readonly type: "handled";
  /** The named callback that ran, if one did. */
  readonly callback?: NamedCallback;
  /** The handled postback. */
  readonly postback: Postback;
}

/** The postback was handled before; no callback ran. */
export interface PostbackDuplicateEvent extends AnsweredEvent {
  /** The postback was handled before. */
  readonly type: "duplicate";
  /** The repeated postback. */
  readonly postback: Postback;
}

/** Another delivery of the same postback is being handled; no callback ran. */
export interface PostbackBusyEvent extends AnsweredEvent {
  /** The postback is being handled. */
  readonly type: "busy";
  /** The repeated postback. */
  readonly postback: Postback;
}

/** The postback could not be read, or is not trusted; no callback ran. */
export interface PostbackRefusedEvent extends AnsweredEvent {
  /** The postback was refused. */
  readonly type: "refused";
  /** An `InvalidPostbackError` or an `UntrustedPostbackError`. */
  readonly error: PaymentsError;
}

/** A callback failed. If the postback is signed, it runs again; otherwise when it is delivered again. */
export interface PostbackFailedEvent extends AnsweredEvent {
  /** The postback was not handled. */
  readonly type: "failed";
  /** The named callback that failed, if one did. */
  readonly callback?: NamedCallback;
  /** Missing if no callback ran because reading the body or verifying the signature failed. */
  readonly postback?: Postback;
  /** The error that was thrown. */
  readonly error: unknown;
}

/**
 * The store failed. With status 503, no callback ran. With 200, the callback succeeded, but that is not recorded
 * yet: this process keeps trying, and a `handled` event follows once it is recorded. If the process dies before that, the
 * next delivery of the same postback runs the callback again.
 */
export interface PostbackStoreFailedEvent extends AnsweredEvent {
  /** The store failed. */
  readonly type: "store_failed";
  /** The postback that the store was called for. */
  readonly postback: Postback;
  /** The error of the store. */
  readonly error: unknown;
}

/** Something that needs attention. It is emitted before the callback ends, so it has no `status`. */
export interface PostbackWarningEvent {
  /** The postback is still handled, and its result is a separate event. */
  readonly type: "warning";
  /**
   * `possible_duplicates`: another transaction of the same order may have charged the customer too.
   * `slow_handler`: a callback has been running for 30 seconds, or for as long as a shorter lease. `keeps_failing`: a
   * callback has been failing for another day. `other_returned`: money was given back that did not pay for the order, so no
   * callback ran. `no_inbox`: the store cannot keep open postbacks, so this process alone retries its own.
   * `cannot_list`: the store could not list its open postbacks, so those that other processes left do not run again.
   * `unknown_order`: the store has no record of the order, so it may not be the store of the client.
   */
  readonly reason:
    | "possible_duplicates"
    | "slow_handler"
    | "keeps_failing"
    | "other_returned"
    | "no_inbox"
    | "cannot_list"
    | "unknown_order";
  /** The warning as text, for a log. */
  readonly message: string;
  /** The postback that is being handled. */
  readonly postback: Postback;
  /** The other transactions of the order; empty for other reasons. */
  readonly possibleDuplicates: readonly PossibleDuplicate[];
}

/** The result of a delivery, or a warning. It never contains a URL: a signed one is a credential. */
export type PostbackEvent =
  | PostbackHandledEvent
  | PostbackDuplicateEvent
  | PostbackBusyEvent
  | PostbackRefusedEvent
  | PostbackFailedEvent
  | PostbackStoreFailedEvent
  | PostbackWarningEvent;

/** A listener for events. An error that it throws, or rejects with, is ignored. */
export type PostbackEventListener = (event: PostbackEvent) => unknown;

/** Calls the listener; without one, logs the errors and warnings that would otherwise go unnoticed. */
export function reportEvent(event: PostbackEvent, listener: PostbackEventListener | undefined): void {
  try {
    if (listener === undefined) logEvent(event);
    else Promise.resolve(listener(event)).catch(() => undefined);
  } catch {
    // A listener only observes: a postback must not fail because of it.
  }
}

export function reportWarning(
  warning: Pick<PostbackWarningEvent, "reason" | "message" | "postback"> & Partial<PostbackWarningEvent>,
  listener: PostbackEventListener | undefined,
): void {
  const { reason, message, postback, possibleDuplicates = [] } = warning;
  reportEvent({ type: "warning", reason, message, postback, possibleDuplicates }, listener);
}

function logEvent(event: PostbackEvent): void {
  if (event.type === "warning") {
    // biome-ignore lint/suspicious/noConsole: the customer may have been charged twice
    console.error(`payments-sdk: ${event.message}`);
  } else if (event.type === "failed" || event.type === "store_failed") {
    const { type, postback, error } = event;
    const failure = type === "failed" ? `${event.callback ?? "onPostback"} failed` : "the store failed";
    // Not `rawStatus`: text from an attacker could forge a line of the log.
    const problem = postback
      ? `${failure} for the postback of transaction ${postback.id}, ${postback.status}`
      : "a postback could not be read or verified";
    // biome-ignore lint/suspicious/noConsole: it is the merchant's own error, and hiding it would hide a bug
    console.error(`payments-sdk: ${problem}:`, error);
  }
}
