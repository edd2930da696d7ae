import { LEASE_AT_MOST_MS } from "../spec/limits.ts";

/** A document as it is in a store. */
export interface Found {
  /** JSON. */
  readonly text: string;
  readonly version: string;
  /**
   * Milliseconds since it was written, by the clock of the store, which all processes share. Negative where that clock
   * was set back.
   */
  readonly ageMs: number;
}

/** A document that is to be written. */
export interface Draft {
  /** JSON. */
  readonly text: string;
  /** One that no other draft has. */
  readonly version: string;
  /** Whether it is listed, and kept for ever. One that is not is forgotten some time after it was written. */
  readonly isOpen: boolean;
}

/**
 * What a database has to do in order to be a store: keep texts by their keys, and put one in the place of another only
 * where nobody else did so meanwhile. Each operation is atomic, and durable once it resolves.
 */
export interface Documents {
  /** Adds a document where there is none, and gives `undefined`; else it gives the one that there is. */
  add(key: string, draft: Draft): Promise<Found | undefined>;
  read(key: string): Promise<Found | undefined>;
  /** Puts a draft in the place of a version; `false` where that version is not there any more. */
  replace(key: string, version: string, draft: Draft): Promise<boolean>;
  /** Those that are open, in no order. One that is written meanwhile may be missing, or given twice. */
  open(): AsyncIterable<Found & { readonly key: string }>;
}

/**
 * Milliseconds that are left of a lease which began when its document was written. So far ahead as a day is no clock that
 * was set back a little, but one that was wrong when the document was written.
 */
export function leaseLeft(leaseMs: number, ageMs: number): number {
  return ageMs < -LEASE_AT_MOST_MS ? 0 : Math.max(0, leaseMs - ageMs);
}

/** What is to become of a document. */
export interface Decision<Result> {
  /** What to write; nothing where it stays as it is. */
  readonly write?: Omit<Draft, "version"> | undefined;
  readonly result: Result;
}

/**
 * Changes a document. Where somebody else was faster, it decides anew by what they wrote.
 *
 * @param expected - What the caller believes to be there; `undefined` for nothing. If that is right, it takes a single
 * operation.
 */
export async function change<Result>(
  documents: Documents,
  key: string,
  expected: Found | undefined,
  decide: (found: Found | undefined) => Decision<Result>,
): Promise<{ readonly result: Result; readonly found: Found | undefined }> {
  let found = expected;
  while (true) {
    const { write, result } = decide(found);
    if (write === undefined) return { result, found };
    const draft: Draft = { ...write, version: crypto.randomUUID() };
    const written: Found = { text: draft.text, version: draft.version, ageMs: 0 };
    if (found === undefined) {
      found = await documents.add(key, draft);
      if (found === undefined) return { result, found: written };
    } else {
      if (await documents.replace(key, found.version, draft)) return { result, found: written };
      found = await documents.read(key);
    }
  }
}
