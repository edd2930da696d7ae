import type { IdempotencyStore, PossibleDuplicate } from "../contracts/idempotency-store.ts";
import type { PostbackToVerify } from "../contracts/postback-signer.ts";
import type { PostbackStore } from "../contracts/postback-store.ts";
import { hasMethods } from "../data/own-properties.ts";
import { assertConfig, knownOptions } from "../errors/check-options.ts";
import { isTimeout, TIMEOUT_RULE } from "../http/timers.ts";
import { memoryPostbackStore } from "../idempotency/postbacks/memory-postback-store.ts";
import type { TransactionStatus } from "../spec/transaction-status.ts";
import type { Transition } from "../spec/transitions.ts";
import { withMemoryInbox } from "./memory-inbox.ts";
import type { Postback } from "./parse-postback.ts";
import type { NamedCallback, PostbackEventListener } from "./postback-events.ts";

/** Facts about a postback that are not in its body. */
export interface PostbackContext {
  /** `signed`: it was sent to the URL of this order. That does not prove its status. */
  readonly trust: "signed" | "unsigned";
  /** Whether the amount is the signed one; `undefined` without a signature. A partial refund may have its own amount. */
  readonly amountMatches: boolean | undefined;
  /**
   * The last status of the transaction that was handled. Late postbacks, unknown statuses, and partial refunds
   * or chargebacks do not count; a status whose `transition` was `unclear` does.
   */
  readonly previousStatus: TransactionStatus | undefined;
  /**
   * How the new status follows from the previous one; also `unclear` if another transaction of the order is already paid.
   */
  readonly transition: Transition;
  /**
   * Other transactions of the same order in the store that may have charged the customer too. Empty
   * unless the store lost data or an expired pix was paid. Always empty for unsigned postbacks, and with a `store` that
   * does not record payments.
   */
  readonly possibleDuplicates: readonly PossibleDuplicate[];
  /** Aborted after `maxHandlingMs`, by `close()`, and if another process took over the postback. */
  readonly signal: AbortSignal;
}

/**
 * Why a person must look at a postback.
 *
 * - `unsigned`: anyone may have sent it.
 * - `unrecognized_status`: the specification lacks the status.
 * - `amount_differs`: the amount is not the signed one.
 * - `paid_twice`: another transaction has already paid for the order. Refund one of them.
 * - `unclear_transition`: the postbacks of the transaction, or what a person recorded, contradict each other, such as
 *   `approved` after `expired`.
 */
export type ReviewReason =
  | "unsigned"
  | "unrecognized_status"
  | "amount_differs"
  | "paid_twice"
  | "unclear_transition";

/** Facts about a postback that a person must look at. */
export interface ReviewContext extends PostbackContext {
  /** Why. */
  readonly reason: ReviewReason;
}

/** Verifies that a postback belongs to the URL that received it. A `PostbackUrlSigner` is one. */
export interface VerifiesPostbacks {
  /**
   * Resolves if the URL was signed for the order of the postback.
   *
   * @throws {UntrustedPostbackError} if it was not.
   */
  verify(
    url: string,
    postback: PostbackToVerify,
  ): Promise<{
    /** Whether the amount is the signed one. */
    readonly amountMatches: boolean;
    /** Cents. */
    readonly signedAmount?: number | undefined;
  }>;
}

/** A store of postbacks that may also store payments. */
export type HandlerStore = PostbackStore &
  Partial<Pick<IdempotencyStore, "recordPostback" | "get" | "warning">>;

/**
 * A callback for each meaning of a postback. `pending`, late and repeated postbacks call none. If a callback throws or
 * rejects, it runs again: see {@link createPostbackHandler}.
 */
export interface NamedCallbacks {
  /**
   * The order is paid: ship it. It succeeds at most once for an `externalRef`: for the first transaction that was
   * `approved` over the signed amount. It runs again only if the process died between the success and its record.
   */
  readonly onPaid: (postback: Postback, context: PostbackContext) => unknown;
  /** The payment was refused, expired or cancelled, and nothing else of the order is paid or can be. */
  readonly onNotPaid?: ((postback: Postback, context: PostbackContext) => unknown) | undefined;
  /** The payment of the order was refunded or charged back, or a part of it: also if `onPaid` has not succeeded for it. */
  readonly onReturned?: ((postback: Postback, context: PostbackContext) => unknown) | undefined;
  /** A person must look at the postback: see `context.reason`. Do not ship. */
  readonly onReview: (postback: Postback, context: ReviewContext) => unknown;
  /** Not with the other callbacks. */
  readonly onPostback?: undefined;
}

/** One callback for all postbacks. */
export interface SingleCallback {
  /**
   * Handles a new status. If it throws or rejects, the response is 500, and it runs again. It succeeds once for each
   * `(id, rawStatus, amount)`. It runs again only if the process died between the success and its record, or was
   * suspended for longer than its lease.
   */
  readonly onPostback: (postback: Postback, context: PostbackContext) => unknown;
  /** Not with `onPostback`. */
  readonly onPaid?: undefined;
  /** Not with `onPostback`. */
  readonly onNotPaid?: undefined;
  /** Not with `onPostback`. */
  readonly onReturned?: undefined;
  /** Not with `onPostback`. */
  readonly onReview?: undefined;
}

