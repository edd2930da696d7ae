import { withOwn } from "../data/own-properties.ts";
import { DAY_IN_MS } from "../data/time.ts";
import { createUniqueId } from "../data/unique-id.ts";
import { assertConfig } from "../errors/check-options.ts";
import { Backoff } from "../http/timers.ts";

/** A text that a database keeps under a key: the record of an order, or of its postbacks. */
export interface StoredDocument {
  /** JSON. */
  readonly text: string;
  /** That of the write. */
  readonly version: string;
  /**
   * Milliseconds since it was written, by the clock of the store, which all processes share. Negative if that clock was
   * set back.
   */
  readonly ageMs: number;
}

/** Documents that a store reads in one operation, at most. */
export const READ_AT_ONCE = 200;

/** A text to write. */
export interface DocumentWrite {
  /** JSON. */
  readonly text: string;
  /** Unique to this write. */
  readonly version: string;
  /** Whether it is never deleted. Other documents are deleted some time after they were written. */
  readonly isOpen: boolean;
  /**
   * Whether a database must have committed it when the operation resolves: after a claim a payment is sent, and after the
   * record of a pix its code is returned. Not for the claim of a postback: handling a postback twice charges no one.
   */
  readonly mustBeCommitted?: boolean | undefined;
}

/** A write of a store of this package. */
export interface RecordWrite extends DocumentWrite {
  /** Whether it records the result of a request that was sent. A store adds it even at its memory limit. */
  readonly isEnd?: boolean | undefined;
}

/** A write that happens only if the document has the expected version; without one, only if there is no document. */
export interface ExpectedWrite {
  readonly key: string;
  readonly expected: string | undefined;
  readonly write: RecordWrite;
}

/**
 * What a store needs from a database: keep texts by key, and replace a text only if no one else replaced it first. Each
 * operation is atomic, and durable once it resolves. An operation that waits for a lock stops when its signal is aborted.
 */
export interface Documents {
  /**
   * Adds a document, or replaces one.
   *
   * @param second - A write of a document of another kind. A database that can writes it in the same step, if it writes the first.
   * @returns See {@link WriteResult}.
   */
  write(first: ExpectedWrite, signal?: AbortSignal, second?: ExpectedWrite): Promise<WriteResult>;
  read(key: string, signal?: AbortSignal): Promise<StoredDocument | undefined>;
  /**
   * Reads documents in pages, in any order. A document that is written, or moved by a cluster, meanwhile may be missing, or
   * listed twice.
   *
   * @param isOpenOnly - Leaves out documents that are not open.
   * @param isEverywhere - Reads those of all namespaces of the database.
   * @throws {ConfigurationError} if the database cannot list those of all namespaces.
   */
  list(isOpenOnly: boolean, isEverywhere: boolean): AsyncIterable<FoundDocument>;
  /** Reads up to {@link READ_AT_ONCE} documents in fewer operations than {@link Documents.read}, in the order of the keys. */
  readMany?(keys: readonly string[]): Promise<readonly (StoredDocument | undefined)[]>;
}

/**
 * `first` if a document was written, and `both` if the second one was as well. Otherwise nothing was written: the existing
 * document, `kept` for one that was not read, or `hidden` if the key is taken, but the document cannot be read, for now or
 * permanently.
 */
export type WriteResult = "both" | "first" | "kept" | "hidden" | StoredDocument;

/** A document with its key. */
export interface ListedDocument extends StoredDocument {
  readonly key: string;
}

/** A document of a list. */
export interface FoundDocument extends ListedDocument {
  /** A list of all namespaces has it. */
  readonly namespace?: string;
}

/** Returns a document with its current age each time it is called. */
export function remember(stored: StoredDocument): () => StoredDocument {
  const readAt = performance.now();
  return () => ({ ...stored, ageMs: stored.ageMs + performance.now() - readAt });
}

/**
 * The documents of the namespace of a store, or of all with `*`.
 *
 * @throws {ConfigurationError} on another namespace, and if the database cannot list those of all.
 */
export function listDocuments(
  documents: Documents,
  isOpenOnly: boolean,
  namespace: "*" | undefined,
): AsyncIterable<FoundDocument> {
  assertConfig(namespace === undefined || namespace === "*", 'namespace must be "*".');
  return documents.list(isOpenOnly, namespace === "*");
}

/** Identifies a document among those of all namespaces. */
export const toId = (namespace: string | undefined, key: string) =>
  namespace === undefined ? key : JSON.stringify([namespace, key]);

/** The longest lease, in milliseconds. A longer one was written with a wrong clock. */
export const MAX_LEASE_MS = DAY_IN_MS;

