import type { PaymentsError } from "../errors/payments-error.ts";
import type { RivalTransaction } from "../idempotency/contract.ts";
import type { Postback } from "./parse-postback.ts";

interface AnsweredEvent {
  /** The HTTP status of the answer. */
  readonly status: number;
}

/** `onPostback` succeeded. */
export interface PostbackHandledEvent extends AnsweredEvent {
  /** It was handled. */
  readonly type: "handled";
  /** What was handled. */
  readonly postback: Postback;
}

/** The postback had been handled before; nothing ran. */
export interface PostbackDuplicateEvent extends AnsweredEvent {
  /** It had been handled before. */
  readonly type: "duplicate";
  /** What came again. */
  readonly postback: Postback;
}

/** Another delivery of the same postback is being handled; nothing ran. */
export interface PostbackBusyEvent extends AnsweredEvent {
  /** It is being handled. */
  readonly type: "busy";
  /** What came meanwhile. */
  readonly postback: Postback;
}

/** The postback could not be read, or is not trusted; nothing ran. */
export interface PostbackRefusedEvent extends AnsweredEvent {
  /** It was not let in. */
  readonly type: "refused";
  /** An `InvalidPostbackError` or an `UntrustedPostbackError`. */
  readonly error: PaymentsError;
}

/** `onPostback` failed; it runs again when the postback is sent again. */
export interface PostbackFailedEvent extends AnsweredEvent {
  /** It was not handled. */
  readonly type: "failed";
  /** Missing where `onPostback` did not run, since the body or its signature could not be looked at. */
  readonly postback?: Postback;
  /** What it threw. */
  readonly error: unknown;
}

/**
 * The store failed. With status 503 nothing ran. With 200 `onPostback` succeeded, but that is not recorded: this process
 * goes on trying, and a `handled` event follows when it is. If the process dies before, the next delivery of the same
 * postback runs it again.
 */
export interface PostbackStoreFailedEvent extends AnsweredEvent {
  /** The store failed. */
  readonly type: "store_failed";
  /** What the store was asked about. */
  readonly postback: Postback;
  /** What the store failed with. */
  readonly error: unknown;
}

/** Something that a person should look at. It comes before `onPostback` runs or while it does, so it has no `status`. */
export interface PostbackWarningEvent {
  /** The postback goes on to be handled, and gets an event of its own. */
  readonly type: "warning";
  /**
   * `other_transactions`: the customer may have been charged by another transaction of the same order, too.
   * `slow_handler`: `onPostback` has been running for 30 seconds, or for as long as a shorter lease.
   */
  readonly reason: "other_transactions" | "slow_handler";
  /** For a log. */
  readonly message: string;
  /** What is being handled. */
  readonly postback: Postback;
  /** The other transactions of the order; empty for a slow handler. */
  readonly rivals: readonly RivalTransaction[];
}

/** What became of a postback. Holds no URL: a signed one is a credential. */
export type PostbackEvent =
  | PostbackHandledEvent
  | PostbackDuplicateEvent
  | PostbackBusyEvent
  | PostbackRefusedEvent
  | PostbackFailedEvent
  | PostbackStoreFailedEvent
  | PostbackWarningEvent;

/** A listener. What it throws, or rejects with, changes nothing. */
export type PostbackEventListener = (event: PostbackEvent) => unknown;

/** Tells a listener; without one, an error that nobody else would ever see is printed. */
export function tellOf(event: PostbackEvent, listener: PostbackEventListener | undefined): void {
  try {
    if (listener !== undefined) Promise.resolve(listener(event)).catch(() => undefined);
    else if (event.type === "failed")
      print(event.postback ? "onPostback failed" : "a postback could not be taken", event);
    else if (event.type === "store_failed") print("the store failed", event);
    else if (event.type === "warning") printWarning(event);
  } catch {
    // A listener observes; a postback must not fail because of it.
  }
}

function printWarning({ message }: PostbackWarningEvent): void {
  // biome-ignore lint/suspicious/noConsole: a customer may have been charged twice, and nobody else would see it
  console.error(`payments-sdk: ${message}`);
}

function print(what: string, { postback, error }: PostbackFailedEvent | PostbackStoreFailedEvent): void {
  const about = postback && ` for the postback of transaction ${postback.id}, ${postback.status}`;
  // biome-ignore lint/suspicious/noConsole: it is the merchant's own error, and swallowing it would hide a bug
  console.error(`payments-sdk: ${what}${about ?? ""}:`, error);
}
