import { hasMethods, isRecord } from "../data/own-properties.ts";
import { assertConfig, knownOptions, NO_CALL } from "../errors/check-options.ts";
import { ConfigurationError } from "../errors/usage-errors.ts";
import { createStore } from "./create-store.ts";
import type { Documents, DocumentWrite, ListedDocument, StoredDocument } from "./documents.ts";
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
  const { warning, namespaces, check } = knownOptions(options, ["warning", "namespaces", "check"], NO_CALL);
  return {
    ...createStore({
      orders: toDocuments(documents, "order:"),
      postbacks: toDocuments(documents, "postbacks:"),
      isShared: true,
      readNamespaces: namespaces && (() => run("namespaces", namespaces, isText, "texts")),
      check: check && (() => run("check", check, isProblem, "objects with level and message")),
    }),
    ...(warning !== undefined && { warning }),
  };
}

/** The documents whose keys begin with a prefix, without it. A result that is not as documented is refused. */
function toDocuments(database: DocumentOperations, prefix: string): Documents {
  const listEverywhere = database.listEverywhere?.bind(database);

  const read: Documents["read"] = async (key, signal) => {
    const found = await sanitizeDriverErrors(() => database.read(prefix + key, signal));
    return found === null ? undefined : toDocument("read", found);
  };

  async function* list<Listed extends ListedDocument>(name: string, open: () => AsyncIterable<Listed>) {
    try {
      const listed = open();
      if (!isIterable(listed)) throw toRefusal(name, listed, "an async iterable");
      for await (const each of listed) {
        const document = toDocument(name, each);
        assertNames(name, each);
        const { key } = each;
        if (key.startsWith(prefix)) yield { ...each, ...document, key: key.slice(prefix.length) };
      }
    } catch (error) {
      throw sanitizeDriverError(error);
    }
  }

  return {
    async add(key, write, signal) {
      const add = () => database.add(prefix + key, write, signal);
      const isAdded = await sanitizeDriverErrors(add, [write.text]);
      return assertBoolean("add", isAdded) ? undefined : ((await read(key, signal)) ?? "hidden");
    },
    read,
    async replace(key, version, write, signal) {
      const replace = () => database.replace(prefix + key, version, write, signal);
      return assertBoolean("replace", await sanitizeDriverErrors(replace, [write.text]));
    },
    list: (isOpenOnly) => list("list", () => database.list(isOpenOnly, prefix)),
    ...(listEverywhere && {
      listEverywhere: (isOpenOnly) => list("listEverywhere", () => listEverywhere(isOpenOnly, prefix)),
    }),
  };
}

const isText = (value: unknown): value is string => typeof value === "string";

const isProblem = (value: unknown): value is StoreProblem =>
  isRecord(value) && (value["level"] === "error" || value["level"] === "warning") && isText(value["message"]);

/** A function that returns an array itself is fine; one in a Promise is not. */
const isIterable = (value: unknown) =>
  Array.isArray(value) || (isRecord(value) && Symbol.asyncIterator in value);

function assertNames(name: string, { key, namespace }: { key?: unknown; namespace?: unknown }): void {
  if (isText(key) && (name === "list" || isText(namespace))) return;
  throw toRefusal(name, {}, "a document with its key and its namespace");
}

/** Runs a function of the options, which returns an array. */
async function run<Item>(
  name: string,
  read: () => Promise<readonly Item[]>,
  isItem: (value: unknown) => value is Item,
  items: string,
): Promise<readonly Item[]> {
  const found: unknown = await sanitizeDriverErrors(read);
  if (Array.isArray(found) && found.every(isItem)) return found;
  throw toRefusal(name, found, `an array of ${items}`);
}

/** A reply such as `[rows, count]`, and one that is missing, prove nothing. */
function assertBoolean(name: string, value: boolean): boolean {
  if (typeof value === "boolean") return value;
  throw toRefusal(name, value, "true or false");
}

/** A wrong age could end the lease of a request that is in flight: the order could then be charged twice. */
export function toDocument(name: string, found: unknown): StoredDocument {
  if (isDocument(found)) return { text: found.text, version: found.version, ageMs: found.ageMs };
  const orNull = name === "read" ? "null, or of " : "";
  throw toRefusal(name, found, `${orNull}a document with text, version and ageMs, a number`);
}

function isDocument(value: unknown): value is StoredDocument {
  return (
    isRecord(value) && isText(value["text"]) && isText(value["version"]) && Number.isFinite(value["ageMs"])
  );
}

function toRefusal(name: string, found: unknown, expected: string): ConfigurationError {
  const object = Array.isArray(found) ? "an array" : "an object";
  const kind = typeof found === "object" && found !== null ? object : found === null ? "null" : typeof found;
  return new ConfigurationError(
    `${name} of the store's database returned ${kind} instead of ${expected}.`,
    NO_CALL,
  );
}
