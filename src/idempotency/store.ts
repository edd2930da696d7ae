import type {
  AttemptOutcome,
  ClaimedOrder,
  IdempotencyStore,
  OrderRecord,
  OrderState,
  RecordedOutcome,
} from "../contracts/idempotency-store.ts";
import type { OpenPostback, PostbackStore } from "../contracts/postback-store.ts";
import { assertConfig, knownOptions, NO_CALL } from "../errors/check-options.ts";

/** Records the outcome of each payment, and which postbacks were handled. */
export interface PaymentsStore extends IdempotencyStore, PostbackStore {
  /** See {@link IdempotencyStore.recordOutcome}. */
  recordOutcome(order: ClaimedOrder, end: AttemptOutcome): Promise<RecordedOutcome>;
  /** See {@link PostbackStore.openPostbacks}. */
  openPostbacks(): AsyncIterableIterator<OpenPostback>;
  /** See {@link PostbackStore.closePostbacks}. */
  closePostbacks(externalRef: string): Promise<readonly OpenPostback[]>;
  /** Returns the records of several orders, in the order of their references; those without a record are missing. */
  getMany(externalRefs: readonly string[]): Promise<readonly OrderRecord[]>;
  /**
   * Counts what a monitor alerts on, in this namespace. It reads only orders that have not ended, and open postbacks, so it
   * takes equally long at any size.
   */
  stats(options?: StatsOptions): Promise<StoreStats>;
  /**
   * Checks the database for what the store needs, such as its tables and permissions, without changing anything; for a
   * readiness probe or a deployment.
   *
   * @returns what is wrong, or slow; empty if nothing is.
   * @throws the error of the database if it cannot be reached.
   */
  check(): Promise<readonly StoreProblem[]>;
}

/** Options of `stats()`. */
export interface StatsOptions {
  /** Also counts the orders that are `created` or `free`, which reads all orders of the namespace. Default `false`. */
  readonly all?: boolean | undefined;
}

/** The numbers of a store. */
export interface StoreStats {
  /** Orders by state. `created` and `free` only with `all`. */
  readonly orders: Readonly<Record<Extract<OrderState, "claimed" | "unresolved">, number>> &
    Readonly<Partial<Record<OrderState, number>>>;
  /** ISO 8601 UTC time since when the oldest unresolved order has not changed; missing if there is none. */
  readonly oldestUnresolved?: string;
  /** Signed postbacks whose callback has not succeeded, by state. */
  readonly postbacks: Readonly<Record<OpenPostback["state"], number>>;
  /** ISO 8601 UTC time at which the oldest of them that is not running arrived; missing if there is none. */
  readonly oldestFailedPostback?: string;
}

/** What a store lacks in its database. */
export interface StoreProblem {
  /** `error`: calls fail, or records can be lost. `warning`: it works, but slowly or with a risk. */
  readonly level: "error" | "warning";
  /** What is wrong, and how to fix it. */
  readonly message: string;
}

/** Options of a store in a database. */
export interface StoreOptions {
  /**
   * Separates accounts that share a database: use one namespace for each account. At most 255 characters. Default
   * `default`.
   */
  readonly namespace?: string | undefined;
  /** Days to keep orders and postbacks that have ended. Unresolved orders are never deleted. Default 400. */
  readonly retentionDays?: number | undefined;
}

export interface StoreSettings {
  readonly namespace: string;
  readonly retentionMs: number;
}

export const DEFAULT_NAMESPACE = "default";

export const DAY_IN_MS = 24 * 60 * 60 * 1000;

/** Days for which a store keeps orders that have ended. Chargebacks can happen late. */
const RETENTION_DAYS = 400;

/** Maximum characters. */
const NAMESPACE_MAX = 255;

/** @throws {ConfigurationError} */
export function readStoreOptions(options: StoreOptions): StoreSettings {
  const read = knownOptions(options, ["namespace", "retentionDays"], NO_CALL);
  const { namespace = DEFAULT_NAMESPACE, retentionDays = RETENTION_DAYS } = read;
  const isText = typeof namespace === "string" && namespace !== "";
  assertConfig(isText, "namespace must be a string that is not empty.");
  const isStorable = namespace.isWellFormed() && !namespace.includes("\0");
  const rule = `must be well-formed text of at most ${NAMESPACE_MAX} characters`;
  assertConfig(isStorable && namespace.length <= NAMESPACE_MAX, `namespace ${rule}.`);
  const isRetention = typeof retentionDays === "number" && retentionDays > 0;
  assertConfig(isRetention, "retentionDays must be a number above zero.");
  return { namespace, retentionMs: retentionDays * DAY_IN_MS };
}

/** Reads one namespace after the other: to list the distinct ones, a database would read all orders. */
export async function readNamespaces(readNext: (last: string) => Promise<unknown>): Promise<string[]> {
  const names: string[] = [];
  let name = await readNext("");
  while (typeof name === "string") {
    names.push(name);
    name = await readNext(name);
  }
  return names;
}
