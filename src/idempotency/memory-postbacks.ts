import { MEMORY_STORE_POSTBACKS_OF_AN_ORDER } from "../spec/limits.ts";
import type { PostbackClaim, PostbackKey } from "./postback-contract.ts";
import { decisiveOf, leastOf } from "./postback-history.ts";

interface Claim {
  /** Of the postback. */
  readonly name: string;
  readonly owner: string;
  /** By a clock that nobody sets. */
  leaseEnd: number;
}

/** The postbacks of a memory store. */
export class MemoryPostbacks {
  readonly #max: number;
  /** By transaction: one at a time. */
  readonly #claims = new Map<string, Claim>();
  /** By name, in the order in which they were handled. */
  readonly #done = new Map<string, PostbackKey>();
  /** The same by order, so that whoever floods one forgets no other. */
  readonly #byOrder = new Map<string, Map<string, PostbackKey>>();

  constructor(max: number) {
    this.#max = max;
  }

  claim(key: PostbackKey, owner: string, leaseMs: number): PostbackClaim {
    const name = nameOf(key);
    if (this.#done.has(name)) return { state: "done" };
    const now = performance.now();
    const held = this.#claims.get(transactionOf(key));
    if (held !== undefined && held.leaseEnd > now) {
      return { state: "busy", isSame: held.name === name, leaseLeftMs: held.leaseEnd - now };
    }
    this.#claims.set(transactionOf(key), { name, owner, leaseEnd: now + leaseMs });
    const handled = [...(this.#byOrder.get(orderOf(key))?.values() ?? [])].filter(({ id }) => id === key.id);
    return { state: "claimed", handled: handled.map(({ rawStatus, amount }) => ({ rawStatus, amount })) };
  }

  renew(key: PostbackKey, owner: string, leaseMs: number): boolean {
    const claim = this.#claims.get(transactionOf(key));
    if (claim?.owner !== owner) return false;
    claim.leaseEnd = performance.now() + leaseMs;
    return true;
  }

  confirm(key: PostbackKey, owner: string): boolean {
    const name = nameOf(key);
    const claim = this.#claims.get(transactionOf(key));
    const isSomebodyElses =
      claim?.name === name && claim.owner !== owner && claim.leaseEnd > performance.now();
    if (isSomebodyElses) return false;
    this.release(key, owner);
    if (this.#done.has(name)) return false;
    this.#remember(name, key);
    return true;
  }

  release(key: PostbackKey, owner: string): void {
    if (this.#claims.get(transactionOf(key))?.owner === owner) this.#claims.delete(transactionOf(key));
  }

  #remember(name: string, key: PostbackKey): void {
    const ofOrder = this.#byOrder.get(orderOf(key)) ?? new Map<string, PostbackKey>();
    this.#byOrder.set(orderOf(key), ofOrder.set(name, key));
    this.#done.set(name, key);
    if (ofOrder.size > MEMORY_STORE_POSTBACKS_OF_AN_ORDER) this.#forget(leastDecisive([...ofOrder.values()]));
    else if (this.#done.size > this.#max) this.#forget(this.#done.values().next().value);
  }

  #forget(key: PostbackKey | undefined): void {
    if (key === undefined) return;
    const name = nameOf(key);
    const ofOrder = this.#byOrder.get(orderOf(key));
    this.#done.delete(name);
    ofOrder?.delete(name);
    if (ofOrder?.size === 0) this.#byOrder.delete(orderOf(key));
  }
}

/**
 * Of the postbacks of an order, the oldest that decides nothing about its transaction. If all decide, the later ones are
 * made up: one of the transaction that has the most, or the latest.
 */
function leastDecisive(postbacks: readonly PostbackKey[]): PostbackKey | undefined {
  const byTransaction = new Map<number, PostbackKey[]>();
  for (const postback of postbacks) {
    const ofTransaction = byTransaction.get(postback.id) ?? [];
    ofTransaction.push(postback);
    byTransaction.set(postback.id, ofTransaction);
  }
  const transactions = [...byTransaction.values()];
  const decisive = new Set(transactions.flatMap((handled) => [...decisiveOf(handled).decisive]));
  const old = postbacks.slice(0, -1);
  const longest = transactions.reduce((most, handled) => (handled.length > most.length ? handled : most), []);
  return old.find((postback) => !decisive.has(postback)) ?? leastOf(longest) ?? old.at(-1);
}

/** Of those without a reference, each transaction is an order of its own. */
function orderOf({ externalRef, id }: PostbackKey): string {
  return externalRef === "" ? `\0${id}` : externalRef;
}

function transactionOf({ externalRef, id }: PostbackKey): string {
  return `${id} ${externalRef}`;
}

function nameOf({ externalRef, id, rawStatus, amount }: PostbackKey): string {
  return JSON.stringify([externalRef, id, rawStatus, amount]);
}
