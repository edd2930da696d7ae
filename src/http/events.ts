import type { PaymentsError } from "../errors/payments-error.ts";
import type { EndpointName } from "../spec/endpoints.ts";
import type { TransactionStatus } from "../spec/transaction-status.ts";
import type { PaymentMethod } from "../spec/values.ts";

interface CallEvent {
  /** The call that the event is about. */
  readonly endpoint: EndpointName;
  /** The merchant's reference of the order, if the call has one. */
  readonly externalRef?: string;
}

/** A request is about to be sent. */
export interface RequestEvent extends CallEvent {
  /** A request is about to be sent. */
  readonly type: "request";
  /** HTTP method. */
  readonly method: string;
  /** Path without the query. */
  readonly path: string;
  /** 1 for the first attempt. */
  readonly attempt: number;
}

/** A response was received, including its body. */
export interface ResponseEvent extends CallEvent {
  /** A response was received. */
  readonly type: "response";
  /** HTTP status. */
  readonly status: number;
  /** 1 for the first attempt. */
  readonly attempt: number;
  /** Duration of this attempt in milliseconds. */
  readonly durationMs: number;
  /** The service's id of the request, if a response header has one. */
  readonly requestId?: string;
}

/** What a create call sent, without personal data. */
export interface SentFacts {
  /** Of a create call. */
  readonly paymentMethod?: PaymentMethod;
  /** Cents, of a create call. */
  readonly amount?: number;
}

/** The call succeeded. A refused card is a success, too, with the status `refused`. */
export interface ResultEvent extends CallEvent, SentFacts {
  /** The call succeeded. */
  readonly type: "result";
  /** Id of the created transaction. */
  readonly transactionId?: number | string;
  /** Status of the created transaction. */
  readonly status?: TransactionStatus;
  /** The result comes from the store, because an earlier call created the transaction. */
  readonly replayed?: true;
}

/** An attempt failed and will be retried. Create calls are never retried. */
export interface RetryEvent extends CallEvent {
  /** An attempt failed and will be retried. */
  readonly type: "retry";
  /** Number of the failed attempt. */
  readonly attempt: number;
  /** Milliseconds until the next attempt. */
  readonly delayMs: number;
  /** Status of the response; missing if there was none. */
  readonly status?: number;
  /** Milliseconds that the service asked for, with `Retry-After`. */
  readonly retryAfterMs?: number;
}

/** The call failed, or a store failed to record its outcome: then the last event of the call follows. */
export interface ErrorEvent extends CallEvent, SentFacts {
  /** The call failed, or a store failed to record its outcome. */
  readonly type: "error";
  /** `toJSON()` returns it as plain data. */
  readonly error: PaymentsError;
}

/** The response differs from the specification; the call continues. */
export interface DriftEvent extends CallEvent {
  /** The response differs from the specification. */
  readonly type: "drift";
  /** Dotted path in the response. */
  readonly field: string;
  /** What differs, without the value. */
  readonly message: string;
}

/** Something that may be a mistake; the call continues. */
export interface WarningEvent extends CallEvent {
  /** Something may be a mistake. */
  readonly type: "warning";
  /** Dotted path in the request, or the part of the response that the warning is about. */
  readonly field: string;
  /** What may be wrong, without the value. */
  readonly message: string;
}

/** An event for `onEvent`, discriminated by `type`. Contains no key, card data, card token or postback URL. */
export type PaymentsEvent =
  | RequestEvent
  | ResponseEvent
  | RetryEvent
  | ResultEvent
  | ErrorEvent
  | DriftEvent
  | WarningEvent;

/**
 * An event listener. Its failures do not affect the call. `PaymentsClient` reports the first with `console.error`;
 * `CardTokenizer` reports none.
 */
export type EventListener = (event: PaymentsEvent) => unknown;

/** The part of `console` that {@link logEvents} uses. A logger without `info` needs `log`, such as NestJS's. */
export type Logger = {
  /** Logs requests. */
  debug(message: string, details: object): unknown;
  /** Logs retries, drift and warnings. */
  warn(message: string, details: object): unknown;
  /** Logs errors. `details.error` is the result of `error.toJSON()`, not an `Error`: do not call `toJSON()` on it. */
  error(message: string, details: object): unknown;
} & (
  | {
      /** Logs responses and results. */
      info(message: string, details: object): unknown;
    }
  | {
      /** Logs responses and results. */
      log(message: string, details: object): unknown;
    }
);

type Level = "debug" | "info" | "warn" | "error";

const LEVELS: Readonly<Record<PaymentsEvent["type"], Level>> = {
  request: "debug",
  response: "info",
  result: "info",
  retry: "warn",
  drift: "warn",
  warning: "warn",
  error: "error",
};

/**
 * Creates a listener that writes each event to a logger, as one line and as plain data. It calls `error.toJSON()`: the
 * logger must not.
 *
 * ```ts
 * new PaymentsClient({ onEvent: logEvents(console) });
 * ```
 */
export function logEvents(logger: Logger): EventListener {
  const methods = logger as Record<Level | "log", Logger["debug"]>;
  return (event) => {
    const details = event.type === "error" ? { ...event, error: event.error.toJSON() } : event;
    const level = LEVELS[event.type];
    const { endpoint, externalRef } = event;
    const call = externalRef === undefined ? endpoint : `${endpoint} ${externalRef}`;
    const line = `payments-sdk ${event.type} ${call}: ${describe(event)}`;
    methods[level in methods ? level : "log"](line, details);
  };
}

/** The most important data, for loggers that write only the message. */
function describe(event: PaymentsEvent): string {
  if (event.type === "request") return `attempt ${event.attempt}`;
  if (event.type === "response") return `status ${event.status} after ${Math.round(event.durationMs)} ms`;
  if (event.type === "retry") return `next attempt in ${event.delayMs} ms`;
  if (event.type === "result") return event.status ?? "succeeded";
  if (event.type === "error") return `${event.error.code}, outcome ${event.error.outcome}`;
  return `${event.field} ${event.message}`;
}
