import { hasMethods, isRecord } from "../data/own-properties.ts";
import { assertConfig, knownOptions } from "../errors/check-options.ts";
import { ConfigurationError } from "../errors/usage-errors.ts";
import { createStore } from "./create-store.ts";
import type { Documents, DocumentWrite, FoundDocument, ListedDocument, StoredDocument } from "./documents.ts";
import type { PaymentsStore, StoreProblem } from "./store.ts";
import { sanitizeDriverError, sanitizeDriverErrors } from "./stores/sanitize-driver-errors.ts";

/**
 * What {@link documentStore} needs from a database: to keep texts by key, and to replace a text only if no one else
 * replaced it first. Each operation is atomic, and durable once it resolves: committed, and on the disk.
 *
 * A result of another type is refused. `undefined` is always another type: a function that forgets to return has it.
 */
export interface DocumentOperations {
  /**
   * Adds a document if the key has none, in one statement, such as an `INSERT` into a table whose key is unique.
   *
   * @param signal - Aborted once no one waits for the result. A statement that still waits for a lock should then end.
   * @returns `true` only if the database reports that this statement added a row, for example by the number of affected rows;
   * `false` if the key is taken.
   */
  add(key: string, write: DocumentWrite, signal?: AbortSignal): Promise<boolean>;
  /**
   * Reads a document from the primary database, never from a cache or a replica. Keys that differ in any character, or only in
   * upper and lower case, are different.
   *
   * @returns `null` if there is none.
   */
  read(key: string, signal?: AbortSignal): Promise<StoredDocument | null>;
  /**
   * Replaces a document if it still has a version, in one statement, such as an `UPDATE` with `WHERE key = ? AND version = ?`.
   *
   * @returns `true` only if the database reports that this statement changed a row; `false` if it has another version by now.
   */
  replace(key: string, version: string, write: DocumentWrite, signal?: AbortSignal): Promise<boolean>;
  /**
   * Lists documents in pages, in any order. One that is written meanwhile may be missing, or listed twice.
   *
   * @param isOpenOnly - Only those that are open are needed. They should have an index: monitors list them often.
   * @param prefix - Only keys that begin with it are needed.
   */
  list(isOpenOnly: boolean, prefix: string): AsyncIterable<ListedDocument>;
  /** Lists the documents of all namespaces of the database, as `list` does. */
  listEverywhere?(
    isOpenOnly: boolean,
    prefix: string,
  ): AsyncIterable<ListedDocument & { readonly namespace: string }>;
}

/** Options of `documentStore`. */
export interface DocumentStoreOptions {
  /** A risk that the database cannot prevent; the client reports it once. Default: none. */
  readonly warning?: string | undefined;
  /** Lists the namespaces that have orders, if the database separates several. Default: `default`, if there is an order. */
  readonly namespaces?: (() => Promise<readonly string[]>) | undefined;
  /** What `check()` of the store returns. Default: it reads two documents. */
  readonly check?: (() => Promise<readonly StoreProblem[]>) | undefined;
}

/**
 * Makes a store of a database that can do four things: add a text under a key that has none, read it, replace the version
 * that was read, and list the texts. The store adds the rules that all stores of this package share.
 *
 * docs/other-databases.md shows one in a `Map`, in libsql and in DynamoDB.
 *
 * Documents are never deleted, unless you do it: one that is not open, some time after it was written. An order that is
 * deleted can be charged again.
 *
 * Prove it with `storeTests` of `payments-sdk/testing`.
 *
 * @throws {ConfigurationError} if an operation is missing, and on an invalid option.
 */
