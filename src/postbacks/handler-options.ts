import { isRecord } from "../data/own.ts";
import { assertConfig, knownOptions, NO_CALL } from "../errors/check-options.ts";
import { isTimeout, TIMEOUT_RULE } from "../http/request-options.ts";
import type { IdempotencyStore, RivalTransaction } from "../idempotency/contract.ts";
import { memoryPostbackStore } from "../idempotency/memory-postback-store.ts";
import type { PostbackStore } from "../idempotency/postback-contract.ts";
import { POSTBACK_LEASE_MS, POSTBACK_MAX_BYTES, POSTBACK_TIMEOUT_MS } from "../spec/limits.ts";
import type { Transition } from "../spec/transitions.ts";
import type { TransactionStatus } from "../spec/values.ts";
import type { PostbackEventListener } from "./handler-events.ts";
import type { Postback } from "./parse-postback.ts";
import type { PostbackToVerify } from "./signer-contract.ts";

/** What is known of a postback besides its body. */
export interface PostbackContext {
  /** `signed`: it came to the URL of this very order. That says nothing about its status. */
  readonly trust: "signed" | "unsigned";
  /** Whether the amount is the one that was signed; `undefined` where nothing was. A refund of a part may differ. */
  readonly amountMatches: boolean | undefined;
  /**
   * The last status of the transaction that `onPostback` handled. One that came late, one that the specification does
   * not name, and a refund or chargeback of a part do not count; one that was `unclear` does.
   */
  readonly previousStatus: TransactionStatus | undefined;
  /** What the new status says, given the previous one; `unclear` if another transaction of the order is paid already. */
  readonly transition: Transition;
  /**
   * Other transactions of the same order by which the customer may have been charged, too, as far as the store knows
   * them. There are none, unless the store lost data or a pix was paid after it had expired. Empty for postbacks that are
   * unsigned, and with a `store` that keeps no payments.
   */
  readonly rivals: readonly RivalTransaction[];
  /** Aborted when `maxHandlingMs` has passed. */
  readonly signal: AbortSignal;
}

/** Verifies that a postback belongs to the URL that it came to; a `PostbackUrlSigner` does. */
export interface VerifiesPostbacks {
  /**
   * Resolves where the postback is of the order that the URL was signed for.
   *
   * @throws {UntrustedPostbackError} where it is not.
   */
  verify(
    url: string,
    postback: PostbackToVerify,
  ): Promise<{
    /** Whether the amount is the one that was signed. */
    readonly amountMatches: boolean;
  }>;
}

/** A store of postbacks that may keep payments, too. */
export type HandlerStore = PostbackStore & Partial<Pick<IdempotencyStore, "settle">>;

/** @inline */
interface CommonOptions {
  /**
   * Does what a new status asks for. Where it throws or rejects, the answer is 500, and a redelivery runs it again.
   * It runs to success once for each `(id, rawStatus, amount)`, and again only if the process died between its success
   * and the record of it, or stood still for longer than its lease.
   */
  readonly onPostback: (postback: Postback, context: PostbackContext) => unknown;
  /**
   * Remembers what was handled; and, where it is the store that the client has as `idempotency`, settles by signed
   * postbacks what became of a payment. Default: a store of this handler, which forgets with its process.
   */
  readonly store?: HandlerStore | undefined;
  /** Bytes of a body that are read. Default 65,536. */
  readonly maxBytes?: number | undefined;
  /**
   * Milliseconds that a sender has for the body, and that a postback waits for others of its transaction. Default 10,000.
   */
  readonly timeout?: number | undefined;
  /**
   * Milliseconds after which a postback is free again whose process died while it handled it. While the process
   * lives the lease is renewed, however long `onPostback` takes. It should be longer than a failover of the store.
   * Default 60,000.
   */
  readonly leaseMs?: number | undefined;
  /**
   * Milliseconds after which an `onPostback` that has not ended counts as failed: the answer is 500, and the next delivery
   * runs it again, beside the one that hangs. Default: none, and a warning after 30 seconds.
   */
  readonly maxHandlingMs?: number | undefined;
  /**
   * Gets an event for each postback, and warnings. Default: errors of `onPostback` and of the store, and warnings, go to
   * `console.error`.
   */
  readonly onEvent?: PostbackEventListener | undefined;
}

