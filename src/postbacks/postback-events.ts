import type { PossibleDuplicate } from "../contracts/idempotency-store.ts";
import type { PaymentsError } from "../errors/payments-error.ts";
import type { Postback } from "./parse-postback.ts";

interface AnsweredEvent {
  /** HTTP status of the response. */
  readonly status: number;
}

/** `onPostback` succeeded. */
export interface PostbackHandledEvent extends AnsweredEvent {
  /** The postback was handled. */
  readonly type: "handled";
  /** The handled postback. */
  readonly postback: Postback;
}

/** The postback was handled before; `onPostback` did not run. */
export interface PostbackDuplicateEvent extends AnsweredEvent {
  /** The postback was handled before. */
  readonly type: "duplicate";
  /** The repeated postback. */
  readonly postback: Postback;
}

/** Another delivery of the same postback is being handled; `onPostback` did not run. */
export interface PostbackBusyEvent extends AnsweredEvent {
  /** The postback is being handled. */
  readonly type: "busy";
  /** The repeated postback. */
  readonly postback: Postback;
}

/** The postback could not be read, or is not trusted; `onPostback` did not run. */
export interface PostbackRefusedEvent extends AnsweredEvent {
  /** The postback was refused. */
  readonly type: "refused";
  /** An `InvalidPostbackError` or an `UntrustedPostbackError`. */
  readonly error: PaymentsError;
}

/** `onPostback` failed; it runs again when the postback is delivered again. */
export interface PostbackFailedEvent extends AnsweredEvent {
  /** The postback was not handled. */
  readonly type: "failed";
  /** Missing if `onPostback` did not run because reading the body or verifying the signature failed. */
  readonly postback?: Postback;
  /** The error that was thrown. */
  readonly error: unknown;
}

/**
 * The store failed. With status 503, `onPostback` did not run. With 200, `onPostback` succeeded, but that is not recorded
 * yet: this process keeps trying, and a `handled` event follows once it is recorded. If the process dies before that, the
 * next delivery of the same postback runs `onPostback` again.
 */
export interface PostbackStoreFailedEvent extends AnsweredEvent {
  /** The store failed. */
  readonly type: "store_failed";
  /** The postback that the store was called for. */
  readonly postback: Postback;
  /** The error of the store. */
  readonly error: unknown;
}

/** Something that needs attention. It is emitted before `onPostback` ends, so it has no `status`. */
export interface PostbackWarningEvent {
  /** The postback is still handled, and its result is a separate event. */
  readonly type: "warning";
  /**
   * `possible_duplicates`: another transaction of the same order may have charged the customer too.
   * `slow_handler`: `onPostback` has been running for 30 seconds, or for as long as a shorter lease.
   */
  readonly reason: "possible_duplicates" | "slow_handler";
  /** The warning as text, for a log. */
  readonly message: string;
  /** The postback that is being handled. */
  readonly postback: Postback;
  /** The other transactions of the order; empty for a slow handler. */
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

function logEvent(event: PostbackEvent): void {
  if (event.type === "warning") {
    // biome-ignore lint/suspicious/noConsole: the customer may have been charged twice
    console.error(`payments-sdk: ${event.message}`);
  } else if (event.type === "failed" || event.type === "store_failed") {
    const { type, postback, error } = event;
    const failure = type === "failed" ? "onPostback failed" : "the store failed";
    // Not `rawStatus`: text from an attacker could forge a line of the log.
    const problem = postback
      ? `${failure} for the postback of transaction ${postback.id}, ${postback.status}`
      : "a postback could not be read or verified";
    // biome-ignore lint/suspicious/noConsole: it is the merchant's own error, and hiding it would hide a bug
    console.error(`payments-sdk: ${problem}:`, error);
  }
}
