import type { DatabaseSync } from "node:sqlite";
import { isRecord } from "../../data/own-properties.ts";
import { assertConfig } from "../../errors/check-options.ts";
import { NO_CALL } from "../../errors/payments-error.ts";
import { ConfigurationError } from "../../errors/usage-errors.ts";
import { isBusy } from "./sqlite-lock.ts";

/** Bytes to which the -wal file shrinks after a reader of another process kept it from being written back. */
const WAL_SIZE_LIMIT_BYTES = 8_000_000;

/** A change writes whole pages. Files that exist keep their size, which is usually 4,096. */
const PAGE_BYTES = 1_024;

/** Milliseconds for which opening a locked file can block the process. */
const MAX_OPENING_MS = 2_000;

/** How long SQLite waits in one attempt to open the file, in milliseconds. */
const BUSY_TIMEOUT_MS = 50;

/** Suffixes of the file names. Processes with different -wal or -shm files do not see each other's changes. */
const SUFFIXES = ["", "-wal", "-shm"];

export interface SqliteFile {
  readonly database: DatabaseSync;
  /** Empty for a database that does not survive a restart: in memory, or in a temporary file. */
  readonly path: string;
  /** Whether the table had no row. */
  readonly isEmpty: boolean;
  /** @throws if one of its files is no longer at its path: data written to it would be lost. */
  assertInPlace(): void;
}

/**
 * Opens a file for reading and writing, and creates the file and its tables if they do not exist. If another process has
 * locked the file, this blocks the process for up to {@link MAX_OPENING_MS}.
 *
 * @param schema - Statements that create the tables; they may run more than once.
 * @param table - One of the tables.
 * @throws {ConfigurationError} with the name of the file and how to fix the problem.
 */
export function openSqliteFile(path: string, schema: string, table: string): SqliteFile {
  const sqlite = loadBuiltin<typeof import("node:sqlite")>("node:sqlite");
  const isWorker = globalThis.navigator?.userAgent === "Cloudflare-Workers"; // has the module, but no databases
  assertConfig(sqlite !== undefined && !isWorker, NO_SQLITE);
  const start = performance.now();
  let database: DatabaseSync | undefined;
  try {
    database = new sqlite.DatabaseSync(path);
    const isEmpty = configure(database, schema, table);
    assertWritable(database, table);
    return { ...watchFiles(database, path), isEmpty };
  } catch (error) {
    database?.close();
    throw toOpeningError(error, path, performance.now() - start);
  }
}

const NO_SQLITE =
  "sqliteStore needs node:sqlite, which this runtime does not have. Use Node 22.13 or newer, or a Bun or Deno that has " +
  "it. On Cloudflare Workers, use postgresStore with one client per request.";

/** Retries: SQLite itself does not wait for every lock, such as that of two processes that create the file. Returns whether the table is empty. */
function configure(database: DatabaseSync, schema: string, table: string): boolean {
  const start = performance.now();
  database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  while (true) {
    try {
      database.exec(`PRAGMA page_size = ${PAGE_BYTES}`);
      database.exec("PRAGMA journal_mode = WAL");
      database.exec("PRAGMA synchronous = FULL"); // confirmed data survives a power cut
      database.exec(`PRAGMA journal_size_limit = ${WAL_SIZE_LIMIT_BYTES}`);
      database.exec(schema);
      const isEmpty = database.prepare(`SELECT 1 FROM ${table}`).get() === undefined;
      database.exec("PRAGMA busy_timeout = 0"); // from now on SqliteLock waits
      return isEmpty;
    } catch (error) {
      if (!isBusy(error) || performance.now() - start > MAX_OPENING_MS) throw error;
    }
  }
}

/** SQLite opens a read-only file without an error, and would report the problem only with the first create call. */
function assertWritable(database: DatabaseSync, table: string): void {
  try {
    database.exec(`DELETE FROM ${table} WHERE 0`);
  } catch (error) {
    if (!isBusy(error)) throw error; // another process writes to it, so it is writable
  }
}

