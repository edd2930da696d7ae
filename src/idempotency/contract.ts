import type { PixCode, UnrefusedCardTransaction } from "../resources/transactions/transaction.ts";
import type { PaymentMethod, TransactionStatus } from "../spec/values.ts";

/** What a payment asks for. A repeat of its reference has to ask for the same. */
export interface PaymentTerms {
  /** Cents. */
  readonly amount: number;
  /** How it is to be paid. */
  readonly paymentMethod: PaymentMethod;
  /** As it is sent; missing on a pix. */
  readonly installments?: string | undefined;
}

/** A payment that somebody wants to send, or has sent. */
export interface ClaimedOrder extends PaymentTerms {
  /** The merchant's reference: what the record is found by, within the store's namespace. */
  readonly externalRef: string;
  /** A text that is used for one claim only. */
  readonly owner: string;
}

/**
 * A transaction as a store keeps it: as it was returned, without customer, metadata, postback URL and raw body. Of one
 * that only a postback or a person told of, little more is known than `id` and `status`.
 */
export type StoredTransaction = Omit<
  UnrefusedCardTransaction,
  "paymentMethod" | "status" | "customer" | "metadata" | "postBackUrl" | "raw"
> & {
  /** How it is paid. */
  readonly paymentMethod: PaymentMethod;
  /** Where it stood when it was last heard of. */
  readonly status: TransactionStatus;
  /** Of a pix whose answer was received. */
  readonly pix?: PixCode;
};

/** What came of a claim. */
export type Claim =
  | {
      /** It is the caller's, until the lease ends: send it. */
      readonly state: "yours";
    }
  | {
      /** There is a transaction for this reference. */
      readonly state: "created";
      /** A string where it is beyond 2^53 - 1. */
      readonly transactionId: number | string;
      /** Missing where nothing but its id could be read. */
      readonly transaction?: StoredTransaction;
    }
  | {
      /** Somebody else is sending it. */
      readonly state: "claimed";
      /** Milliseconds until their lease ends. */
      readonly leaseLeftMs: number;
    }
  | {
      /** It was sent, or may have been, and nobody knows what came of it. */
      readonly state: "unresolved";
    }
  | {
      /** The reference belongs to a payment on other terms. */
      readonly state: "conflict";
      /** What is known of that one. */
      readonly earlier: "created" | "claimed" | "unresolved";
    };

/** How the sending of a payment ended. */
export type AttemptEnd =
  | {
      /** A transaction exists. */
      readonly outcome: "created";
      /** A string where it is beyond 2^53 - 1. */
      readonly transactionId: number | string;
      /** Missing where nothing but its id could be read. */
      readonly transaction?: StoredTransaction | undefined;
    }
  | {
      /** It was not sent, or the service refused the request. */
      readonly outcome: "not_created";
    }
  | {
      /** It was sent, and no usable answer came. */
      readonly outcome: "unknown";
    };

/** What a signed postback says. */
export interface PostbackNews {
  /** Transaction identifier. */
  readonly id: number;
  /** What the status is read as. */
  readonly status: TransactionStatus;
  /** The status exactly as it came. */
  readonly rawStatus: string;
  /** Cents. */
  readonly amount: number;
}

/** Another transaction of the same reference by which the customer may have been charged, too. */
export interface RivalTransaction {
  /** A string if it is beyond 2^53 - 1. */
  readonly id: number | string;
  /** Its latest known status: not `refused`, `expired` or `cancelled`. */
  readonly status: TransactionStatus;
}

/** What a person found out about a payment, in the dashboard of the service for one. */
export type Finding =
  | {
      /** There is no transaction for this attempt. */
      readonly charged: false;
      /** The attempt that the person looked at, as it was listed: where there is a later one by now, it is refused. */
      readonly attempt?: number | undefined;
    }
  | {
      /** The transaction that there is; a string where it is beyond 2^53 - 1. */
      readonly transactionId: number | string;
      /** Its status; not `unrecognized`. */
      readonly status: Exclude<TransactionStatus, "unrecognized">;
      /** The attempt that the person looked at, as it was listed. */
      readonly attempt?: number | undefined;
    };

