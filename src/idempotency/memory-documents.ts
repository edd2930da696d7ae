import type { Documents, DocumentWrite, StoredDocument } from "./documents.ts";
import { DEFAULT_NAMESPACE } from "./store.ts";

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

  return {
    async write({ key, expected, write: document }) {
      const stored = find(key);
      if (stored?.version !== expected) return stored ?? "kept";
      if (stored === undefined && documents.size >= max) {
        const oldest = ended.values().next().value ?? (dropsOpen ? documents.keys().next().value : undefined);
        if (oldest === undefined)
          throw new Error(`The store holds ${max} orders, and none of them has ended.`);
        ended.delete(oldest);
        documents.delete(oldest);
      }
      documents.delete(key); // the new one is the latest
      documents.set(key, { ...document, writtenAt: performance.now() });
      ended.delete(key);
      if (!document.isOpen) ended.add(key);
      return "first";
    },
    read: async (key) => find(key),
    async *list(isOpenOnly) {
      for (const key of [...documents.keys()]) {
        const stored = documents.get(key)?.isOpen || !isOpenOnly ? find(key) : undefined;
        if (stored !== undefined) yield { namespace: DEFAULT_NAMESPACE, key, ...stored };
      }
    },
  };
}
