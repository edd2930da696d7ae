import type { PostbackKey, PostbackStore } from "../../contracts/postback-store.ts";
import { createPostbackStore, type DecidePostback, type HeldPostback } from "./postback-claims.ts";
import { findDecisive, findLeastDecisive } from "./postback-history.ts";

/** Default number of handled postbacks that a memory store keeps. */
export const MAX_POSTBACKS = 20_000;

/** Handled postbacks of one order that a memory store keeps. */
const MAX_KEPT_PER_ORDER = 1_000;

/** Remembers which postbacks were handled, in the memory of one process. */
export function memoryPostbackStore(maxPostbacks = MAX_POSTBACKS): PostbackStore {
  // Anyone can send unsigned postbacks, so they must not displace signed ones.
  const postbacks = {
    signed: new MemoryPostbacks(maxPostbacks),
    unsigned: new MemoryPostbacks(maxPostbacks),
  };
  return createPostbackStore({
    renewalGraceMs: 0,
    change: async (key, _isClaim, decide) => postbacks[key.trust].change(key, decide),
  });
}

/**
 * The postbacks with the same `trust`. Unlike in a database, each handled postback is forgotten separately: the number
 * is limited for all orders together, and a flood of postbacks of one order must not displace those of another.
 */
class MemoryPostbacks {
  readonly #max: number;
  /** By transaction. `writtenAt` is a time of the monotonic clock. */
  readonly #claims = new Map<string, { readonly held: HeldPostback; readonly writtenAt: number }>();
  /** Oldest first. */
  readonly #handled = new Set<PostbackKey>();
  /** The same by order. */
  readonly #byOrder = new Map<string, Set<PostbackKey>>();

  constructor(max: number) {
    this.#max = max;
  }

  change<Result>(key: PostbackKey, decide: DecidePostback<Result>): Result {
    const transaction = `${key.id} ${key.externalRef}`;
    const claim = this.#claims.get(transaction);
    const handled = [...(this.#byOrder.get(toOrder(key)) ?? [])]
      .filter(({ id }) => id === key.id)
      .map(({ rawStatus, amount }) => ({ rawStatus, amount }));
    const now = performance.now();
    const { next, result } = decide({ held: claim?.held, handled }, now - (claim?.writtenAt ?? now));
    if (next === undefined) return result;
    if (next.held === undefined) this.#claims.delete(transaction);
    else this.#claims.set(transaction, { held: next.held, writtenAt: now });
    if (next.handled.length > handled.length) this.#remember(key);
    return result;
  }

  #remember(key: PostbackKey): void {
    const ofOrder = this.#byOrder.get(toOrder(key)) ?? new Set();
    this.#byOrder.set(toOrder(key), ofOrder.add(key));
    this.#handled.add(key);
    if (ofOrder.size > MAX_KEPT_PER_ORDER) {
      this.#forget(findLeastDecisiveOfOrder([...ofOrder]));
    } else if (this.#handled.size > this.#max) {
      this.#forget(this.#handled.values().next().value);
    }
  }

  #forget(key: PostbackKey | undefined): void {
    if (key === undefined) return;
    const ofOrder = this.#byOrder.get(toOrder(key));
    this.#handled.delete(key);
    ofOrder?.delete(key);
    if (ofOrder?.size === 0) this.#byOrder.delete(toOrder(key));
  }
}

/**
 * The postback of an order that can be forgotten; never the newest one. The first that exists of:
 *
 * 1. The oldest postback that does not decide the status of its transaction.
 * 2. A postback of the transaction that has the most: someone has invented the later ones.
 * 3. The latest postback before the newest.
 */
function findLeastDecisiveOfOrder(postbacks: readonly PostbackKey[]): PostbackKey | undefined {
  const byTransaction = new Map<number, PostbackKey[]>();
  for (const postback of postbacks) {
    const handled = byTransaction.get(postback.id) ?? [];
    handled.push(postback);
    byTransaction.set(postback.id, handled);
  }
  const transactions = [...byTransaction.values()];
  const decisive = new Set(transactions.flatMap((handled) => [...findDecisive(handled).decisive]));
  const older = postbacks.slice(0, -1);
  const longest = transactions.reduce((most, handled) => (handled.length > most.length ? handled : most), []);
  return older.find((postback) => !decisive.has(postback)) ?? findLeastDecisive(longest) ?? older.at(-1);
}

/** Without a reference, each transaction counts as a separate order. */
function toOrder({ externalRef, id }: PostbackKey): string {
  return externalRef === "" ? `\0${id}` : externalRef;
}
