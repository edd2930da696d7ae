import { POSTBACK_TAKEOVER_MS, POSTBACKS_OF_A_TRANSACTION } from "../spec/limits.ts";
import { change, type Documents, type Found, leaseLeft } from "./documents.ts";
import type { HandledPostback, PostbackClaim, PostbackKey, PostbackStore } from "./postback-contract.ts";
import { remember } from "./postback-history.ts";

interface Held extends HandledPostback {
  readonly owner: string;
  /** Milliseconds from the writing of the document. */
  readonly leaseMs: number;
  /** Its lease has ended once, and its owner did not renew it since. */
  readonly isOverdue?: boolean;
}

/** The postbacks of a transaction: one is handled at a time. */
interface Postbacks {
  readonly held?: Held | undefined;
  /** Latest last. */
  readonly handled: readonly HandledPostback[];
}

const NONE: Postbacks = { handled: [] };

/** Keeps postbacks in whatever keeps documents: one document a transaction. */
export class DocumentPostbacks implements PostbackStore {
  readonly #documents: Documents;

  constructor(documents: Documents) {
    this.#documents = documents;
  }

  async claimPostback(key: PostbackKey, owner: string, leaseMs: number): Promise<PostbackClaim> {
    const { result } = await this.#change<PostbackClaim>(key, undefined, ({ held, handled }, ageMs) => {
      if (handled.some((past) => isOf(past, key))) return { result: { state: "done" } };
      const leaseLeftMs = held === undefined ? 0 : leaseLeft(held.leaseMs, ageMs);
      if (held !== undefined && leaseLeftMs > 0) return { result: busyBy(held, key, leaseLeftMs) };
      // While the store was away, its owner could not renew it.
      if (held !== undefined && held.isOverdue !== true) return overdue(held, handled, key);
      const { rawStatus, amount } = key;
      return {
        next: { held: { rawStatus, amount, owner, leaseMs }, handled },
        result: { state: "claimed", handled },
      };
    });
    return result;
  }

  async renewPostback(key: PostbackKey, owner: string, leaseMs: number): Promise<boolean> {
    return this.#changeFound(key, ({ held, handled }) => {
      const isOwn = held?.owner === owner && isOf(held, key);
      if (!isOwn) return { result: false };
      return { next: { held: { ...held, leaseMs, isOverdue: false }, handled }, result: true };
    });
  }

  async confirmPostback(key: PostbackKey, owner: string): Promise<boolean> {
    return this.#changeFound(key, ({ held, handled }, ageMs) => {
      const isSomebodyElses =
        held !== undefined && isOf(held, key) && held.owner !== owner && leaseLeft(held.leaseMs, ageMs) > 0;
      if (isSomebodyElses) return { result: false };
      if (handled.some((past) => isOf(past, key))) {
        const isOwn = held?.owner === owner && isOf(held, key);
        return { ...(isOwn && { next: { handled } }), result: false };
      }
      const left = held?.owner === owner || held === undefined ? undefined : held;
      return {
        next: {
          held: left && { ...left, leaseMs: leaseLeft(left.leaseMs, ageMs) },
          handled: remember(handled, key, POSTBACKS_OF_A_TRANSACTION),
        },
        result: true,
      };
    });
  }

  async releasePostback(key: PostbackKey, owner: string): Promise<void> {
    await this.#changeFound(key, ({ held, handled }) => {
      const isOwn = held?.owner === owner && isOf(held, key);
      return { ...(isOwn && { next: { handled } }), result: undefined };
    });
  }

  async #changeFound<Result>(key: PostbackKey, decide: Decide<Result>): Promise<Result> {
    const found = await this.#documents.read(nameOf(key));
    return (await this.#change(key, found, decide)).result;
  }

  #change<Result>(key: PostbackKey, expected: Found | undefined, decide: Decide<Result>) {
    return change<Result>(this.#documents, nameOf(key), expected, (found) => {
      const postbacks = found === undefined ? NONE : (JSON.parse(found.text) as Postbacks);
      const { next, result } = decide(postbacks, found?.ageMs ?? 0);
      return { write: next && { text: JSON.stringify(next), isOpen: false }, result };
    });
  }
}

type Decide<Result> = (
  postbacks: Postbacks,
  ageMs: number,
) => { readonly next?: Postbacks | undefined; readonly result: Result };

/** Gives the owner of a lease that seems to have ended a last chance to renew it. */
function overdue(
  held: Held,
  handled: Postbacks["handled"],
  key: PostbackKey,
): ReturnType<Decide<PostbackClaim>> {
  const leaseMs = Math.min(held.leaseMs, POSTBACK_TAKEOVER_MS);
  const overdueHeld: Held = { ...held, leaseMs, isOverdue: true };
  return { next: { held: overdueHeld, handled }, result: busyBy(overdueHeld, key, leaseMs) };
}

function busyBy(held: Held, key: PostbackKey, leaseLeftMs: number): PostbackClaim {
  const isOverdue = held.isOverdue === true && { isOverdue: true };
  return { state: "busy", isSame: isOf(held, key), ...isOverdue, leaseLeftMs };
}

function isOf(past: HandledPostback, { rawStatus, amount }: HandledPostback): boolean {
  return past.rawStatus === rawStatus && past.amount === amount;
}

function nameOf({ trust, externalRef, id }: PostbackKey): string {
  return JSON.stringify([trust, id, externalRef]);
}
