import type { TransactionStatus } from "../spec/transaction-status.ts";
import type { PaymentMethod } from "../spec/values.ts";
import type { PixCode, UnrefusedCardTransaction } from "./transaction.ts";

/** The terms of a payment. A repeat of its reference must have the same terms. */
export interface PaymentTerms {
  /** Cents. */
  readonly amount: number;
  /** The payment method. */
  readonly paymentMethod: PaymentMethod;
  /** As sent; missing for a pix. */
  readonly installments?: string | undefined;
}

/** A payment that the caller wants to send, or has sent. */
export interface ClaimedOrder extends PaymentTerms {
  /** The merchant's reference. It identifies the record within the store's namespace. */
  readonly externalRef: string;
  /** A text that is used for one claim only. */
  readonly owner: string;
}

/**
 * A transaction in a store: as it was returned, without customer, metadata, postback URL, raw body and the picture of a
 * pix code. If only a postback or `resolve()` reported it, it has little more than `id` and `status`.
 */
export type StoredTransaction = Omit<
  UnrefusedCardTransaction,
  "paymentMethod" | "status" | "customer" | "metadata" | "postBackUrl" | "raw"
> & {
  /** The payment method. */
  readonly paymentMethod: PaymentMethod;
  /** Its latest known status. If it is `approved` over another amount, `paidAmount` has that amount. */
  readonly status: TransactionStatus;
  /** Only for a pix whose response was received. */
  readonly pix?: PixCode;
};

/**
 * The state of an order: a claim whose lease has ended is `unresolved`. `get` and the lists show that earlier, if its process
 * no longer renews it: see {@link ClaimOptions.heartbeatMs}.
 */
export type OrderState = "free" | "claimed" | "unresolved" | "created";

/** The record of an order. It contains no personal data. */
export interface OrderRecord extends PaymentTerms {
  /** Only in a list of all namespaces. */
  readonly namespace?: string;
  /** The merchant's reference. */
  readonly externalRef: string;
  /** See {@link IdempotencyStore}. */
  readonly state: OrderState;
  /** 1 for the first. */
  readonly attempt: number;
  /** ISO 8601 UTC time of the last change. */
  readonly since: string;
  /** Only for `unresolved`: why the outcome is not known. */
  readonly reason?: UnresolvedReason;
  /** Only for `created`. A string if it is beyond 2^53 - 1. */
  readonly transactionId?: number | string;
  /** Only for `created`; missing if only its id could be read. */
  readonly transaction?: StoredTransaction;
  /** Only for `created`: `true` while only a person has reported the transaction. Custom stores may lack it. */
  readonly isByHand?: boolean;
  /** Only for `free`: `refused`, `cancelled` or `expired`, if the order has had a transaction. Custom stores may lack it. */
  readonly lastStatus?: TransactionStatus;
  /** Ids of transactions of the same reference that are known not to belong to this attempt. */
  readonly earlierIds: readonly (number | string)[];
  /** Ids of transactions of the same reference that were refused, cancelled, or have expired. Custom stores may lack it. */
  readonly unchargedIds?: readonly (number | string)[];
  /** Other transactions of the same reference that may have charged the customer too. Normally empty. */
  readonly possibleDuplicates: readonly PossibleDuplicate[];
}

/** Selects orders. */
export interface OrderFilter {
  /** Only orders in this state. */
  readonly state?: OrderState | undefined;
  /**
   * Only orders whose transaction has this status: all of them are `created`. Those of the stores of this package whose
   * response could not be read are `unrecognized` here.
   */
  readonly status?: TransactionStatus | undefined;
  /** Only orders that have not changed for this many milliseconds. Default 0. */
  readonly olderThanMs?: number | undefined;
  /** `*` lists the orders of all namespaces of the database. Default: of that of the store. Custom stores may lack it. */
  readonly namespace?: "*" | undefined;
}

/** Options of a claim. */
export interface ClaimOptions {
  /** Aborts when the caller stops waiting. The store then stops retrying. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Also claims a reference whose latest attempt was a pix on the same terms, and whose code was lost: the attempt is
   * `unresolved`, or its transaction was created and is not paid. Default `false`.
   */
  readonly replaceLost?: boolean | undefined;
  /**
   * The caller renews the lease this often, in milliseconds, while its request is in flight. If it has not for two and a half
   * times as long, its process has most likely ended: `get` and the lists then show the order as `unresolved`. Claims and
   * `resolve` wait for the end of the lease all the same. Custom stores may ignore it. Default: none.
   */
  readonly heartbeatMs?: number | undefined;
}

