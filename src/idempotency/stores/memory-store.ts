import { MEMORY_WARNING } from "../../contracts/idempotency-store.ts";
import { assertConfig, knownOptions } from "../../errors/check-options.ts";
import { createStore } from "../create-store.ts";
import { createMemoryDocuments } from "../memory-documents.ts";
import { createPostbackDocuments, MAX_POSTBACKS } from "../postbacks/memory-postback-store.ts";
import type { PaymentsStore } from "../store.ts";

/** Default number of orders to keep. */
const MAX_ORDERS = 20_000;

/** Options of a memory store. */
export interface MemoryStoreOptions {
  /**
   * The number of orders to keep. The oldest that have ended are dropped first. Orders that have not ended are never
   * dropped: if there are too many of them, every new claim fails. Default 20,000.
   */
  readonly maxOrders?: number | undefined;
  /**
   * The number of orders whose signed postbacks are kept, and of transactions whose unsigned ones are. The oldest are
   * dropped first; those whose callback has not succeeded come last. Default 20,000.
   */
  readonly maxPostbacks?: number | undefined;
}

/**
 * A store in the memory of one process, for tests and scripts. It loses everything when the process ends, and does not
 * protect against other processes: use another store if a payment must not be sent again after a restart. The first
 * create call of the process with such a store emits a `warning` event about this.
 *
 * @throws {ConfigurationError} on an invalid option.
 */
export function memoryStore(options: MemoryStoreOptions = {}): PaymentsStore {
  const read = knownOptions(options, ["maxOrders", "maxPostbacks"]);
  const { maxOrders = MAX_ORDERS, maxPostbacks = MAX_POSTBACKS } = read;
  assertConfig(isCount(maxOrders), "maxOrders must be a whole number above zero.");
  assertConfig(isCount(maxPostbacks), "maxPostbacks must be a whole number above zero.");
  return {
    ...createStore({
      orders: createMemoryDocuments(maxOrders),
      postbacks: createPostbackDocuments(maxPostbacks),
      unsigned: createMemoryDocuments(maxPostbacks),
      isShared: false,
    }),
    warning: MEMORY_WARNING,
  };
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0;
}
