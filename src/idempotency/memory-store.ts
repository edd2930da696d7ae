import { assertConfig, knownOptions, NO_CALL } from "../errors/check-options.ts";
import { MEMORY_STORE_ORDERS, MEMORY_STORE_POSTBACKS } from "../spec/limits.ts";
import { MemoryDocuments } from "./memory-documents.ts";
import { memoryPostbackStore } from "./memory-postback-store.ts";
import { MEMORY_WARNING } from "./memory-warning.ts";
import { type PaymentsStore, storeOn } from "./store.ts";

/** Options of a memory store. */
export interface MemoryStoreOptions {
  /**
   * How many orders are remembered. The oldest that have ended are forgotten first; those that have not never are, and
   * where there are too many of them nothing more is claimed. Default 20,000.
   */
  readonly maxOrders?: number | undefined;
  /**
   * How many handled postbacks are remembered of each `trust`; the oldest are forgotten first. Of one order 1,000 are kept,
   * among them the first of each status of a transaction. Default 20,000.
   */
  readonly maxPostbacks?: number | undefined;
}

/**
 * A store in the memory of one process, for tests and scripts. It forgets everything when the process ends, and knows
 * nothing of other processes: use another store where a payment must not be sent again after a restart. The first
 * create with it gives a `warning` event that says so.
 *
 * @throws {ConfigurationError} on an option that cannot work.
 */
export function memoryStore(options: MemoryStoreOptions = {}): PaymentsStore {
  const read = knownOptions(options, ["maxOrders", "maxPostbacks"], NO_CALL);
  const { maxOrders = MEMORY_STORE_ORDERS, maxPostbacks = MEMORY_STORE_POSTBACKS } = read;
  assertConfig(isCount(maxOrders), "maxOrders must be a whole number above zero.");
  assertConfig(isCount(maxPostbacks), "maxPostbacks must be a whole number above zero.");
  return storeOn({
    orders: new MemoryDocuments(maxOrders),
    postbacks: memoryPostbackStore(maxPostbacks),
    warning: MEMORY_WARNING,
  });
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0;
}
