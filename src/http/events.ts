import type { PaymentsError } from "../errors/payments-error.ts";
import type { EndpointName } from "../spec/endpoints.ts";

interface CallEvent {
  /** The call that it is about. */
  readonly endpoint: EndpointName;
  /** The merchant's own reference of the order, where the call has one. */
  readonly externalRef?: string;
}

/** A request is about to leave. */
export interface RequestEvent extends CallEvent {
  /** A request is about to leave. */
  readonly type: "request";
  /** `GET` or `POST`. */
  readonly method: string;
  /** Path without query. */
  readonly path: string;
  /** 1 for the first. */
  readonly attempt: number;
}

/** An answer is here, body included. */
export interface ResponseEvent extends CallEvent {
  /** An answer is here. */
  readonly type: "response";
  /** HTTP status. */
  readonly status: number;
  /** 1 for the first. */
  readonly attempt: number;
  /** Milliseconds of this attempt. */
  readonly durationMs: number;
  /** The service's own name for the request, where a header carries one. */
  readonly requestId?: string;
}

/** A read or a tokenization failed and will be tried again. Never a create. */
export interface RetryEvent extends CallEvent {
  /** Another attempt will be made. */
  readonly type: "retry";
  /** The attempt that failed. */
  readonly attempt: number;
  /** Milliseconds until the next one. */
  readonly delayMs: number;
  /** Status of the answer; missing where there was none. */
  readonly status?: number;
}

/** The call ended with an error, the same that the caller gets. */
export interface ErrorEvent extends CallEvent {
  /** The call ended with an error. */
  readonly type: "error";
  /** What the caller gets; `toJSON()` makes plain data of it. */
  readonly error: PaymentsError;
}

/** The service sent something else than the specification shows; the call went on. */
export interface DriftEvent extends CallEvent {
  /** The service deviates from the specification. */
  readonly type: "drift";
  /** Dotted path in the answer. */
  readonly field: string;
  /** What is different, without the value. */
  readonly message: string;
}

/** Something that the caller should know; the call went on. */
export interface WarningEvent extends CallEvent {
  /** The caller should know something. */
  readonly type: "warning";
  /** Dotted path in the request, or the part of the answer that it is about. */
  readonly field: string;
  /** What the caller should know, without the value. */
  readonly message: string;
}

/** What `onEvent` gets; `type` tells which. Holds no key, card data, token or postback URL. */
export type PaymentsEvent =
  | RequestEvent
  | ResponseEvent
  | RetryEvent
  | ErrorEvent
  | DriftEvent
  | WarningEvent;

/** A listener. What it throws, or rejects with, changes nothing. */
export type EventListener = (event: PaymentsEvent) => unknown;

/** Calls a listener and lets nothing that it does reach the call. */
export function emitTo(listener: EventListener | undefined, event: PaymentsEvent): void {
  if (listener === undefined) return;
  try {
    const answer = listener(event);
    Promise.resolve(answer).catch(() => undefined);
  } catch {
    // A listener observes; a charge must not fail because of it.
  }
}

/** The part of `console` that {@link logEvents} uses. */
export interface Logger {
  /** Gets requests. */
  debug(message: string, details: object): unknown;
  /** Gets answers. */
  info(message: string, details: object): unknown;
  /** Gets retries, drift and warnings. */
  warn(message: string, details: object): unknown;
  /** Gets errors. */
  error(message: string, details: object): unknown;
}

const LEVELS: Readonly<Record<PaymentsEvent["type"], keyof Logger>> = {
  request: "debug",
  response: "info",
  retry: "warn",
  drift: "warn",
  warning: "warn",
  error: "error",
};

/**
 * A listener that writes each event to a logger: one line and the event as plain data.
 *
 * ```ts
 * new PaymentsClient({ onEvent: logEvents(console) });
 * ```
 */
export function logEvents(logger: Logger): EventListener {
  return (event) => {
    const details = event.type === "error" ? { ...event, error: event.error.toJSON() } : event;
    logger[LEVELS[event.type]](describe(event), details);
  };
}

/** What matters most, for loggers that write only the text. */
function describe(event: PaymentsEvent): string {
  const about = event.externalRef === undefined ? event.endpoint : `${event.endpoint} ${event.externalRef}`;
  return `payments-sdk ${event.type} ${about}: ${detailOf(event)}`;
}

function detailOf(event: PaymentsEvent): string {
  switch (event.type) {
    case "request":
      return `attempt ${event.attempt}`;
    case "response":
      return `status ${event.status} after ${Math.round(event.durationMs)} ms`;
    case "retry":
      return `again in ${event.delayMs} ms`;
    case "error":
      return `${event.error.code}, outcome ${event.error.outcome}`;
    default:
      return `${event.field} ${event.message}`;
  }
}
