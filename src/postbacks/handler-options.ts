import type { IdempotencyStore, PossibleDuplicate } from "../contracts/idempotency-store.ts";
import type { PostbackToVerify } from "../contracts/postback-signer.ts";
import type { PostbackStore } from "../contracts/postback-store.ts";
import { isRecord } from "../data/own-properties.ts";
import { assertConfig, knownOptions, NO_CALL } from "../errors/check-options.ts";
import { isTimeout, TIMEOUT_RULE } from "../http/timers.ts";
import { memoryPostbackStore } from "../idempotency/stores/memory-store.ts";
import type { TransactionStatus } from "../spec/transaction-status.ts";
import type { Transition } from "../spec/transitions.ts";
import type { Postback } from "./parse-postback.ts";
import type { PostbackEventListener } from "./postback-events.ts";

/** Facts about a postback that are not in its body. */
export interface PostbackContext {
  /** `signed`: it was sent to the URL of this order. That does not prove its status. */
  readonly trust: "signed" | "unsigned";
  /** Whether the amount is the signed one; `undefined` without a signature. A partial refund may have its own amount. */
  readonly amountMatches: boolean | undefined;
  /**
   * The last status of the transaction that `onPostback` handled. Late postbacks, unknown statuses, and partial refunds
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
  /** Aborted after `maxHandlingMs`. */
  readonly signal: AbortSignal;
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
  }>;
}

/** A store of postbacks that may also store payments. */
export type HandlerStore = PostbackStore & Partial<Pick<IdempotencyStore, "recordPostback">>;

/** @inline */
interface CommonOptions {
  /**
   * Handles a new status. If it throws or rejects, the response is 500, and the next delivery runs it again.
   * It succeeds once for each `(id, rawStatus, amount)`. It runs again only if the process died between the success
   * and its record, or was suspended for longer than its lease.
   */
  readonly onPostback: (postback: Postback, context: PostbackContext) => unknown;
  /**
   * Remembers the handled postbacks. If it is also the `idempotency` store of the client, signed postbacks settle the
   * outcome of their payments in it. Default: an in-memory store of this handler, lost when the process ends.
   */
  readonly store?: HandlerStore | undefined;
  /** Largest body that is read, in bytes. Default 65,536. */
  readonly maxBytes?: number | undefined;
  /**
   * Milliseconds to wait for the body, and for other postbacks of the same transaction. Default 10,000.
   */
  readonly timeout?: number | undefined;
  /**
   * Milliseconds until a postback is free again after the process that handled it died. A running process renews
   * the lease, however long `onPostback` runs. Must be longer than a failover of the store. Default 60,000.
   */
  readonly leaseMs?: number | undefined;
  /**
   * Milliseconds after which an unfinished `onPostback` counts as failed: the response is 500, and the next delivery runs
   * it again, while the unfinished one may still be running. Default: no limit, and a warning after 30 seconds.
   */
  readonly maxHandlingMs?: number | undefined;
  /**
   * Receives one event for each delivery, and warnings. Default: warnings and errors of `onPostback` and of the store are
   * logged with `console.error`.
   */
  readonly onEvent?: PostbackEventListener | undefined;
}

/** Options of a postback handler. Without a signer, `allowUnsigned: true` is required. */
export type PostbackHandlerOptions = CommonOptions &
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
const NAMES = ["onPostback", "signer", "allowUnsigned", "store", "onEvent", ...LIMITS] as const;

const STORE_METHODS = ["claimPostback", "renewPostback", "confirmPostback", "releasePostback"] as const;

/** @throws {ConfigurationError} */
export function readHandlerOptions(options: PostbackHandlerOptions) {
  const known = knownOptions(options, NAMES, NO_CALL);
  const { onPostback, signer, allowUnsigned = false, store, onEvent } = known;
  const { maxBytes = 65_536, timeout = 10_000, leaseMs = 60_000, maxHandlingMs } = known;
  assertConfig(typeof onPostback === "function", "onPostback must be a function.");
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
  const limits = { maxBytes, timeout, leaseMs: Math.ceil(leaseMs), maxHandlingMs };
  return { onPostback, signer, allowUnsigned, store: usedStore, onEvent, ...limits };
}

function hasMethods(value: unknown, names: readonly string[]): boolean {
  return isRecord(value) && names.every((name) => typeof value[name] === "function");
}