function watchFiles(database: DatabaseSync, givenPath: string): Omit<SqliteFile, "isEmpty"> {
  // Only SQLite knows the path: `file::memory:`, for example, has many spellings.
  const main = database.prepare("SELECT file FROM pragma_database_list WHERE name = 'main'").get();
  const path = String(main?.["file"] ?? "");
  const fs = loadBuiltin<typeof import("node:fs")>("node:fs");
  const names = path === "" ? [] : SUFFIXES.map((suffix) => `${path}${suffix}`);
  const opened = names.map((name) => ({ name, identity: readIdentity(fs, name) }));
  // SQLite has resolved a symbolic link. Other processes will open the file that the link points to at that time.
  const link = loadBuiltin<typeof import("node:path")>("node:path")?.resolve(givenPath) ?? path;
  const [target] = opened;
  const isLink = link !== path && target !== undefined && readIdentity(fs, link) === target.identity;
  if (isLink) opened.push({ ...target, name: link });
  return {
    database,
    path,
    assertInPlace() {
      for (const { name, identity } of opened) {
        if (identity === undefined || identity === "unknown") continue;
        const current = readIdentity(fs, name);
        if (current === identity || current === "unknown") continue;
        database.prepare("SELECT 1"); // throws if the store is closed, which deletes the -wal file
        throw new Error(
          `${name} was deleted, renamed or replaced while the store was open. Processes that open it now use another ` +
            "file, without the payments of this one. Put the file back with its -wal and -shm files, or restart all " +
            "processes that use it.",
        );
      }
    },
  };
}

/**
 * Device and inode, `undefined` if the file does not exist, `unknown` if the runtime cannot read them. It does not open
 * the file: closing it again would release the locks that SQLite has on it.
 */
function readIdentity(fs: typeof import("node:fs") | undefined, path: string): string | undefined {
  try {
    const stats = fs?.statSync(path, { bigint: true, throwIfNoEntry: false });
    if (fs === undefined) return "unknown";
    return stats && `${stats.dev}:${stats.ino}`;
  } catch {
    return "unknown";
  }
}

function toOpeningError(error: unknown, path: string, ms: number): ConfigurationError {
  const cause = error instanceof Error ? error : undefined;
  const advice = isRecord(error) ? ADVICE[Number(error["errcode"]) & 0xff] : undefined;
  const reason = isBusy(error)
    ? `another process has held its write lock for ${Math.round(ms)} ms. Wait for its end, or end that process`
    : (describePath(path) ?? advice ?? cause?.message ?? "the reason is unknown");
  const message = `The SQLite file ${path} cannot be opened: ${reason}.`;
  return new ConfigurationError(message, { ...NO_CALL, cause });
}

/** What to do, by the code of SQLite. */
const ADVICE: Readonly<Record<number, string>> = {
  1: "its tables are not those of this package. Use another file", // SQLITE_ERROR
  3: "this process has no permission to write it", // SQLITE_PERM
  8: "it is read-only. Let this process write the file and its folder", // SQLITE_READONLY
  11: "it is damaged. Restore it from a backup; do not delete it, because it holds which payments were sent", // SQLITE_CORRUPT
  13: "the disk is full", // SQLITE_FULL
  14: "this process may not read and write the file and its folder. Change their permissions", // SQLITE_CANTOPEN
  26: "it is not a SQLite database. Use another file", // SQLITE_NOTADB
};

/** SQLite reports these by the same code as a missing permission. */
function describePath(path: string): string | undefined {
  if (path.startsWith("file:")) return undefined;
  try {
    const fs = loadBuiltin<typeof import("node:fs")>("node:fs");
    const folder = loadBuiltin<typeof import("node:path")>("node:path")?.dirname(path) ?? ".";
    if (fs?.existsSync(folder) === false) return "its folder does not exist. Create the folder first";
    return fs?.statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
      ? "it is a directory. Add the name of a file"
      : undefined;
  } catch {
    return undefined;
  }
}

/** Loads a module when it is used: other runtimes import this entry too, and their bundlers have no modules of Node. */
function loadBuiltin<Module>(name: string): Module | undefined {
  const { process } = globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } };
  return process?.getBuiltinModule?.(name) as Module | undefined;
}
