import { hasMethods } from "../data/own-properties.ts";
import { assertConfig, knownOptions, NO_CALL } from "../errors/check-options.ts";
import { createStore } from "./create-store.ts";
import type { Documents, ListedDocument } from "./documents.ts";
import { DEFAULT_NAMESPACE, type PaymentsStore, type StoreProblem } from "./store.ts";

/** Options of `documentStore`. */
export interface DocumentStoreOptions {
  /** A risk that the database cannot prevent; the client reports it once. Default: none. */
  readonly warning?: string | undefined;
  /** Lists the namespaces that have orders. Default: one, `default`. */
  readonly namespaces?: (() => Promise<readonly string[]>) | undefined;
  /** What `check()` of the store returns. Default: it reads two documents. */
  readonly check?: (() => Promise<readonly StoreProblem[]>) | undefined;
}

/**
 * Makes a store of a database that can do four things: add a text under a key that has none, read it, replace the version
 * that was read, and list the texts. The store adds the rules that all stores of this package share.
 *
 * Prove it with `storeTests` of `payments-sdk/idempotency/testing`.
 *
 * @throws {ConfigurationError} if an operation is missing, and on an invalid option.
 */
export function documentStore(documents: Documents, options: DocumentStoreOptions = {}): PaymentsStore {
  assertConfig(
    hasMethods(documents, ["add", "read", "replace", "list"]),
    "documents must have the functions add, read, replace and list.",
  );
  const known = knownOptions(options, ["warning", "namespaces", "check"], NO_CALL);
  const { warning, namespaces = async () => [DEFAULT_NAMESPACE], check } = known;
  return {
    ...createStore({
      orders: withPrefix(documents, "order:"),
      postbacks: withPrefix(documents, "postbacks:"),
      isShared: true,
      readNamespaces: namespaces,
      ...(check !== undefined && { check }),
    }),
    ...(warning !== undefined && { warning }),
  };
}

/** The documents whose keys begin with a prefix, without it. */
function withPrefix(documents: Documents, prefix: string): Documents {
  const { readMany, listEverywhere } = documents;
  async function* select<Listed extends ListedDocument>(listed: AsyncIterable<Listed>) {
    for await (const document of listed) {
      if (!document.key.startsWith(prefix)) continue;
      yield { ...document, key: document.key.slice(prefix.length) };
    }
  }
  return {
    add: (key, document, signal) => documents.add(prefix + key, document, signal),
    read: (key, signal) => documents.read(prefix + key, signal),
    replace: (key, version, document, signal) => documents.replace(prefix + key, version, document, signal),
    list: (isOpenOnly) => select(documents.list(isOpenOnly, prefix)),
    ...(readMany && { readMany: (keys) => readMany(keys.map((key) => prefix + key)) }),
    ...(listEverywhere && { listEverywhere: (isOpenOnly) => select(listEverywhere(isOpenOnly, prefix)) }),
  };
}
