import type { DatabaseSync } from "node:sqlite";
import { isRecord } from "../data/own.ts";
import { NO_CALL } from "../errors/check-options.ts";
import { ConfigurationError } from "../errors/configuration-error.ts";
import { SQLITE_OPEN_AT_MOST_MS } from "../spec/limits.ts";
import { isBusy, lockedError } from "./sqlite-lock.ts";

/** Codes of SQLite for a path that cannot work: SQLITE_PERM, SQLITE_READONLY, SQLITE_CANTOPEN and SQLITE_NOTADB. */
const UNUSABLE_PATH = [3, 8, 14, 26];

/** Bytes to which the -wal file shrinks after a reader of another process kept it from being written back. */
const WAL_KEPT_BYTES = 8_000_000;

/** How long SQLite sleeps in one try to open the file, in milliseconds. */
const BUSY_TIMEOUT_MS = 50;

/** What the names of its files end with. Processes with different -wal or -shm files do not see each other's changes. */
const BESIDE = ["", "-wal", "-shm"];

/** A database that is open. */
export interface SqliteFile {
  readonly database: DatabaseSync;
  /** Empty for a database that is gone after a restart: in memory, or in a temporary file. */
  readonly path: string;
  /** @throws if one of its files is not at its path any more: what is written to it would be lost. */
  assertInPlace(): void;
}

/**
 * Opens a file for reading and writing, and creates what it lacks. If another process has locked the file, it blocks the
 * process for up to {@link SQLITE_OPEN_AT_MOST_MS}.
 *
 * @param schema - Statements that create the tables; they run more than once.
 * @param table - One of the tables.
 */
export function openSqliteFile(path: string, schema: string, table: string): SqliteFile {
  const sqlite = builtin<typeof import("node:sqlite")>("node:sqlite");
  if (sqlite === undefined) {
    throw new ConfigurationError("sqliteStore needs node:sqlite, which this runtime does not have.", NO_CALL);
  }
  const start = performance.now();
  let database: DatabaseSync | undefined;
  try {
    database = new sqlite.DatabaseSync(path);
    prepare(database, schema);
    assertWritable(database, table);
    return watched(database, path);
  } catch (error) {
    database?.close();
    throw openingError(error, path, performance.now() - start);
  }
}

/** Tries again by itself: SQLite does not wait for every lock, such as that of two processes that create the file. */
function prepare(database: DatabaseSync, schema: string): void {
  const start = performance.now();
  database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  while (true) {
    try {
      database.exec("PRAGMA journal_mode = WAL");
      database.exec("PRAGMA synchronous = FULL"); // what was confirmed survives a power cut
      database.exec(`PRAGMA journal_size_limit = ${WAL_KEPT_BYTES}`);
      database.exec(schema);
      database.exec("PRAGMA busy_timeout = 0"); // from now on SqliteLock waits
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() - start > SQLITE_OPEN_AT_MOST_MS) throw error;
    }
  }
}

/** SQLite opens a file that must not be written, and would report that with the first create only. */
function assertWritable(database: DatabaseSync, table: string): void {
  try {
    database.exec(`DELETE FROM ${table} WHERE 0`);
  } catch (error) {
    if (!isBusy(error)) throw error; // another process writes to it, so it can be written
  }
}

function watched(database: DatabaseSync, given: string): SqliteFile {
  // Only SQLite knows: a path such as `file::memory:` has many spellings.
  const main = database.prepare("SELECT file FROM pragma_database_list WHERE name = 'main'").get();
  const path = String(main?.["file"] ?? "");
  const fs = builtin<typeof import("node:fs")>("node:fs");
  const files = path === "" ? [] : BESIDE.map((end) => `${path}${end}`);
  const opened = files.map((name) => ({ name, identity: identityOf(fs, name) }));
  // A symbolic link, which SQLite has resolved: other processes open what it leads to by then.
  const link = builtin<typeof import("node:path")>("node:path")?.resolve(given) ?? path;
  const [target] = opened;
  const isLink = link !== path && target !== undefined && identityOf(fs, link) === target.identity;
  if (isLink) opened.push({ ...target, name: link });
  return {
    database,
    path,
    assertInPlace() {
      for (const { name, identity } of opened) {
        if (identity === undefined || identity === "unknown") continue;
        const found = identityOf(fs, name);
        if (found === identity || found === "unknown") continue;
        throw new Error(
          `${name} was deleted, renamed or replaced while the store was open. Processes that open it now use another ` +
            "file, which does not know the payments of this one. Put the file back with its -wal and -shm files, or " +
            "restart all processes that use it.",
        );
      }
    },
  };
}

/**
 * Device and inode, `undefined` if there is no file, `unknown` if the runtime cannot look. It does not open the file:
 * closing it again would release the locks that SQLite has on it.
 */
function identityOf(fs: typeof import("node:fs") | undefined, path: string): string | undefined {
  try {
    const stats = fs?.statSync(path, { bigint: true, throwIfNoEntry: false });
    if (fs === undefined) return "unknown";
    return stats && `${stats.dev}:${stats.ino}`;
  } catch {
    return "unknown";
  }
}

function openingError(error: unknown, path: string, ms: number): unknown {
  if (isBusy(error)) return lockedError(path, ms, error);
  const code = isRecord(error) ? Number(error["errcode"]) & 0xff : 0;
  if (!(error instanceof Error && UNUSABLE_PATH.includes(code))) return error;
  return new ConfigurationError(
    `path must name a SQLite database that this process can write, in a folder that it can write, too: ${error.message}.`,
    { ...NO_CALL, cause: error },
  );
}

/** Loaded when it is used: other runtimes import this entry, too, and their bundlers know no modules of Node. */
function builtin<Module>(name: string): Module | undefined {
  const { process } = globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } };
  return process?.getBuiltinModule?.(name) as Module | undefined;
}
