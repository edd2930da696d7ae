import type { PostbackKey } from "../idempotency/postback-contract.ts";
import { POSTBACKS_AT_ONCE_OF_AN_ORDER } from "../spec/limits.ts";

/** A place in the queue of a transaction. */
export interface Turn {
  /** Waits until all before it have left; `false` if that takes too long. */
  comes(withinMs: number): Promise<boolean>;
  /**
   * Runs work that must not run beside that of another postback of the order. It does not wait for its turn.
   *
   * @throws if that of the others takes too long.
   */
  oneByOne<Result>(withinMs: number, work: () => Promise<Result>): Promise<Result>;
  /** What the same postback is from now on, and what those are that came meanwhile. */
  decide(verdict: Verdict): void;
  leave(): void;
}

/** What a postback is that is in the queue already: handled, or being handled. */
type Verdict = "duplicate" | "busy";

interface Waiting {
  readonly name: string;
  verdict: Promise<Verdict>;
  /** Its turn has come. */
  call(): void;
}

interface Order {
  /** Postbacks of it that are in a queue. */
  count: number;
  /** Ends with the latest work of {@link Turn.oneByOne}. */
  latestWork: Promise<unknown>;
}

/**
 * The queues of one process: the postbacks of a transaction are handled one after the other. So many as there may be of
 * one order, the store is asked for one at a time, and other orders are not slowed down.
 */
export class Turns {
  /** By transaction; the first has its turn. */
  readonly #queues = new Map<string, Waiting[]>();
  readonly #orders = new Map<string, Order>();

  /** A verdict if the same postback is in the queue already, or too many of its order are. */
  enter(key: PostbackKey): Turn | Promise<Verdict> {
    const transaction = JSON.stringify([key.trust, key.id, key.externalRef]);
    const name = JSON.stringify([key.rawStatus, key.amount]);
    const queue = this.#queues.get(transaction) ?? [];
    const order = this.#enterOrder(key);
    if (order === undefined) return Promise.resolve("busy");
    const same = queue.find((waiting) => waiting.name === name);
    if (same !== undefined) return same.verdict.finally(() => this.#leaveOrder(key, order));

    let call = () => {};
    const called = new Promise<void>((resolve) => {
      call = resolve;
    });
    let decide = (_verdict: Verdict) => {};
    const verdict = new Promise<Verdict>((resolve) => {
      decide = resolve;
    });
    const own: Waiting = { name, verdict, call };
    this.#queues.set(transaction, queue);
    queue.push(own);
    queue[0]?.call();
    return {
      comes: (withinMs) => isSoon(called, withinMs),
      oneByOne: (withinMs, work) => {
        const before = order.latestWork;
        const result = isSoon(before, withinMs).then((isItsTurn) => {
          if (!isItsTurn)
            throw new Error(`The store was busy with other postbacks of the order for ${withinMs} ms.`);
          return work();
        });
        // Without their results, which would all be kept for as long as one postback of the order stays.
        order.latestWork = Promise.allSettled([before, result]).then(() => undefined);
        return result;
      },
      decide: (latest) => {
        decide(latest);
        own.verdict = Promise.resolve(latest);
      },
      leave: () => {
        decide("busy"); // unless it is decided
        queue.splice(queue.indexOf(own), 1);
        queue[0]?.call();
        if (queue.length === 0) this.#queues.delete(transaction);
        this.#leaveOrder(key, order);
      },
    };
  }

  #enterOrder(key: PostbackKey): Order | undefined {
    const order = this.#orders.get(orderOf(key)) ?? { count: 0, latestWork: Promise.resolve() };
    if (order.count === POSTBACKS_AT_ONCE_OF_AN_ORDER) return undefined;
    order.count += 1;
    this.#orders.set(orderOf(key), order);
    return order;
  }

  #leaveOrder(key: PostbackKey, order: Order): void {
    order.count -= 1;
    if (order.count === 0) this.#orders.delete(orderOf(key));
  }
}

/** Of those without a reference, each transaction is an order of its own. */
function orderOf({ trust, externalRef, id }: PostbackKey): string {
  return JSON.stringify(externalRef === "" ? [trust, id] : [trust, externalRef]);
}

async function isSoon(event: Promise<unknown>, withinMs: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), withinMs);
  });
  const isInTime = await Promise.race([event.then(() => true), late]);
  clearTimeout(timer);
  return isInTime;
}
