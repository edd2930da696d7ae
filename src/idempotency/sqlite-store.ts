import { assertConfig } from "../errors/check-options.ts";
import { DocumentPostbacks } from "./document-postbacks.ts";
import { MEMORY_WARNING } from "./memory-warning.ts";
import { SqliteDocuments, type SqliteTable, schemaOf } from "./sqlite-documents.ts";
import { openSqliteFile } from "./sqlite-file.ts";
import { SqliteLock } from "./sqlite-lock.ts";
import { type PaymentsStore, storeOn } from "./store.ts";
import { readStoreOptions, type StoreOptions } from "./store-options.ts";

/** A store in a file. */
export interface SqliteStore extends PaymentsStore {
  /** Closes the file. The store is of no use afterwards. */
  close(): void;
}

const ORDERS: SqliteTable = "payments_orders";
const POSTBACKS: SqliteTable = "payments_postbacks";

/**
 * A store in a SQLite file, for one machine: durable, and shared by all processes that open the file. It needs
 * `node:sqlite`, so Node 22.13 or newer, or a Bun or Deno that has it. The file must not lie on a network share.
 *
 * An operation that finds the file locked by another process waits without blocking the event loop: a create until its
 * `timeout`, what has no deadline of its own for ten seconds. Only this function blocks, for up to two seconds.
 *
 * @param path - Of the file; it is created if it does not exist.
 * @throws {ConfigurationError} on an option that cannot work, if the file cannot be opened for writing, and if the
 * runtime has no `node:sqlite`.
 */
export function sqliteStore(path: string, options: StoreOptions = {}): SqliteStore {
  const { namespace, retentionMs } = readStoreOptions(options);
  assertConfig(typeof path === "string" && path !== "", "path must be the name of a file.");
  const file = openSqliteFile(path, schemaOf(ORDERS) + schemaOf(POSTBACKS), ORDERS);
  const lock = new SqliteLock(file.path);
  const documentsOf = (table: SqliteTable) => new SqliteDocuments(file, lock, table, namespace, retentionMs);
  const orders = documentsOf(ORDERS);
  const postbacks = new DocumentPostbacks(documentsOf(POSTBACKS));
  const warning = file.path === "" ? { warning: MEMORY_WARNING } : {};
  return { ...storeOn({ orders, postbacks, ...warning }), close: () => file.database.close() };
}
