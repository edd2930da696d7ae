import type { PostbackDelivery } from "./postbacks/postback-delivery.ts";
import type { SandboxRequest } from "./requests/request-log.ts";
import type { SandboxTransaction } from "./transactions/sandbox-transaction.ts";

/** What has changed in a gateway. */
export type GatewayChange =
  | {
      /** A transaction was created, or its state changed. */
      readonly type: "transaction";
      /** Its new state. */
      readonly transaction: SandboxTransaction;
    }
  | {
      /** A postback was scheduled or attempted. */
      readonly type: "delivery";
      /** Its new state. */
      readonly delivery: PostbackDelivery;
    }
  | {
      /** A request arrived, or its response was sent. */
      readonly type: "request";
      /** What is known about it now. */
      readonly request: SandboxRequest;
    }
  | {
      /** A fault was armed, used or removed. */
      readonly type: "faults";
    }
  | {
      /** The clock was advanced. */
      readonly type: "clock";
    };

/** Called after every change. An error that it throws is ignored. */
export type ChangeListener = (change: GatewayChange) => void;

export type Changes = ReturnType<typeof createChanges>;

export function createChanges() {
  const listeners = new Set<ChangeListener>();
  const queue: GatewayChange[] = [];
  let openSteps = 0;
  let isPublishing = false;

  function publishQueue(): void {
    if (openSteps > 0 || isPublishing) return;
    isPublishing = true;
    for (let change = queue.shift(); change; change = queue.shift()) {
      for (const listener of listeners) {
        try {
          listener(change);
        } catch {
          // A listener only observes: its errors must not change how the service behaves.
        }
      }
    }
    isPublishing = false;
  }

  return {
    /**
     * Calls every listener, in the order of the changes: a change that a listener causes is published after the
     * change that the listener handles. An error of one listener does not affect the others.
     */
    publish(change: GatewayChange): void {
      queue.push(change);
      publishQueue();
    },
    /** Publishes the changes of `work` only after `work` has ended. */
    inOneStep<T>(work: () => T): T {
      openSteps += 1;
      try {
        return work();
      } finally {
        openSteps -= 1;
        publishQueue();
      }
    },
    /** @returns a function that removes the listener. */
    subscribe(listener: ChangeListener): () => void {
      const subscription: ChangeListener = (change) => listener(change); // the same listener can subscribe twice
      listeners.add(subscription);
      return () => void listeners.delete(subscription);
    },
  };
}
