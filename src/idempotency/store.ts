import type {
  AttemptOutcome,
  ClaimedOrder,
  IdempotencyStore,
  OrderFilter,
  OrderRecord,
  OrderState,
  RecordedOutcome,
} from "../contracts/idempotency-store.ts";
import type { OpenPostback, PostbackStore } from "../contracts/postback-store.ts";
import { DAY_IN_MS } from "../data/time.ts";
import { assertConfig, knownOptions } from "../errors/check-options.ts";

/** Records the outcome of each payment, and which postbacks were handled. */
export interface PaymentsStore extends IdempotencyStore, PostbackStore {
  /** See {@link IdempotencyStore.recordOutcome}. */
  recordOutcome(order: ClaimedOrder, end: AttemptOutcome): Promise<RecordedOutcome>;
  /** See {@link PostbackStore.openPostbacks}. */
  openPostbacks(options?: Pick<OrderFilter, "namespace">): AsyncIterableIterator<OpenPostback>;
  /** See {@link PostbackStore.closePostbacks}. */
  closePostbacks(externalRef: string): Promise<readonly OpenPostback[]>;
  /**
   * Returns the records of any number of orders, read 200 at a time. They are in the order of `externalRefs`; a repeated
   * reference has one, and one that is unknown or not valid has none.
   *
   * @throws if one of the records cannot be read.
   */
  getMany(externalRefs: readonly string[]): Promise<readonly OrderRecord[]>;
  /**
   * Counts what a monitor alerts on. It reads only orders that have not ended, and open postbacks, so it takes equally long
   * at any size.
   *
   * @throws {ConfigurationError} on an unknown option, and with `namespace` if the store cannot list other namespaces.
   */
  stats(options?: StatsOptions): Promise<StoreStats>;
  /**
   * Checks that the database can be reached and has what the store needs: its tables and indexes, in PostgreSQL, MySQL and
   * Redis also the permissions, and in Redis and MySQL the settings that keep records. It changes nothing, and takes a few
   * statements at any size: for a readiness probe or a deployment. It waits as long as the client of the database does.
   *
   * @returns what is wrong, or slow, without secrets; empty if nothing is. It does not reject.
   */
  check(): Promise<readonly StoreProblem[]>;
}

/** Options of `stats()`. */
export interface StatsOptions {
  /** Also counts the orders that are `created` or `free`, which reads all orders. Default `false`. */
  readonly all?: boolean | undefined;
  /** `*` counts all namespaces of the database together. Default: that of the store. */
  readonly namespace?: "*" | undefined;
}

/** The numbers of a store: each of them can be a gauge. */
export interface StoreStats {
  /**
   * Orders by state. `created` and `free` only with `all`. `unreadable`: the record is damaged, so every create call of
   * the order fails, and a person must check it with the service.
   */
  readonly orders: Readonly<Record<"claimed" | "unresolved" | "unreadable", number>> &
    Readonly<Partial<Record<OrderState, number>>>;
  /** Milliseconds since the last change of the unresolved order that has not changed for longest; 0 if there is none. */
  readonly oldestUnresolvedMs: number;
  /** Signed postbacks whose callback has not succeeded, by state. */
  readonly postbacks: Readonly<Record<OpenPostback["state"], number>>;
  /** Milliseconds since the oldest of them that is not `running` arrived; 0 if there is none. */
  readonly oldestFailedPostbackMs: number;
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

/** The tables of a store in PostgreSQL, MySQL or SQLite. */
export const TABLES = ["payments_orders", "payments_postbacks"] as const;

export type Table = (typeof TABLES)[number];

/** Days for which a store keeps orders that have ended. Chargebacks can happen late. */
const RETENTION_DAYS = 400;

/** Maximum characters. */
const NAMESPACE_MAX = 255;

/** @throws {ConfigurationError} */
export function readStoreOptions(options: StoreOptions): StoreSettings {
  const read = knownOptions(options, ["namespace", "retentionDays"]);
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