/**
 * Milliseconds left of a lease that began when its document was written. An age of minus one day or less is not
 * explained by a clock that was set back a little: the clock was wrong when the document was written, or is wrong now.
 * The lease then counts as ended, so that a person can resolve an order, and a postback is handled: handling one twice
 * charges no one. It is no proof that the lease has ended: see `isLeaseOver`.
 */
export function leaseLeft(leaseMs: number, ageMs: number): number {
  return ageMs < -MAX_LEASE_MS ? 0 : Math.max(0, leaseMs - ageMs);
}

export interface DocumentChange<Result> {
  /** The new document; missing if it does not change. */
  readonly write?: Omit<RecordWrite, "version"> | undefined;
  /** Another write for the same step. */
  readonly second?: ExpectedWrite | undefined;
  readonly result: Result;
}

/** Milliseconds for which a change is retried while other processes keep changing the document first. */
const MAX_CHANGE_MS = 10_000;

/** Tries of a change that the database refuses without a reason. */
const MAX_REFUSALS = 10;

/**
 * Limits how often, and for how long, one change of a document is tried again. The returned function waits before a try:
 * after another process changed the document first, or with a `refusal` after a try that showed no change of the document.
 * The next try most likely fails in the same way.
 */
export function createPauses(signal: AbortSignal | undefined) {
  const backoff = new Backoff({ firstMs: 1, longestMs: 100, forMs: MAX_CHANGE_MS, signal });
  let refusals = 0;
  return async ({ refusal, cause }: { refusal?: string | undefined; cause?: unknown }): Promise<void> => {
    refusals = refusal === undefined ? 0 : refusals + 1;
    if (refusals === MAX_REFUSALS) throw new Error(refusal);
    if (!(await backoff.pause())) {
      const message = `Other processes changed the record faster than this one, for ${MAX_CHANGE_MS} ms.`;
      throw new Error(message, { cause });
    }
    signal?.throwIfAborted();
  };
}

/**
 * Changes a document. If another process changes it first, decides again based on the new document.
 *
 * @param expected - The document that the caller expects; `undefined` for none. If that is right, one operation is enough.
 * @throws if the database keeps refusing the change without showing why, if other processes keep changing the document
 * first, and if the signal is aborted.
 */
export async function changeDocument<Result>(
  documents: Documents,
  key: string,
  expected: StoredDocument | undefined,
  signal: AbortSignal | undefined,
  decide: (stored: StoredDocument | undefined) => DocumentChange<Result>,
): Promise<{
  readonly result: Result;
  readonly stored: StoredDocument | undefined;
  /** Whether the second write of the change happened. */
  readonly isSecondWritten: boolean;
}> {
  let pause: ReturnType<typeof createPauses> | undefined;
  const tried = new Set<string>();
  let stored = expected;
  while (true) {
    const { write, second, result } = withOwn(decide(stored), ["write", "second"]);
    if (write === undefined) return { result, stored, isSecondWritten: false };
    const document: RecordWrite = { ...write, version: createUniqueId() };
    tried.add(document.version);
    const first = { key, expected: stored?.version, write: document };
    const current = await writeOrRead(documents, first, second, tried, signal);
    if (current === "first" || current === "both") {
      return { result, stored: { ...document, ageMs: 0 }, isSecondWritten: current === "both" };
    }
    pause ??= createPauses(signal);
    if (current === "hidden") await pause({ refusal: HIDDEN });
    else if (current?.version === stored?.version) await pause({ refusal: STALE });
    else if (stored !== undefined) await pause({});
    stored = current === "hidden" ? undefined : current;
  }
}

/** Writes a document, or returns the one that prevents this. */
async function writeOrRead(
  documents: Documents,
  first: ExpectedWrite,
  second: ExpectedWrite | undefined,
  tried: ReadonlySet<string>,
  signal: AbortSignal | undefined,
): Promise<"first" | "both" | "hidden" | StoredDocument | undefined> {
  const { key, write } = first;
  const written = await documents.write(first, signal, second);
  const current = written === "kept" ? await documents.read(key, signal) : written;
  if (typeof current !== "object") return current;
  // The client repeated a statement: an earlier run wrote the document, and may not be committed.
  if (write.mustBeCommitted && tried.has(current.version)) throw new Error(REPEATED);
  return current.version === write.version ? "first" : current;
}

const HIDDEN =
  "The database refuses to add the record because one exists, but does not show that one. Likely causes: row-level " +
  "security, a trigger that drops the row, or reads from a replica.";
const REPEATED =
  "The database has the record already, from an earlier run of the same statement. Most likely the client of the store " +
  "repeats statements whose response was lost";
const STALE =
  "The database refuses to change the record because it has another version, but shows the same version again. Likely " +
  "causes: reads from a replica or a cache, row-level security, or a trigger that drops the change.";
