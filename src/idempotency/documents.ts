import { CHANGE_TRIES, MAX_CHANGE_MS } from "../spec/limits.ts";

/** A document as it is in a store. */
export interface Found {
  /** JSON. */
  readonly text: string;
  readonly version: string;
  /**
   * Milliseconds since it was written, by the clock of the store, which all processes share. Negative if that clock was
   * set back.
   */
  readonly ageMs: number;
}

/** A document to write. */
export interface Draft {
  /** JSON. */
  readonly text: string;
  /** Unique to this draft. */
  readonly version: string;
  /** Whether it is never deleted. Other documents are deleted some time after they were written. */
  readonly isOpen: boolean;
  /**
   * Whether a database must have committed it when the operation resolves: after a claim a payment is sent, and after the
   * record of a pix its code is returned. Not for the claim of a postback: handling a postback twice charges no one.
   */
  readonly mustBeCommitted?: boolean;
  /** Whether it records the result of a request that was sent. A store adds it even at its memory limit. */
  readonly isEnd?: boolean | undefined;
}

/**
 * What a store needs from a database: keep texts by key, and replace a text only if no one else replaced it first. Each
 * operation is atomic, and durable once it resolves. An operation that waits for a lock stops when its signal is aborted.
 */
export interface Documents {
  /**
   * Adds a document if the key has none.
   *
   * @returns `undefined` if it was added; otherwise the existing document, or `hidden` if the database refuses to add one
   * but does not show an existing one either, for now or permanently.
   */
  add(key: string, draft: Draft, signal?: AbortSignal): Promise<Found | "hidden" | undefined>;
  read(key: string, signal?: AbortSignal): Promise<Found | undefined>;
  /** Replaces a version; `false` if the document has another version by now. */
  replace(key: string, version: string, draft: Draft, signal?: AbortSignal): Promise<boolean>;
  /**
   * Reads documents in pages, in any order. A document that is written meanwhile may be missing, or listed twice.
   *
   * @param isOpenOnly - Leaves out those that are not open.
   */
  list(isOpenOnly: boolean): AsyncIterable<Found & { readonly key: string }>;
}

/** How a document changes. */
export interface Decision<Result> {
  /** The new document; missing if it does not change. */
  readonly write?: Omit<Draft, "version"> | undefined;
  readonly result: Result;
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
  expected: Found | undefined,
  decide: (found: Found | undefined) => Decision<Result>,
  signal?: AbortSignal,
): Promise<{ readonly result: Result; readonly found: Found | undefined }> {
  let retries: Retries | undefined;
  let found = expected;
  const tried = new Set<string>();
  while (true) {
    const { write, result } = decide(found);
    if (write === undefined) return { result, found };
    const draft: Draft = { ...write, version: crypto.randomUUID() };
    const current = await writeDraft(documents, key, found, draft, tried.add(draft.version), signal);
    if (current === "written") {
      return { result, found: { text: draft.text, version: draft.version, ageMs: 0 } };
    }
    retries ??= new Retries(signal);
    if (current === "hidden") await retries.pauseWithoutProgress(HIDDEN);
    else if (current !== undefined && current.version === found?.version) {
      await retries.pauseWithoutProgress(STALE);
    } else if (found !== undefined) await retries.pauseAfterLostRace();
    found = current === "hidden" ? undefined : current;
  }
}

/** Writes a draft, or returns the document that prevents this. */
async function writeDraft(
  documents: Documents,
  key: string,
  found: Found | undefined,
  draft: Draft,
  tried: ReadonlySet<string>,
  signal: AbortSignal | undefined,
): Promise<"written" | "hidden" | Found | undefined> {
  if (found !== undefined && (await documents.replace(key, found.version, draft, signal))) return "written";
  const isNew = found === undefined;
  const current = isNew ? await documents.add(key, draft, signal) : await documents.read(key, signal);
  if (isNew && current === undefined) return "written";
  if (typeof current !== "object") return current;
  // The client repeated a statement: an earlier run wrote the document, and may not be committed.
  if (draft.mustBeCommitted && tried.has(current.version)) throw new Error(REPEATED);
  return current.version === draft.version ? "written" : current;
}

/** Retries before the first pause: after most lost races, the next try succeeds. */
const RETRIES_WITHOUT_PAUSE = 3;

const MAX_PAUSE_MS = 100;

/** Limits how often, and for how long, one change of a document is retried. */
export class Retries {
  readonly #start = performance.now();
  readonly #signal: AbortSignal | undefined;
  #count = 0;
  #countWithoutProgress = 0;

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
  }

  /** Another process changed the document first. */
  async pauseAfterLostRace(cause?: unknown): Promise<void> {
    this.#countWithoutProgress = 0;
    if (performance.now() - this.#start > MAX_CHANGE_MS) {
      throw new Error(`Other processes changed the record faster than this one, for ${MAX_CHANGE_MS} ms.`, {
        cause,
      });
    }
    await this.#pause();
  }

  /** Nothing changed since the last try, so the next one most likely fails in the same way. */
  async pauseWithoutProgress(reason: string): Promise<void> {
    this.#countWithoutProgress += 1;
    if (this.#countWithoutProgress === CHANGE_TRIES) throw new Error(`${reason}.`);
    await this.#pause();
  }

  async #pause(): Promise<void> {
    this.#signal?.throwIfAborted();
    this.#count += 1;
    const doublings = this.#count - RETRIES_WITHOUT_PAUSE;
    if (doublings <= 0) return;
    const longest = Math.min(2 ** doublings, MAX_PAUSE_MS);
    await new Promise((resolve) => setTimeout(resolve, longest * (0.5 + Math.random() / 2)));
    this.#signal?.throwIfAborted();
  }
}

const HIDDEN =
  "The database refuses to add the record because one exists, but does not show that one. Likely causes: row-level " +
  "security, a trigger that drops the row, or reads from a replica";
const REPEATED =
  "The database has the record already, from an earlier run of the same statement. Most likely the client of the store " +
  "repeats statements whose response was lost";
const STALE =
  "The database refuses to change the record because it has another version, but shows the same version again. Likely " +
  "causes: reads from a replica or a cache, row-level security, or a trigger that drops the change";
