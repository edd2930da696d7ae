/** How the service behaves for a while. */
export const PHASES = ["healthy", "slow", "failing", "leaving", "refusing", "recovering"] as const;
export type Phase = (typeof PHASES)[number];

/** What a soak does. */
export interface Plan {
  readonly cycles: number;
  /** Milliseconds of each phase of a cycle. */
  readonly phases: Readonly<Record<Phase, number>>;
  readonly atATime: number;
  /** Milliseconds that the client waits for an answer. */
  readonly timeout: number;
  /** Orders that the store keeps, if there is one. */
  readonly ordersKept: number;
  /** Creates before the first cycle. With as many as are kept, the store is full and has to forget from then on. */
  readonly warmUp: number;
  /** Milliseconds after which the service closes an unused connection; 0 for never, which leaves it to the client. */
  readonly serverIdleMs: number;
}

/** One way to use the package. */
export interface Way {
  readonly transport: "default" | "node";
  readonly store: boolean;
}

/** Where a merchant of the soak finds the service. */
export interface Addresses {
  readonly baseUrl: string;
  /** Of what steers the service, which listens also while the service refuses. */
  readonly controlUrl: string;
}

export interface MerchantOrders extends Way, Addresses {
  readonly plan: Plan;
}

/** What a merchant found. */
export interface Findings {
  readonly calls: number;
  readonly notEnded: number;
  /** Calls that ended with something else than a result or a `PaymentsError` that knows what became of the charge. */
  readonly endedOtherwise: readonly string[];
  /** How often each outcome was told, replays and repeats included. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** References whose calls all said that nobody was charged, and whose customer was. */
  readonly chargedUnknown: number;
  /** References of which a call gave a transaction that the service does not have. */
  readonly inventedResults: number;
  /** Bytes in use after a garbage collection, at the end of each cycle. */
  readonly heaps: readonly number[];
  /** What keeps the process awake, and did not when it began. */
  readonly resourcesLeft: readonly string[];
  /** Listeners on the signal that all calls were given. */
  readonly listenersLeft: number;
  /** Connections that the service still has. */
  readonly socketsLeft: number;
  readonly chargedTwice: number;
  readonly charges: number;
}
