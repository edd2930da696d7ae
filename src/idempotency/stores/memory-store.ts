import { assertConfig, knownOptions, NO_CALL } from "../../errors/check-options.ts";
import { MEMORY_STORE_ORDERS, MEMORY_STORE_POSTBACKS } from "../../spec/limits.ts";
import type { Documents, Draft, Found } from "../documents.ts";
import { createOrderStore } from "../order-store.ts";
import { memoryPostbackStore } from "../postbacks/memory-postback-store.ts";
import { DEFAULT_NAMESPACE, MEMORY_WARNING, type PaymentsStore } from "../store.ts";

/** Options of a memory store. */
export interface MemoryStoreOptions {
  /**
   * The number of orders to keep. The oldest that have ended are dropped first. Orders that have not ended are never
   * dropped: if there are too many of them, every new claim fails. Default 20,000.
   */
  readonly maxOrders?: number | undefined;
  /**
   * The number of handled postbacks to keep for each `trust`; the oldest are dropped first. For one order, at most
   * 1,000 are kept, including the first of each status of a transaction. Default 20,000.
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
  const read = knownOptions(options, ["maxOrders", "maxPostbacks"], NO_CALL);
  const { maxOrders = MEMORY_STORE_ORDERS, maxPostbacks = MEMORY_STORE_POSTBACKS } = read;
  assertConfig(isCount(maxOrders), "maxOrders must be a whole number above zero.");
  assertConfig(isCount(maxPostbacks), "maxPostbacks must be a whole number above zero.");
  const documents = createMemoryDocuments(maxOrders);
  const readNamespaces = async () => {
    for await (const _order of documents.list(false)) return [DEFAULT_NAMESPACE];
    return [];
  };
  return {
    ...createOrderStore(documents, readNamespaces),
    ...memoryPostbackStore(maxPostbacks),
    warning: MEMORY_WARNING,
  };
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0;
}

/** Documents in the memory of one process. If there are too many, the oldest that are not open are forgotten. */
export function createMemoryDocuments(max: number): Documents {
  /** In the order in which they were written, by the monotonic clock. */
  const documents = new Map<string, Draft & { readonly writtenAt: number }>();
  /** Keys of those that may be forgotten, in the same order. */
  const ended = new Set<string>();

  function find(key: string): Found | undefined {
    const document = documents.get(key);
    if (document === undefined) return undefined;
    const { text, version, writtenAt } = document;
    return { text, version, ageMs: performance.now() - writtenAt };
  }

  function write(key: string, draft: Draft): void {
    documents.set(key, { ...draft, writtenAt: performance.now() });
    ended.delete(key);
    if (!draft.isOpen) ended.add(key);
  }

  function forgetOldest(): void {
    const [oldest] = ended;
    if (oldest === undefined) throw new Error(`The store holds ${max} orders, and none of them has ended.`);
    ended.delete(oldest);
    documents.delete(oldest);
  }

  return {
    async add(key, draft) {
      const found = find(key);
      if (found !== undefined) return found;
      if (documents.size >= max) forgetOldest();
      write(key, draft);
      return undefined;
    },
    read: async (key) => find(key),
    async replace(key, version, draft) {
      if (documents.get(key)?.version !== version) return false;
      documents.delete(key);
      write(key, draft);
      return true;
    },
    async *list(isOpenOnly) {
      for (const [key, { isOpen }] of [...documents]) {
        const found = isOpen || !isOpenOnly ? find(key) : undefined;
        if (found !== undefined) yield { key, ...found };
      }
    },
  };
}
