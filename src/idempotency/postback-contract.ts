/**
 * What makes two deliveries the same postback. The specification shows no id of a delivery, so a second refund of
 * the same part of an amount cannot be told from a repeated one.
 *
 * What is not proven must not stand in the way of what is: whoever knows the URL of one order may post the `id` of
 * another to it, and anybody may post unsigned. So the order and the trust are parts of the key.
 */
export interface PostbackKey {
  /** `signed`: the reference is proven. */
  readonly trust: "signed" | "unsigned";
  /** The merchant's reference; empty where the postback has none. */
  readonly externalRef: string;
  /** Transaction identifier. */
  readonly id: number;
  /** The status exactly as it came. */
  readonly rawStatus: string;
  /** Cents. */
  readonly amount: number;
}

/** A postback that was handled. */
export type HandledPostback = Pick<PostbackKey, "rawStatus" | "amount">;

/** What came of a claim. */
export type PostbackClaim =
  | {
      /** It is the caller's, until the lease ends. */
      readonly state: "claimed";
      /**
       * What was handled of the same transaction, latest last. A store may forget the oldest of very many, but never the
       * first of a status, nor one that changed the status.
       */
      readonly handled: readonly HandledPostback[];
    }
  | {
      /** It was handled before. */
      readonly state: "done";
    }
  | {
      /** Somebody else has it, or another postback of the same transaction. */
      readonly state: "busy";
      /** Whether it is the very same postback that somebody has. */
      readonly isSame: boolean;
      /** Its lease has ended, and its owner has a last chance to renew it: claim again in a moment. */
      readonly isOverdue?: boolean;
      /** Milliseconds until their lease ends. */
      readonly leaseLeftMs: number;
    };

/**
 * Remembers which postbacks were handled, so that each is handled once, and those of one transaction one after the
 * other. Every operation is atomic, also between processes that share the store.
 *
 * A postback is free, claimed, or done. A claim belongs to an `owner`, a text that is used for one claim only, and
 * is free again when its lease has ended: its process died. Since a store that was away could not be told of renewals,
 * and a clock may be set forward, a store of several processes gives the owner a few more seconds, from the moment at
 * which another one asks for the claim. A transaction is what has the same `trust`, `externalRef` and `id`.
 */
export interface PostbackStore {
  /**
   * Makes a free postback the owner's for `leaseMs`, unless another postback of its transaction is claimed. It changes
   * nothing where it does not succeed.
   */
  claimPostback(key: PostbackKey, owner: string, leaseMs: number): Promise<PostbackClaim>;
  /** Lets the owner's lease begin anew. `false` where the claim is not the owner's any more. */
  renewPostback(key: PostbackKey, owner: string, leaseMs: number): Promise<boolean>;
  /**
   * Makes a postback done that is the owner's, or free because the owner's lease ended. `false` where it is somebody
   * else's, or done. Durable once it resolves.
   */
  confirmPostback(key: PostbackKey, owner: string): Promise<boolean>;
  /** Makes the owner's claim free. Does nothing where it is not the owner's any more. */
  releasePostback(key: PostbackKey, owner: string): Promise<void>;
}
