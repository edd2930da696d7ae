import type { Method } from "./buyer.ts";

export interface SandboxPlan {
  /** How many transactions there are before something is measured. */
  readonly sizes: readonly number[];
  /** How many creates there are in another gateway of the same process, before the first that counts. */
  readonly warmUp: number;
  /** How many creates are measured in a round. */
  readonly creates: number;
  readonly rounds: number;
  readonly atATime: number;
}

/** What creates cost, by median of the rounds. */
export interface SandboxCost {
  readonly size: number;
  readonly method: Method;
  readonly perSecond: number;
  /** Microseconds of the sandbox's process a create. */
  readonly cpu: number;
}