/** A payment that a person must look at. */
export interface UnresolvedOrder extends PaymentTerms {
  /** The merchant's reference. */
  readonly externalRef: string;
  /** 1 for the first. */
  readonly attempt: number;
  /**
   * Why nobody knows: `no_answer`, the call ended without one that could be used; `no_end`, its process never came back
   * to say how it ended.
   */
  readonly reason: "no_answer" | "no_end";
  /** ISO 8601 UTC time since which nothing was heard of it. */
  readonly since: string;
  /** Ids of transactions of the same reference that are known not to be this one. */
  readonly earlierIds: readonly (number | string)[];
}

/**
 * Keeps what became of each payment, so that none is sent twice. A record is found by namespace and `externalRef`, and
 * is in one of four states; one that does not exist is `free`.
 *
 * | state | meaning | a claim on the same terms | ends by |
 * |---|---|---|---|
 * | `free` | nobody was charged | makes it `claimed` | a claim; a signed postback of a transaction that nobody knew |
 * | `claimed` | somebody is sending it, until the lease ends | gets `claimed` | `end`; `settle`; the lease |
 * | `unresolved` | it may have been sent, and nobody knows what came of it | gets `unresolved` | `end`, late; `settle`; `resolve` |
 * | `created` | a transaction exists that is not refused, expired or cancelled | gets the transaction | `settle` and `resolve`, where it is refused, expired or cancelled: `free` |
 *
 * A claim whose lease has ended is `unresolved`, and never becomes free by itself. Every operation is atomic, also
 * between processes that share the store, and durable once it resolves.
 */
export interface IdempotencyStore {
  /**
   * What the store cannot protect from; reported once, as a `warning` event. It is read at the start and at the end of a
   * create, so a store may learn it from its database with the first claim.
   */
  readonly warning?: string | undefined;
  /**
   * Makes a free reference the owner's for `leaseMs`. It changes nothing where it does not succeed.
   *
   * @param options - `signal`: aborted when the caller no longer waits. The store then stops trying.
   * @throws {InvalidRequestError} if the reference holds control characters.
   */
  claim(order: ClaimedOrder, leaseMs: number, options?: { readonly signal?: AbortSignal }): Promise<Claim>;
  /** Lets the owner's lease begin anew. `false` where the claim is not the owner's any more, or its lease has ended. */
  renew(order: ClaimedOrder, leaseMs: number): Promise<boolean>;
  /**
   * Records how the sending ended. A transaction is never forgotten, also where the claim is not the owner's any more.
   *
   * @returns ids of other transactions of the reference that are neither refused, expired nor cancelled: somebody may
   * have been charged twice.
   */
  end(order: ClaimedOrder, end: AttemptEnd): Promise<readonly (number | string)[]>;
  /**
   * Records what a signed postback says. It changes nothing if the reference has no record.
   *
   * @returns the other transactions of the reference by which the customer may have been charged, too. Empty if nobody
   * is charged by this one.
   */
  settle(externalRef: string, news: PostbackNews): Promise<readonly RivalTransaction[]>;
  /**
   * What a person must look at: each `unresolved` record, those of ended leases included, in no particular order. Read it with
   * `for await`; nothing is asked of the database before.
   *
   * @param options - `olderThanMs`: only those of which nothing was heard for so many milliseconds. Default 0.
   */
  unresolved(options?: { readonly olderThanMs?: number | undefined }): AsyncIterableIterator<UnresolvedOrder>;
  /**
   * Records what a person found out. `{ charged: false }` frees the reference: say it only when you have seen that
   * there is no transaction, since the next create is then sent.
   *
   * Of a `created` record it takes the status of its transaction, for those to whom no postback comes.
   *
   * @returns the state that the record has now.
   * @throws {OutcomePendingError} while somebody is sending it.
   * @throws {InvalidRequestError} where the reference has no record, and on a finding that cannot be right.
   */
  resolve(externalRef: string, finding: Finding): Promise<"created" | "free">;
}
