import type { TransactionStatus } from "../spec/transaction-status.ts";
import type { OrderFilter, OrderRecord, PossibleDuplicate } from "./idempotency-store.ts";

/**
 * Identifies a postback: two deliveries with the same key are the same postback. The specification shows no delivery id,
 * so a second partial refund of the same amount looks like a repeated postback.
 *
 * The order and the trust are parts of the key because unproven postbacks must not block proven ones: anyone who knows
 * the URL of one order can post the `id` of another to it, and anyone can send an unsigned postback.
 */
export interface PostbackKey {
  /** `signed`: the reference is proven. */
  readonly trust: "signed" | "unsigned";
  /** The merchant's reference; empty if the postback has none. */
  readonly externalRef: string;
  /** Transaction identifier. */
  readonly id: number;
  /** The status exactly as received. */
  readonly rawStatus: string;
  /** Cents. */
  readonly amount: number;
}

/** A postback that was handled. */
export type HandledPostback = Pick<PostbackKey, "rawStatus" | "amount">;

/** What a store keeps of a signed postback, besides its key, until its callback has succeeded. */
export interface PostbackDetails {
  /** ISO 8601 UTC, as received. */
  readonly transactionDate?: string | undefined;
  /** Cents that its URL was signed for; missing if the signer does not report them, and they are not `amount`. */
  readonly signedAmount?: number | undefined;
  /**
   * Only for a retry: how often the callback was started. If it was started more often, another process has run it: the
   * claim is then refused as `busy` until the pause after that run is over.
   */
  readonly attempts?: number | undefined;
  /**
   * The transaction that the order's record shows as paid in full, and whether the money was given back since. If no
   * recorded postback reported that, it was paid without one, and becomes the winner if there is none.
   */
  readonly paid?:
    | {
        /** Of the transaction. */
        readonly id: number;
        /** Whether the money was refunded or charged back. */
        readonly isGivenBack: boolean;
      }
    | undefined;
  /** Whether the order's record could not be read: then the postback does not decide who the winner is. */
  readonly isRecordUnknown?: boolean | undefined;
  /** Whether the order's record contradicts the postback. Kept with it: the postback itself changes that record. */
  readonly contradictsRecord?: boolean | undefined;
  /**
   * The order's record, as `get` of the same store returned it. A store may record the postback in it as `recordPostback`
   * does, in the same step: only if the claim is `yours` and has not failed before, and if the record has not changed since.
   */
  readonly record?: OrderRecord | undefined;
}

/** A signed postback of an order. */
export interface RecordedPostback extends HandledPostback {
  /** Transaction identifier. */
  readonly id: number;
  /** Whether the amount is the signed one. */
  readonly amountMatches: boolean;
  /** Whether its callback has not succeeded yet. */
  readonly isOpen: boolean;
  /** See {@link PostbackDetails}. */
  readonly contradictsRecord?: boolean | undefined;
}

/** The signed postbacks of an order. */
export interface OrderPostbacks {
  /**
   * The transaction that pays for the order: the first that was reported as `approved` over the signed amount, or that was
   * paid before without a postback. It does not change.
   */
  readonly winner?: number | undefined;
  /** In the order in which they arrived. Of very many only those that decide the status of a transaction. */
  readonly recorded: readonly RecordedPostback[];
}

/** The result of a claim. */
export type PostbackClaim =
  | {
      /** The caller holds it until the lease ends. */
      readonly state: "yours";
      /** Of the same transaction, latest last. The first of a status, and each that changed it, are never dropped. */
      readonly handled: readonly HandledPostback[];
      /** The postbacks of the order, with this one if there was room for it; missing without `details`. */
      readonly order?: OrderPostbacks | undefined;
      /** How often its callback was started, with this time; missing if the claim did not record it. */
      readonly attempts?: number | undefined;
      /** ISO 8601 UTC time of its arrival; missing if the claim did not record it. */
      readonly since?: string | undefined;
      /** ISO 8601 UTC time of the start before this one, if there was one. */
      readonly lastStartedAt?: string | undefined;
      /** Whether the callback has failed before, and not only lost its process. */
      readonly hasFailed?: boolean | undefined;
      /** What `recordPostback` returns, if the claim recorded the postback in the order's record. */
      readonly possibleDuplicates?: readonly PossibleDuplicate[] | undefined;
    }
  | {
      /** It was handled before. */
      readonly state: "done";
    }
  | {
      /** Another owner holds it, or another postback of the same transaction. */
      readonly state: "busy";
      /** Whether the other owner holds this same postback. */
      readonly isSame: boolean;
      /** The lease has ended, but its owner may still renew it: claim again after `leaseLeftMs`. */
      readonly isOverdue?: boolean;
      /** Milliseconds until the lease ends. */
      readonly leaseLeftMs: number;
    };

