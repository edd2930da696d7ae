import type { DatabaseSync } from "node:sqlite";
import { ConfigurationError } from "../core/errors/configuration-error.ts";
import { knownOptions } from "../core/known-options.ts";
import { mustBe, NO_CALL } from "../core/must-be.ts";
import { isRecord } from "../schemas/read-fields.ts";
import { RETENTION_DAYS } from "../spec/limits.ts";
import type { PostbackStore } from "./contract.ts";
import { SqlitePostbacks } from "./sqlite-postbacks.ts";

/** Options of a SQLite store. */
export interface SqliteStoreOptions {
  /** Parts what shares a file: one namespace for each account. Default `default`. */
  readonly namespace?: string | undefined;
  /** Days for which a handled postback is remembered. Default 400. */
  readonly retentionDays?: number | undefined;
}

/** A store in a file. */
export interface SqliteStore extends PostbackStore {
  /** Closes the file. The store is of no use afterwards. */
  close(): void;
}

const DAY_IN_MS = 24 * 60 * 60 * 1000;

/** How long an operation waits for another process that is writing; this one stands still meanwhile. */
const BUSY_TIMEOUT_MS = 2_000;

const SQLITE_BUSY = 5;

/**
 * A store in a SQLite file, for one machine: durable, and shared by all processes that open the file. It needs
 * `node:sqlite`, so Node 22.13 or newer. The file must not lie on a network share, and nobody else should write to it:
 * while somebody does, the process stands still for up to two seconds.
 *
 * @param path - Of the file; it is made where it does not exist.
 * @throws {ConfigurationError} on an option that cannot work, and where there is no `node:sqlite`.
 */
export function sqliteStore(path: string, options: SqliteStoreOptions = {}): SqliteStore {
  const read = knownOptions(options, ["namespace", "retentionDays"], NO_CALL);
  const { namespace = "default", retentionDays = RETENTION_DAYS } = read;
  mustBe(isFilled(path), "path must be the name of a file.");
  mustBe(isFilled(namespace), "namespace must be a string that is not empty.");
  mustBe(
    typeof retentionDays === "number" && retentionDays > 0,
    "retentionDays must be a number above zero.",
  );
  return new SqlitePostbacks(open(path), namespace, retentionDays * DAY_IN_MS);
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

function isFilled(text: unknown): boolean {
  return typeof text === "string" && text !== "";
}
