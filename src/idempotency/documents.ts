import { LEASE_AT_MOST_MS } from "../spec/limits.ts";
import { Retries } from "./retries.ts";

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
  /**
   * Whether a payment is sent next. The document must be committed when the operation resolves. The claim of a postback is
   * not one: a postback that is handled twice charges nobody.
   */
  readonly isClaim?: boolean;
  /** Whether it says what became of a request that was sent. A store with a memory limit adds it beyond the limit, too. */
  readonly isEnd?: boolean | undefined;
}

/**
 * What a database has to do in order to be a store: keep texts by their keys, and replace one only if nobody else did so
 * meanwhile. Each operation is atomic, and durable once it resolves. An operation that waits for a lock gives up when its
 * signal is aborted.
 */
export interface Documents {
  /**
   * Adds a document if the key has none.
   *
   * @returns `undefined` if it was added; the document that the key has; `hidden` if the database refuses to add one and
   * shows none either, for now or for ever.
   */
  add(key: string, draft: Draft, signal?: AbortSignal): Promise<Found | "hidden" | undefined>;
  read(key: string, signal?: AbortSignal): Promise<Found | undefined>;
  /** Replaces a version; `false` if that version is not there any more. */
  replace(key: string, version: string, draft: Draft, signal?: AbortSignal): Promise<boolean>;
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
 * Changes a document. If another process was faster, it decides again by what that one wrote.
 *
 * @param expected - What the caller believes to be there; `undefined` for nothing. If that is right, it takes a single
 * operation.
 * @throws if the database never shows why it refuses the change, if other processes are faster for too long, and when
 * the signal is aborted.
 */
export async function change<Result>(
  documents: Documents,
  key: string,
  expected: Found | undefined,
  decide: (found: Found | undefined) => Decision<Result>,
  signal?: AbortSignal,
): Promise<{ readonly result: Result; readonly found: Found | undefined }> {
  const retries = new Retries(signal);
  let found = expected;
  while (true) {
    const { write, result } = decide(found);
    if (write === undefined) return { result, found };
    const draft: Draft = { ...write, version: crypto.randomUUID() };
    const there = await put(documents, key, found, draft, signal);
    if (there === "written") return { result, found: { text: draft.text, version: draft.version, ageMs: 0 } };
    if (there === "hidden") await retries.withoutProgress(HIDDEN);
    else if (there !== undefined && there.version === found?.version) await retries.withoutProgress(STALE);
    else if (found !== undefined) await retries.afterLosing();
    found = there === "hidden" ? undefined : there;
  }
}

/** Writes a draft; else it gives what is there now. */
async function put(
  documents: Documents,
  key: string,
  found: Found | undefined,
  draft: Draft,
  signal: AbortSignal | undefined,
): Promise<"written" | "hidden" | Found | undefined> {
  if (found !== undefined && (await documents.replace(key, found.version, draft, signal))) return "written";
  const isNew = found === undefined;
  const there = isNew ? await documents.add(key, draft, signal) : await documents.read(key, signal);
  if (isNew && there === undefined) return "written";
  if (typeof there !== "object" || there.version !== draft.version) return there;
  // A client that repeats statements has written it with an earlier one, of which nobody knows whether it is committed.
  if (draft.isClaim) throw new Error(REPEATED);
  return "written";
}

const HIDDEN =
  "The database refuses to add the record because one exists, but does not show that one. Likely causes: row-level " +
  "security, a trigger that drops the row, or reads that are answered by a replica";
const REPEATED =
  "The database has the claim already, by an earlier run of the same statement. Most likely the client of the store " +
  "repeats statements whose answer was lost";
const STALE =
  "The database refuses to change the record because it has another version, but shows the same version again. Likely " +
  "causes: reads that are answered by a replica or a cache, row-level security, or a trigger that drops the change";
