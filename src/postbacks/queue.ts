import type { PostbackKey } from "../contracts/postback-store.ts";

/** Postbacks of one order that a handler accepts at the same time, running and waiting. */
const MAX_PER_ORDER = 100;

/** The state of a postback that is in the queue: handled, or being handled. */
type RepeatState = "duplicate" | "busy";

/** The place of a postback in the queue of its transaction. */
export interface QueuePlace {
  /** Waits until it is first in the queue; `false` if that takes too long. */
  waitForTurn(timeoutMs: number): Promise<boolean>;
  /**
   * Runs work that must not run at the same time as that of another postback of the order. It does not wait for its
   * turn in the queue.
   *
   * @throws if the work of the other postbacks takes too long.
   */
  runSerially<Result>(timeoutMs: number, work: () => Promise<Result>): Promise<Result>;
  /** Sets the state for repeats of the postback: those that are waiting, and later ones. */
  setRepeatState(state: RepeatState): void;
  leave(): void;
}

interface QueuedPostback {
  readonly key: PostbackKey;
  repeatState: Promise<RepeatState>;
  startTurn(): void;
}

interface Order {
  /** Deliveries that are queued, being handled, or waiting for the state of a repeat. */
  count: number;
  /** Settles with the last work of {@link QueuePlace.runSerially}. */
  lastWork: Promise<unknown>;
  /** Oldest first. The first one of a transaction has its turn. */
  readonly queue: QueuedPostback[];
}

/**
 * The queues of one process: the postbacks of a transaction are handled one after the other. A flood of postbacks of one
 * order calls the store for one of them at a time, and does not slow down other orders.
 */
export class PostbackQueues {
  readonly #orders = new Map<string, Order>();

  /** A place in the queue; or the state for a repeat, if the postback is queued already or its order has too many. */
  enter(key: PostbackKey): QueuePlace | Promise<RepeatState> {
    const name = orderOf(key);
    const order: Order = this.#orders.get(name) ?? { count: 0, lastWork: Promise.resolve(), queue: [] };
    if (order.count === MAX_PER_ORDER) return Promise.resolve("busy");
    this.#orders.set(name, order);
    order.count += 1;
    const leaveOrder = () => {
      order.count -= 1;
      if (order.count === 0) this.#orders.delete(name);
    };
    const same = order.queue.find((queued) => isSame(queued.key, key));
    return same === undefined ? createPlace(key, order, leaveOrder) : same.repeatState.finally(leaveOrder);
  }
}

function createPlace(key: PostbackKey, order: Order, leaveOrder: () => void): QueuePlace {
  let startTurn = () => {};
  const turn = new Promise<void>((resolve) => {
    startTurn = resolve;
  });
  let setState = (_state: RepeatState) => {};
  const repeatState = new Promise<RepeatState>((resolve) => {
    setState = resolve;
  });
  const own: QueuedPostback = { key, repeatState, startTurn };
  const startNext = () => order.queue.find((queued) => queued.key.id === key.id)?.startTurn();
  order.queue.push(own);
  startNext();
  return {
    waitForTurn: (timeoutMs) => settlesWithin(turn, timeoutMs),
    runSerially(timeoutMs, work) {
      const earlier = order.lastWork;
      const result = settlesWithin(earlier, timeoutMs).then((isMyTurn) => {
        if (isMyTurn) return work();
        throw new Error(`The store was busy with other postbacks of the order for ${timeoutMs} ms.`);
      });
      // Without the results, which would all stay in memory for as long as one postback of the order does.
      order.lastWork = Promise.allSettled([earlier, result]).then(() => undefined);
      return result;
    },
    setRepeatState(state) {
      setState(state);
      own.repeatState = Promise.resolve(state);
    },
    leave() {
      setState("busy"); // if it was never set
      order.queue.splice(order.queue.indexOf(own), 1);
      startNext();
      leaveOrder();
    },
  };
}

/** Without a reference, each transaction counts as a separate order. */
function orderOf({ trust, externalRef, id }: PostbackKey): string {
  return JSON.stringify(externalRef === "" ? [trust, id] : [trust, externalRef]);
}

/** Whether two postbacks of one order are the same. */
function isSame(one: PostbackKey, other: PostbackKey): boolean {
  return one.id === other.id && one.rawStatus === other.rawStatus && one.amount === other.amount;
}

/** Whether a promise, which must not reject, settles in time. */
export async function settlesWithin(promise: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), timeoutMs);
  });
  const isInTime = await Promise.race([promise.then(() => true), timeout]);
  clearTimeout(timer);
  return isInTime;
}
