import type { PostbackKey } from "../contracts/postback-store.ts";
import { withTimeout } from "../http/timers.ts";
import { isSamePostback } from "../idempotency/postbacks/postback-history.ts";

/** Postbacks of one order that a handler accepts at the same time, running and waiting. */
const MAX_QUEUED_PER_ORDER = 100;

/** The state of a postback that is in the queue: handled, or being handled. */
type RepeatState = "duplicate" | "busy";

type QueueEntry =
  | { readonly type: "queued"; readonly queued: QueuedPostback }
  /** The same postback is queued already, or its order has too many postbacks. */
  | { readonly type: "not_queued"; readonly state: Promise<RepeatState> };

interface Order {
  /** Deliveries that are queued, being handled, or waiting for the state of a repeat. */
  count: number;
  /** Settles with the last work of {@link QueuedPostback.runSerially}. */
  lastWork: Promise<unknown>;
  /** Oldest first. The first one of a transaction has its turn. */
  readonly queue: QueuedPostback[];
  readonly leave: () => void;
}

/**
 * The queues of one process: the postbacks of a transaction are handled one after the other. A flood of postbacks of one
 * order calls the store for one of them at a time, and does not slow down other orders.
 */
export class PostbackQueues {
  /** Whether no callback may start any more. */
  isClosed = false;
  /** The leases of the callbacks that are running. */
  readonly leases = new Set<{ abort(reason: Error): void }>();
  /** Deliveries, retries, callbacks that took too long, and calls that the store has not answered yet. */
  readonly running = new Set<Promise<unknown>>();
  readonly #orders = new Map<string, Order>();
  readonly #slots = new Slots();

  /** Adds work, which must not reject, to what is running. */
  readonly track = <Work extends Promise<unknown>>(work: Work): Work => {
    this.running.add(work);
    void work.then(() => this.running.delete(work));
    return work;
  };

  enter(key: PostbackKey): QueueEntry {
    // Without a reference, each transaction counts as a separate order.
    const name = JSON.stringify([key.trust, key.externalRef === "" ? key.id : key.externalRef]);
    const order: Order = this.#orders.get(name) ?? {
      count: 0,
      lastWork: Promise.resolve(),
      queue: [],
      leave: () => {
        order.count -= 1;
        if (order.count === 0) this.#orders.delete(name);
      },
    };
    if (order.count === MAX_QUEUED_PER_ORDER) return { type: "not_queued", state: Promise.resolve("busy") };
    this.#orders.set(name, order);
    order.count += 1;
    const same = order.queue.find((queued) => isSamePostback(queued.key, key));
    return same === undefined
      ? { type: "queued", queued: new QueuedPostback(key, order, this.#slots) }
      : { type: "not_queued", state: same.repeatState.finally(order.leave) };
  }
}

/**
 * Postbacks that a handler reads, claims and records at the same time; the others wait here, oldest first. If all of them
 * waited for a connection of the store's pool at each of their statements, none would end before its calls time out, and
 * repeated calls and renewals of leases would add to the load.
 */
const MAX_ARRIVING = 30;

/** Milliseconds after which a postback no longer counts: its order may be locked, and the others must not wait for that. */
const SLOT_MS = 1_000;

/** Lets a limited number of postbacks use the store. */
class Slots {
  #free = MAX_ARRIVING;
  readonly #waiting = new Set<() => void>();

  /** @throws if no slot is free in time. */
  async run<Result>(timeoutMs: number, work: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free -= 1;
    else await this.#wait(timeoutMs);
    const working = work();
    void settlesWithin(working, SLOT_MS).then(() => this.#leave());
    return working;
  }

  #leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#free += 1;
    else {
      this.#waiting.delete(next);
      next();
    }
  }

  async #wait(timeoutMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.add(resolve);
    const isInTime = await settlesWithin(promise, timeoutMs);
    // Without an entry, the slot was given to it while the time ended.
    if (!isInTime && this.#waiting.delete(resolve)) throw new Error(toBusyMessage("", timeoutMs));
  }
}

const toBusyMessage = (which: string, ms: number) =>
  `The store was busy with other postbacks${which} for ${ms} ms.`;

/** A postback in the queue of its transaction. */
export class QueuedPostback {
  readonly key: PostbackKey;
  /** The state for repeats of the postback. */
  repeatState: Promise<RepeatState>;
  readonly #order: Order;
  readonly #slots: Slots;
  readonly #turn = Promise.withResolvers<void>();
  readonly #firstState = Promise.withResolvers<RepeatState>();

  constructor(key: PostbackKey, order: Order, slots: Slots) {
    this.key = key;
    this.#slots = slots;
    this.#order = order;
    this.repeatState = this.#firstState.promise;
    order.queue.push(this);
    this.#startFirst();
  }

  /** Whether no other postback of its transaction is before it. */
  get isFirst(): boolean {
    return this.#first === this;
  }

  /** Waits until it is first in the queue; `false` if that takes too long. */
  waitForTurn(timeoutMs: number): Promise<boolean> {
    return settlesWithin(this.#turn.promise, timeoutMs);
  }

  /**
   * Runs work that must not run at the same time as that of another postback of the order, nor as that of too many others.
   * It does not wait for its turn in the queue, which is that of its transaction.
   *
   * @throws if the work of the other postbacks takes too long.
   */
  runSerially<Result>(timeoutMs: number, work: () => Promise<Result>): Promise<Result> {
    const earlier = this.#order.lastWork;
    const result = settlesWithin(earlier, timeoutMs).then((isMyTurn) => {
      if (isMyTurn) return this.#slots.run(timeoutMs, work);
      throw new Error(toBusyMessage(" of the order", timeoutMs));
    });
    // Without the results, which would all stay in memory for as long as one postback of the order does.
    this.#order.lastWork = Promise.allSettled([earlier, result]).then(() => undefined);
    return result;
  }

  /** Sets the state for repeats of the postback: the repeats that are waiting, and later ones. */
  setRepeatState(state: RepeatState): void {
    this.#firstState.resolve(state);
    this.repeatState = Promise.resolve(state);
  }

  leave(): void {
    this.#firstState.resolve("busy"); // if it was never set
    this.#order.queue.splice(this.#order.queue.indexOf(this), 1);
    this.#startFirst();
    this.#order.leave();
  }

  #startFirst(): void {
    const first = this.#first;
    if (first !== undefined) first.#turn.resolve();
  }

  get #first(): QueuedPostback | undefined {
    return this.#order.queue.find(({ key }) => key.id === this.key.id);
  }
}

/** Whether a promise, which must not reject, settles in time. */
export function settlesWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  return withTimeout({ ms }, () => promise).then(
    () => true,
    () => false,
  );
}