/** The result of a claim. */
export type Claim =
  | {
      /** The caller holds the order until the lease ends: send the payment. */
      readonly state: "yours";
    }
  | {
      /** A transaction exists for this reference. */
      readonly state: "created";
      /** A string if it is beyond 2^53 - 1. */
      readonly transactionId: number | string;
      /** Missing if only its id could be read. */
      readonly transaction?: StoredTransaction;
    }
  | {
      /** Another caller is sending the payment. */
      readonly state: "claimed";
      /** Milliseconds until that caller's lease ends. */
      readonly leaseLeftMs: number;
    }
  | {
      /** The payment was sent, or may have been, and its outcome is not known. */
      readonly state: "unresolved";
    }
  | {
      /** The reference belongs to a payment with other terms. */
      readonly state: "conflict";
      /** The state of that payment. */
      readonly earlier: "created" | "claimed" | "unresolved";
    };

/** How an attempt to send a payment ended. */
export type AttemptOutcome =
  | {
      /** A transaction exists. */
      readonly outcome: "created";
      /** A string if it is beyond 2^53 - 1. */
      readonly transactionId: number | string;
      /** Missing if only its id could be read. */
      readonly transaction?: StoredTransaction | undefined;
    }
  | {
      /** It was not sent, or the service refused the request. */
      readonly outcome: "not_created";
    }
  | {
      /** It was sent, and no usable response was received. */
      readonly outcome: "unknown";
    };

/** The result of recording how an attempt ended. */
export interface RecordedOutcome {
  /** The other transactions of the reference that may have charged the customer too. Normally empty. */
  readonly possibleDuplicates: readonly PossibleDuplicate[];
  /** Whether the order belongs to another attempt or transaction by now: then no one must get the code of this pix. */
  readonly isReplaced: boolean;
}

/** The content of a signed postback. */
export interface PostbackUpdate {
  /** Transaction identifier. */
  readonly id: number;
  /** The status, normalized. */
  readonly status: TransactionStatus;
  /** The status exactly as received. */
  readonly rawStatus: string;
  /** Cents. */
  readonly amount: number;
}

/** Another transaction of the same reference that may have charged the customer too. */
export interface PossibleDuplicate {
  /** A string if it is beyond 2^53 - 1. */
  readonly id: number | string;
  /** Its latest known status: not `refused`, `expired` or `cancelled`. */
  readonly status: TransactionStatus;
}

/** What a person found out about a payment from the service: its dashboard, if that lists transactions, or its support. */
export type Finding =
  | {
      /** No transaction exists for this attempt. */
      readonly charged: false;
      /** The number of the attempt that was checked. The finding is refused if there is a later attempt. */
      readonly attempt?: number | undefined;
      /** As in a finding with a transaction. */
      readonly replaces?: number | string | undefined;
    }
  | {
      /** The transaction that exists; a string if its id is beyond 2^53 - 1. */
      readonly transactionId: number | string;
      /** Its status; not `unrecognized`. */
      readonly status: Exclude<TransactionStatus, "unrecognized">;
      /** The number of the attempt that was checked. */
      readonly attempt?: number | undefined;
      /**
       * The transaction that a person recorded by mistake. The record forgets it in the same step, so no create call is sent in
       * between. The finding is refused if the order has another transaction by now, and if a response or a signed postback of
       * the order has named this one, also one of `payments postbacks deliver`: a callback may have shipped it.
       */
      readonly replaces?: number | string | undefined;
    };

/** An order after a finding was recorded. The shop has to act on it, because no postback handler runs. */
export interface ResolvedOrder {
  /** `created`: act on the status of the transaction. `free`: no one was charged, and the next create call is sent. */
  readonly state: "created" | "free";
  /** Only for `created`. A string if it is beyond 2^53 - 1. */
  readonly transactionId?: number | string;
  /** Only for `created`; missing if its id is beyond 2^53 - 1. */
  readonly transaction?: StoredTransaction;
}

/** `no_response`: the call ended without a usable response. `not_reported`: the process never reported how it ended. */
export type UnresolvedReason = "no_response" | "not_reported";

/** A payment that a person must check with the service. */
export interface UnresolvedOrder extends PaymentTerms {
  /** Only in a list of all namespaces. */
  readonly namespace?: string;
  /** The merchant's reference. */
  readonly externalRef: string;
  /** 1 for the first. */
  readonly attempt: number;
  /** Why the outcome is not known. */
  readonly reason: UnresolvedReason;
  /** ISO 8601 UTC time of the last change. */
  readonly since: string;
  /** Ids of transactions of the same reference that are known not to belong to this attempt. */
  readonly earlierIds: readonly (number | string)[];
}

