import type { PaymentsStore } from "payments-sdk/idempotency";

/** A kind of store that the suites run on. */
export interface StoreKind {
  readonly name: string;
  /** Why it cannot be tested on this machine. Its tests then count as skipped. */
  readonly missing?: string | undefined;
  /** A database of its own, empty, which is gone when the test ends. */
  readonly open: () => Promise<Database>;
}

export interface Database {
  /** A store on it, as one of several processes would open it. */
  readonly store: (options?: StoreOptions) => Promise<PaymentsStore>;
  /** All that it holds, as text. Missing where nobody can look. */
  readonly contents?: () => Promise<string>;
  /** Whether the stores that are opened on it share their data. */
  readonly isShared: boolean;
}

export interface StoreOptions {
  readonly namespace?: string;
  readonly retentionDays?: number;
}
