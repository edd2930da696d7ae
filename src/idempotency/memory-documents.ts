import type { Documents, Draft, Found } from "./documents.ts";

interface Kept extends Draft {
  /** By a clock that nobody sets. */
  readonly writtenAt: number;
}

/** Documents in the memory of one process. Those that are not open are forgotten when there are too many. */
export class MemoryDocuments implements Documents {
  readonly #max: number;
  /** In the order in which they were written. */
  readonly #kept = new Map<string, Kept>();
  /** Those that may be forgotten, in the same order. */
  readonly #ended = new Set<string>();

  constructor(max: number) {
    this.#max = max;
  }

  async add(key: string, draft: Draft): Promise<Found | undefined> {
    const kept = this.#kept.get(key);
    if (kept !== undefined) return foundOf(kept);
    if (this.#kept.size >= this.#max) this.#forgetOldest();
    this.#write(key, draft);
    return undefined;
  }

  async read(key: string): Promise<Found | undefined> {
    const kept = this.#kept.get(key);
    return kept && foundOf(kept);
  }

  async replace(key: string, version: string, draft: Draft): Promise<boolean> {
    if (this.#kept.get(key)?.version !== version) return false;
    this.#kept.delete(key);
    this.#write(key, draft);
    return true;
  }

  async *open(): AsyncIterable<Found & { readonly key: string }> {
    for (const [key, kept] of [...this.#kept]) if (kept.isOpen) yield { key, ...foundOf(kept) };
  }

  #write(key: string, draft: Draft): void {
    this.#kept.set(key, { ...draft, writtenAt: performance.now() });
    this.#ended.delete(key);
    if (!draft.isOpen) this.#ended.add(key);
  }

  #forgetOldest(): void {
    const [oldest] = this.#ended;
    if (oldest === undefined) {
      throw new Error(`The store holds ${this.#max} orders, and none of them has ended.`);
    }
    this.#ended.delete(oldest);
    this.#kept.delete(oldest);
  }
}

function foundOf({ text, version, writtenAt }: Kept): Found {
  return { text, version, ageMs: performance.now() - writtenAt };
}