/**
 * Records the outcome of each payment, so that none is sent twice. A record is identified by namespace and `externalRef`,
 * and is in one of four states; a reference without a record is `free`.
 *
 * | state | meaning | a claim on the same terms | ends by |
 * |---|---|---|---|
 * | `free` | no one was charged | makes it `claimed` | a claim; a signed postback of an unknown transaction |
 * | `claimed` | a caller is sending it, until the lease ends | gets `claimed` | `recordOutcome`; `recordPostback`; the lease |
 * | `unresolved` | it may have been sent, and its outcome is not known | gets `unresolved` | a late `recordOutcome`; `recordPostback`; `resolve` |
 * | `created` | a transaction exists that is not refused, expired or cancelled | gets the transaction | `recordPostback` and `resolve`, if it is refused, expired or cancelled: `free` |
 *
 * A claim whose lease has ended is `unresolved`, and never becomes free automatically. If the store's clock was set back
 * by days, so is a claim whose lease may not have ended: `replaceLost` is refused until the clock has caught up or a person
 * has resolved it. Every operation is atomic, also between processes that share the store, and durable once it resolves.
 */
export interface IdempotencyStore {
  /**
   * A risk that the store cannot prevent; reported once, as a `warning` event. It is read after the claim and at the end of
   * a create call, so a store can detect it in its database during the first claim.
   */
  readonly warning?: string | undefined;
  /**
   * Claims a free reference for `leaseMs`. Changes nothing if it does not succeed.
   *
   * @throws {InvalidRequestError} if the reference contains control characters.
   */
  claim(order: ClaimedOrder, leaseMs: number, options?: ClaimOptions): Promise<Claim>;
  /** Restarts the owner's lease. `false` if the owner no longer holds the claim, or if its lease has ended. */
  renew(order: ClaimedOrder, leaseMs: number): Promise<boolean>;
  /**
   * Records how the attempt ended. A transaction is always recorded, even if the owner no longer holds the claim.
   *
   * @returns what is known about other attempts. A store that returns only ids cannot report that a pix was replaced.
   */
  recordOutcome(
    order: ClaimedOrder,
    end: AttemptOutcome,
  ): Promise<RecordedOutcome | readonly (number | string)[]>;
  /**
   * Records a signed postback. Changes nothing if the reference has no record.
   *
   * @param record - The record that `get` returned for the postback: a store that remembers its version need not read it
   * again, and decides anew if it has changed since.
   * @returns the other transactions that may have charged the customer too; none if this one charges no one.
   */
  recordPostback(
    externalRef: string,
    update: PostbackUpdate,
    record?: OrderRecord,
  ): Promise<readonly PossibleDuplicate[]>;
  /** Returns the record of an order, if there is one. A failed create call reads it for `mayHaveCharged` of its error. */
  get(externalRef: string): Promise<OrderRecord | undefined>;
  /**
   * Lists orders, in any order, for `for await`. Databases are read in pages: an order that changes meanwhile may be missing, or
   * listed twice.
   *
   * @throws {ConfigurationError} on an unknown option or value.
   */
  list(filter?: OrderFilter): AsyncIterableIterator<OrderRecord>;
  /**
   * Lists the orders that a person must check with the service, as `list({ state: "unresolved" })` does. For its options
   * see {@link OrderFilter}.
   */
  unresolved(
    options?: Pick<OrderFilter, "olderThanMs" | "namespace">,
  ): AsyncIterableIterator<UnresolvedOrder>;
  /** Lists the namespaces in which the database has orders, sorted. Redis also lists those that had some. */
  namespaces(): Promise<readonly string[]>;
  /**
   * Records a finding. **No postback handler runs**: the shop itself has to act on the result, for example ship an
   * order whose transaction is `approved`.
   *
   * `{ charged: false }` frees the reference, so the next create call is sent: use it only after checking that no
   * transaction exists. For a `created` record, a finding sets the status of its transaction.
   *
   * @throws {OutcomePendingError} while a caller is sending the payment.
   * @throws {InvalidRequestError} if the reference has no record, or if the finding cannot be right.
   */
  resolve(externalRef: string, finding: Finding): Promise<ResolvedOrder>;
}

/** The warning of a store whose records are lost when the process ends. @internal */
export const MEMORY_WARNING =
  "is kept in the memory of this process: it does not protect against other processes, or after a restart";