/** @inline */
interface CommonOptions {
  /**
   * Remembers the handled postbacks, and those whose callback has to run again. If it is also the `idempotency` store of the
   * client, signed postbacks record the outcome of their payments in it. Default: an in-memory store of this handler, lost
   * when the process ends.
   */
  readonly store?: HandlerStore | undefined;
  /** Largest body that is read, in bytes. Default 65,536. */
  readonly maxBytes?: number | undefined;
  /** Milliseconds to wait for the body, and for other postbacks of the same transaction. Default 10,000. */
  readonly timeout?: number | undefined;
  /**
   * Milliseconds until a postback is free again after the process that handled it died. A running process renews
   * the lease, however long a callback runs. Must be longer than a failover of the store. Default 60,000.
   */
  readonly leaseMs?: number | undefined;
  /**
   * Milliseconds after which an unfinished callback counts as failed: the response is 500, and it runs again after as many
   * milliseconds, or with the next delivery, while the unfinished one may still be running: pass `context.signal` on.
   * Default: no limit, and a warning after 30 seconds.
   */
  readonly maxHandlingMs?: number | undefined;
  /**
   * Receives one event for each delivery, and warnings. Default: warnings and errors of callbacks and of the store are
   * logged with `console.error`.
   */
  readonly onEvent?: PostbackEventListener | undefined;
}

/** Options of a postback handler. Without a signer, `allowUnsigned: true` is required. */
export type PostbackHandlerOptions = CommonOptions &
  (SingleCallback | NamedCallbacks) &
  (
    | {
        /** Without a signer, the sender is not verified. */
        readonly signer?: undefined;
        /** Accepts postbacks that anyone may have sent: `trust` is `unsigned`. */
        readonly allowUnsigned: true;
      }
    // Last, because tsc names what is missing in the last one.
    | {
        /** Verifies the URL that received a postback. */
        readonly signer: VerifiesPostbacks;
        /** Also accepts postbacks to URLs without a signature, such as those created before there was a signer. */
        readonly allowUnsigned?: boolean | undefined;
      }
  );

/** The validated options, with their defaults. */
export type HandlerSettings = ReturnType<typeof readHandlerOptions>;

const LIMITS = ["maxBytes", "timeout", "leaseMs", "maxHandlingMs"] as const;
const CALLBACKS = ["onPaid", "onNotPaid", "onReturned", "onReview"] as const satisfies NamedCallback[];
const NAMES = ["onPostback", ...CALLBACKS, "signer", "allowUnsigned", "store", "onEvent", ...LIMITS] as const;

const STORE_METHODS = ["claimPostback", "renewPostback", "confirmPostback", "releasePostback"] as const;

/** @throws {ConfigurationError} */
export function readHandlerOptions(options: PostbackHandlerOptions) {
  const known = knownOptions(options, NAMES);
  const { signer, allowUnsigned = false, store, onEvent } = known;
  const { maxBytes = 65_536, timeout = 10_000, leaseMs = 60_000, maxHandlingMs } = known;
  const callbacks = readCallbacks(known);
  assertConfig(typeof allowUnsigned === "boolean", "allowUnsigned must be true or false.");
  assertConfig(signer === undefined || hasMethods(signer, ["verify"]), "signer must be a PostbackUrlSigner.");
  assertConfig(
    signer !== undefined || allowUnsigned,
    "Postbacks may be unsigned: pass a `signer`, or set `allowUnsigned: true` and check each postback yourself.",
  );
  assertConfig(store === undefined || hasMethods(store, STORE_METHODS), "store must be a PostbackStore.");
  assertConfig(Number.isSafeInteger(maxBytes) && maxBytes > 0, "maxBytes must be a whole number above zero.");
  assertConfig(isTimeout(timeout), `timeout ${TIMEOUT_RULE}.`);
  assertConfig(isTimeout(leaseMs), `leaseMs ${TIMEOUT_RULE}.`);
  assertConfig(maxHandlingMs === undefined || isTimeout(maxHandlingMs), `maxHandlingMs ${TIMEOUT_RULE}.`);
  assertConfig(onEvent === undefined || typeof onEvent === "function", "onEvent must be a function.");
  const usedStore: HandlerStore = store ?? memoryPostbackStore();
  // Claims the postbacks. It is the store, unless that cannot keep open ones.
  const inbox = hasMethods(usedStore, ["openPostbacks"])
    ? (usedStore as Required<PostbackStore>)
    : withMemoryInbox(usedStore);
  const limits = { maxBytes, timeout, leaseMs: Math.ceil(leaseMs), maxHandlingMs };
  return { callbacks, signer, allowUnsigned, store: usedStore, inbox, onEvent, ...limits };
}

/** @throws {ConfigurationError} which names the callbacks that are missing, or that exclude each other. */
function readCallbacks(options: SingleCallback | NamedCallbacks): SingleCallback | NamedCallbacks {
  for (const name of ["onPostback", ...CALLBACKS] as const) {
    const isFunction = typeof options[name] === "function";
    assertConfig(options[name] === undefined || isFunction, `${name} must be a function.`);
  }
  const named = CALLBACKS.find((name) => options[name] !== undefined);
  assertConfig(
    options.onPostback === undefined || named === undefined,
    `onPostback and ${named} exclude each other: pass onPostback alone, or onPaid and onReview without it.`,
  );
  assertConfig(
    options.onPostback !== undefined || (options.onPaid !== undefined && options.onReview !== undefined),
    named === undefined
      ? "Pass onPaid and onReview, or onPostback."
      : `onPaid and onReview are both required: ${options.onPaid === undefined ? "onPaid" : "onReview"} is missing.`,
  );
  return options;
}
