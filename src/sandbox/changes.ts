import type { PostbackDelivery } from "./postbacks/delivery.ts";
import type { SandboxTransaction } from "./transaction.ts";

/** What has changed in a gateway. */
export type GatewayChange =
  | {
      /** A transaction was created, or moved. */
      readonly type: "transaction";
      /** As it is now. */
      readonly transaction: SandboxTransaction;
    }
  | {
      /** A postback is on its way, or came to its end. */
      readonly type: "delivery";
      /** As it is now. */
      readonly delivery: PostbackDelivery;
    }
  | {
      /** A fault was armed, used up or taken away. */
      readonly type: "faults";
    }
  | {
      /** The clock was advanced. */
      readonly type: "clock";
    };

/** Hears of changes. What it throws changes nothing for the gateway. */
export type ChangeListener = (change: GatewayChange) => void;

export interface Changes {
  /**
   * Tells every listener, in the order in which things happened: what a listener does is told after what it
   * was told of. What a listener throws changes nothing for the others.
   */
  tell(change: GatewayChange): void;
  /** Tells what happens in `work` once all of it has happened. */
  inOneStep<T>(work: () => T): T;
  /** @returns what ends it. */
  subscribe(listener: ChangeListener): () => void;
}

export function createChanges(): Changes {
  const listeners = new Set<ChangeListener>();
  const untold: GatewayChange[] = [];
  let steps = 0;
  let telling = false;

  function tellAll(): void {
    if (steps > 0 || telling) return;
    telling = true;
    for (let change = untold.shift(); change; change = untold.shift()) {
      for (const listener of listeners) tellOne(listener, change);
    }
    telling = false;
  }

  return {
    tell(change) {
      untold.push(change);
      tellAll();
    },
    inOneStep(work) {
      steps += 1;
      try {
        return work();
      } finally {
        steps -= 1;
        tellAll();
      }
    },
    subscribe(listener) {
      const own: ChangeListener = (change) => listener(change); // the same listener twice is two
      listeners.add(own);
      return () => void listeners.delete(own);
    },
  };
}

function tellOne(listener: ChangeListener, change: GatewayChange): void {
  try {
    listener(change);
  } catch {
    // A listener watches; the service goes on.
  }
}
