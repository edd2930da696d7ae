import { MEMORY_WARNING } from "../../contracts/idempotency-store.ts";
import type { PostbackStore } from "../../contracts/postback-store.ts";
import { assertConfig, knownOptions, NO_CALL } from "../../errors/check-options.ts";
import type { Documents, DocumentWrite, StoredDocument } from "../documents.ts";
import { createOrderStore } from "../order-store.ts";
import { createPostbackStore } from "../postbacks/postback-store.ts";
import { DEFAULT_NAMESPACE, type PaymentsStore } from "../store.ts";

/** Default number of orders to keep. */
const MAX_ORDERS = 20_000;

/** Default number of orders whose postbacks are kept. */
const MAX_POSTBACKS = 20_000;

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
  const read = knownOptions(options, ["maxOrders", "maxPostbacks"], NO_CALL);
  const { maxOrders = MAX_ORDERS, maxPostbacks = MAX_POSTBACKS } = read;
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

/** Remembers postbacks in the memory of one process. */
export function memoryPostbackStore(max = MAX_POSTBACKS): Required<PostbackStore> {
  // Anyone can send unsigned postbacks, so they must not displace signed ones.
  const orders = createMemoryDocuments(max, { dropsOpen: true });
  return createPostbackStore({ orders, transactions: createMemoryDocuments(max), isShared: false });
}

/**
 * Documents in the memory of one process. If there are too many, the oldest that are not open are forgotten.
 *
 * @param dropsOpen - If all are open, forgets the oldest instead of refusing a new one. Default `false`.
 */
export function createMemoryDocuments(max: number, { dropsOpen = false } = {}): Documents {
  /** In the order in which they were written, by the monotonic clock. */
  const documents = new Map<string, DocumentWrite & { readonly writtenAt: number }>();
  /** Keys of the documents that may be forgotten, in the same order. */
  const ended = new Set<string>();

  function find(key: string): StoredDocument | undefined {
    const document = documents.get(key);
    if (document === undefined) return undefined;
    const { text, version, writtenAt } = document;
    return { text, version, ageMs: performance.now() - writtenAt };
  }

  function write(key: string, document: DocumentWrite): void {
    documents.delete(key); // the new one is the latest
    documents.set(key, { ...document, writtenAt: performance.now() });
    ended.delete(key);
    if (!document.isOpen) ended.add(key);
  }

  return {
    async add(key, document) {
      const stored = find(key);
      if (stored !== undefined) return stored;
      if (documents.size >= max) {
        const oldest = ended.values().next().value ?? (dropsOpen ? documents.keys().next().value : undefined);
        if (oldest === undefined)
          throw new Error(`The store holds ${max} orders, and none of them has ended.`);
        ended.delete(oldest);
        documents.delete(oldest);
      }
      write(key, document);
      return undefined;
    },
    read: async (key) => find(key),
    async replace(key, version, document) {
      if (documents.get(key)?.version !== version) return false;
      write(key, document);
      return true;
    },
    async *list(isOpenOnly) {
      for (const [key, { isOpen }] of [...documents]) {
        const stored = isOpen || !isOpenOnly ? find(key) : undefined;
        if (stored !== undefined) yield { key, ...stored };
      }
    },
  };
}