/** A failed run of a callback. */
export interface PostbackFailure {
  /** Name of the error. */
  readonly name: string;
  /** Code of the error, if it has one. */
  readonly code?: string | undefined;
  /** Milliseconds until the next run, at most one hour. */
  readonly retryAfterMs: number;
}

/** A signed postback whose callback has not succeeded. */
export interface OpenPostback {
  /** Only in a list of all namespaces. */
  readonly namespace?: string;
  /** The merchant's reference. */
  readonly externalRef: string;
  /** Transaction identifier. */
  readonly id: number;
  /** The status, normalized. */
  readonly status: TransactionStatus;
  /** The status exactly as received. */
  readonly rawStatus: string;
  /** Cents. */
  readonly amount: number;
  /** ISO 8601 UTC, as received. */
  readonly transactionDate?: string;
  /** Cents that its URL was signed for, if the signer reports them. */
  readonly signedAmount?: number;
  /**
   * `running`: a process runs its callback, or that of another postback of the transaction. `failed`: the callback failed.
   * `abandoned`: its process ended, or could not start the callback.
   */
  readonly state: "running" | "failed" | "abandoned";
  /** How often the callback was started. */
  readonly attempts: number;
  /** ISO 8601 UTC time at which the postback arrived. */
  readonly since: string;
  /** ISO 8601 UTC time of the next run, if a process is there to do it. */
  readonly retryAt?: string;
  /** The last error of the callback: its name and code, never its message, which may contain personal data. */
  readonly lastError?: {
    /** Name of the error; `UnreadableRecord` if the store holds a text that it did not write. */
    readonly name: string;
    /** Code of the error, if it has one. */
    readonly code?: string;
  };
}

/**
 * Remembers which postbacks were handled, so that each is handled once, and those of one transaction one after the
 * other. Every operation is atomic, also between processes that share the store.
 *
 * A postback is free, claimed, or done; a signed one that is not done can be open. A claim belongs to an `owner`, a text
 * that is used for one claim only, and ends with its lease. A store that several processes share then lets the owner renew
 * for a few more seconds, counted from when another process tries to claim: the store may have been unreachable, or its
 * clock set forward. Postbacks of one transaction have the same `trust`, `externalRef` and `id`.
 */
export interface PostbackStore {
  /**
   * Claims a free postback, unless another postback of its transaction is claimed. With `details` it first records a signed
   * postback as open, durably, and whether or not the claim succeeds. It stays open until it is confirmed or closed. Of an
   * order, 100 are kept open: payments and refunds displace others. Without a reference it is never open.
   */
  claimPostback(
    key: PostbackKey,
    owner: string,
    leaseMs: number,
    details?: PostbackDetails,
  ): Promise<PostbackClaim>;
  /** Restarts the owner's lease. `false` if the owner no longer holds the claim. */
  renewPostback(key: PostbackKey, owner: string, leaseMs: number): Promise<boolean>;
  /**
   * Marks a postback as done. The owner must hold it, or it must be free because the owner's lease ended. `false` if
   * another owner holds it, or if it is done. Durable once it resolves.
   */
  confirmPostback(key: PostbackKey, owner: string): Promise<boolean>;
  /**
   * Releases the owner's claim, and records why its callback failed. Without a failure the callback did not run. Does
   * nothing if the owner no longer holds it.
   */
  releasePostback(key: PostbackKey, owner: string, failure?: PostbackFailure): Promise<void>;
  /**
   * Lists the signed postbacks whose callback has not succeeded, oldest first, for `for await`. A record that cannot be
   * read is listed as `failed`. Optional in a custom store: without it, a handler keeps open postbacks in its process.
   * `namespace` is as in {@link OrderFilter}.
   */
  openPostbacks?(options?: Pick<OrderFilter, "namespace">): AsyncIterableIterator<OpenPostback>;
  /**
   * Ends the open postbacks of an order without running their callbacks, except those that are running. They count as
   * handled. Also removes a record that cannot be read.
   *
   * @returns the closed postbacks.
   */
  closePostbacks?(externalRef: string): Promise<readonly OpenPostback[]>;
}