export function documentStore(
  documents: DocumentOperations,
  options: DocumentStoreOptions = {},
): PaymentsStore {
  assertConfig(
    hasMethods(documents, ["add", "read", "replace", "list"]),
    "documents must have the functions add, read, replace and list.",
  );
  const { warning, namespaces, check } = knownOptions(options, ["warning", "namespaces", "check"]);
  return {
    ...createStore({
      orders: toDocuments(documents, "order:"),
      postbacks: toDocuments(documents, "postbacks:"),
      isShared: true,
      readNamespaces: namespaces && (() => readArray("namespaces", namespaces)),
      check: check && (() => readArray("check", check)),
    }),
    ...(warning !== undefined && { warning }),
  };
}

/** The documents whose keys begin with a prefix, without it. A result that is not as documented is refused. */
function toDocuments(database: DocumentOperations, prefix: string): Documents {
  const read: Documents["read"] = async (key, signal) => {
    const found = await sanitizeDriverErrors(() => database.read(prefix + key, signal));
    return found === null ? undefined : toDocument("read", found);
  };

  async function* list(isOpenOnly: boolean, isEverywhere: boolean): AsyncIterable<FoundDocument> {
    const name = isEverywhere ? "listEverywhere" : "list";
    const open: DocumentOperations["list"] | undefined = database[name];
    assertConfig(open !== undefined, "This store cannot list other namespaces.");
    try {
      const listed = open.call(database, isOpenOnly, prefix);
      const isIterable = isRecord(listed) ? Symbol.asyncIterator in listed : Array.isArray(listed);
      if (!isIterable) throw toRefusal(name, listed, "an async iterable");
      for await (const each of listed) {
        const document = toDocument(name, each);
        const key = document.key.slice(prefix.length);
        if (document.key.startsWith(prefix)) yield { ...document, key };
      }
    } catch (error) {
      throw sanitizeDriverError(error);
    }
  }

  return {
    async write({ key, expected, write }, signal) {
      if (expected === undefined) {
        const add = () => database.add(prefix + key, write, signal);
        const isAdded = assertBoolean("add", await sanitizeDriverErrors(add, [write.text]));
        return isAdded ? "first" : ((await read(key, signal)) ?? "hidden");
      }
      const replace = () => database.replace(prefix + key, expected, write, signal);
      return assertBoolean("replace", await sanitizeDriverErrors(replace, [write.text])) ? "first" : "kept";
    },
    read,
    list,
  };
}

/** Runs a function of the options. */
async function readArray<Item>(name: string, read: () => Promise<readonly Item[]>) {
  const found = await sanitizeDriverErrors(read);
  if (Array.isArray(found)) return found;
  throw toRefusal(name, found, "an array");
}

/** A reply such as `[rows, count]`, and one that is missing, prove nothing. */
function assertBoolean(name: string, value: boolean): boolean {
  if (typeof value === "boolean") return value;
  throw toRefusal(name, value, "true or false");
}

const TEXTS = {
  read: ["text", "version"],
  list: ["text", "version", "key"],
  listEverywhere: ["text", "version", "key", "namespace"],
} as const;

/** A wrong age could end the lease of a request that is in flight: the order could then be charged twice. */
export function toDocument<Found extends StoredDocument>(name: keyof typeof TEXTS, found: Found): Found;
export function toDocument(name: keyof typeof TEXTS, found: unknown): StoredDocument;
export function toDocument(name: keyof typeof TEXTS, found: unknown): unknown {
  const texts = TEXTS[name];
  if (isRecord(found) && texts.every((text) => typeof found[text] === "string")) {
    const { ageMs } = found;
    if (Number.isFinite(ageMs))
      return { ageMs, ...Object.fromEntries(texts.map((text) => [text, found[text]])) };
  }
  throw toRefusal(name, found, `a document with ${texts.join(", ")} and ageMs, a number`);
}

function toRefusal(name: string, found: unknown, expected: string): ConfigurationError {
  const object = Array.isArray(found) ? "an array" : "an object";
  const kind = found === null ? "null" : typeof found === "object" ? object : typeof found;
  return new ConfigurationError(`${name} of the store's database returned ${kind} instead of ${expected}.`);
}
