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

/** The result of a claim. */
export type PostbackClaim =
  | {
      /** The caller holds it until the lease ends. */
      readonly state: "yours";
      /** Of the same transaction, latest last. The first of a status, and each that changed it, are never dropped. */
      readonly handled: readonly HandledPostback[];
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

/**
 * Remembers which postbacks were handled, so that each is handled once, and those of one transaction one after the
 * other. Every operation is atomic, also between processes that share the store.
 *
 * A postback is free, claimed, or done. A claim belongs to an `owner`, a text that is used for one claim only, and ends
 * with its lease. A store that several processes share then lets the owner renew for a few more seconds, counted from
 * when another process tries to claim: it may have been unreachable, or its clock set forward. Postbacks of one
 * transaction have the same `trust`, `externalRef` and `id`.
 */
export interface PostbackStore {
  /** Claims a free postback, unless another postback of its transaction is claimed: then it changes nothing. */
  claimPostback(key: PostbackKey, owner: string, leaseMs: number): Promise<PostbackClaim>;
  /** Restarts the owner's lease. `false` if the owner no longer holds the claim. */
  renewPostback(key: PostbackKey, owner: string, leaseMs: number): Promise<boolean>;
  /**
   * Marks a postback as done. The owner must hold it, or it must be free because the owner's lease ended. `false` if
   * another owner holds it, or if it is done. Durable once it resolves.
   */
  confirmPostback(key: PostbackKey, owner: string): Promise<boolean>;
  /** Releases the owner's claim. Does nothing if the owner no longer holds it. */
  releasePostback(key: PostbackKey, owner: string): Promise<void>;
}