/** Options of a postback handler. Without a signer, `allowUnsigned` has to be said. */
export type PostbackHandlerOptions = CommonOptions &
  (
    | {
        /** Verifies the URL that a postback came to. */
        readonly signer: VerifiesPostbacks;
        /** Also takes postbacks to URLs that have no signature, such as those from before there was a signer. */
        readonly allowUnsigned?: boolean | undefined;
      }
    | {
        /** None: then nothing is proven. */
        readonly signer?: undefined;
        /** Takes postbacks that anybody can have sent: `trust` is `unsigned`. */
        readonly allowUnsigned: true;
      }
  );

/** The options, read and complete. */
export interface HandlerSettings {
  readonly onPostback: CommonOptions["onPostback"];
  readonly signer: VerifiesPostbacks | undefined;
  readonly allowUnsigned: boolean;
  readonly store: HandlerStore;
  readonly maxBytes: number;
  readonly timeout: number;
  readonly leaseMs: number;
  readonly maxHandlingMs: number | undefined;
  readonly onEvent: PostbackEventListener | undefined;
}

const NAMES = [
  "onPostback",
  "signer",
  "allowUnsigned",
  "store",
  "maxBytes",
  "timeout",
  "leaseMs",
  "maxHandlingMs",
  "onEvent",
] as const;

const STORE_METHODS = ["claimPostback", "renewPostback", "confirmPostback", "releasePostback"] as const;

/** @throws {ConfigurationError} */
export function readHandlerOptions(options: PostbackHandlerOptions): HandlerSettings {
  const {
    onPostback,
    signer,
    allowUnsigned = false,
    store,
    maxBytes = POSTBACK_MAX_BYTES,
    timeout = POSTBACK_TIMEOUT_MS,
    leaseMs = POSTBACK_LEASE_MS,
    maxHandlingMs,
    onEvent,
  } = knownOptions(options, NAMES, NO_CALL);
  assertConfig(typeof onPostback === "function", "onPostback must be a function.");
  assertConfig(typeof allowUnsigned === "boolean", "allowUnsigned must be true or false.");
  assertConfig(signer === undefined || hasMethods(signer, ["verify"]), "signer must be a PostbackUrlSigner.");
  assertConfig(
    signer !== undefined || allowUnsigned,
    "Postbacks are unsigned: give a `signer`, or say `allowUnsigned: true` and check each of them yourself.",
  );
  assertConfig(store === undefined || hasMethods(store, STORE_METHODS), "store must be a PostbackStore.");
  assertConfig(Number.isSafeInteger(maxBytes) && maxBytes > 0, "maxBytes must be a whole number above zero.");
  assertConfig(isTimeout(timeout), `timeout ${TIMEOUT_RULE}.`);
  assertConfig(isTimeout(leaseMs), `leaseMs ${TIMEOUT_RULE}.`);
  assertConfig(maxHandlingMs === undefined || isTimeout(maxHandlingMs), `maxHandlingMs ${TIMEOUT_RULE}.`);
  assertConfig(onEvent === undefined || typeof onEvent === "function", "onEvent must be a function.");
  return {
    onPostback,
    signer,
    allowUnsigned,
    store: store ?? memoryPostbackStore(),
    maxBytes,
    timeout,
    leaseMs: Math.ceil(leaseMs),
    maxHandlingMs,
    onEvent,
  };
}

function hasMethods(value: unknown, names: readonly string[]): boolean {
  return isRecord(value) && names.every((name) => typeof value[name] === "function");
}
