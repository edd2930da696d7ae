import type { DatabaseSync } from "node:sqlite";
import { ConfigurationError } from "../core/errors/configuration-error.ts";
import { mustBe, NO_CALL } from "../core/must-be.ts";
import { isRecord } from "../schemas/read-fields.ts";
import { DocumentPostbacks } from "./document-postbacks.ts";
import { MEMORY_WARNING } from "./memory-warning.ts";
import { SqliteDocuments, type SqliteTable } from "./sqlite-documents.ts";
import { type PaymentsStore, storeOn } from "./store.ts";
import { readStoreOptions, type StoreOptions } from "./store-options.ts";

/** A store in a file. */
export interface SqliteStore extends PaymentsStore {
  /** Closes the file. The store is of no use afterwards. */
  close(): void;
}

/** How long an operation waits for another process that is writing; this one stands still meanwhile. */
const BUSY_TIMEOUT_MS = 2_000;

const SQLITE_BUSY = 5;

/**
 * A store in a SQLite file, for one machine: durable, and shared by all processes that open the file. It needs
 * `node:sqlite`, so Node 22.13 or newer, or a Bun or Deno that has it. The file must not lie on a network share, and
 * nobody else should write to it: while somebody does, the process stands still for up to two seconds.
 *
 * @param path - Of the file; it is made where it does not exist.
 * @throws {ConfigurationError} on an option that cannot work, and where there is no `node:sqlite`.
 */
export function sqliteStore(path: string, options: StoreOptions = {}): SqliteStore {
  const { namespace, retentionMs } = readStoreOptions(options);
  mustBe(typeof path === "string" && path !== "", "path must be the name of a file.");
  const database = open(path);
  const documentsOf = (table: SqliteTable) => new SqliteDocuments(database, table, namespace, retentionMs);
  const orders = documentsOf("payments_orders");
  const postbacks = new DocumentPostbacks(documentsOf("payments_postbacks"));
  const warning = isInFile(database) ? {} : { warning: MEMORY_WARNING };
  return { ...storeOn({ orders, postbacks, ...warning }), close: () => database.close() };
}

/** Loaded when it is used: other runtimes import this entry, too, and their bundlers know no `node:sqlite`. */
function open(path: string): DatabaseSync {
  const { process } = globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } };
  const sqlite = process?.getBuiltinModule?.("node:sqlite") as typeof import("node:sqlite") | undefined;
  if (sqlite === undefined) {
    throw new ConfigurationError("sqliteStore needs node:sqlite, which this runtime does not have.", NO_CALL);
  }
  const database = new sqlite.DatabaseSync(path);
  database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  switchToWal(database);
  database.exec("PRAGMA synchronous = FULL"); // what was confirmed survives a power cut
  return database;
}

/**
 * SQLite does not wait for this lock: of two processes that make the same file at once, it would tell one that the
 * file is locked.
 */
function switchToWal(database: DatabaseSync): void {
  const start = performance.now();
  while (true) {
    try {
      database.exec("PRAGMA journal_mode = WAL");
      return;
    } catch (error) {
      const isLocked = isRecord(error) && error["errcode"] === SQLITE_BUSY;
      if (!isLocked || performance.now() - start > BUSY_TIMEOUT_MS) throw error;
    }
  }
}

/** Whether the data survives a restart. Only SQLite knows: a path such as `file::memory:` has many spellings. */
function isInFile(database: DatabaseSync): boolean {
  const main = database.prepare("SELECT file FROM pragma_database_list WHERE name = 'main'").get();
  return main?.["file"] !== ""; // empty for a database in memory, and for a temporary file
}
