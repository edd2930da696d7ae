/// <reference lib="esnext.disposable" preserve="true" />
import type { DatabaseSync } from "node:sqlite";
import { MEMORY_WARNING } from "../../contracts/idempotency-store.ts";
import { assertConfig } from "../../errors/check-options.ts";
import { createStore } from "../create-store.ts";
import type { Documents, DocumentWrite, ExpectedWrite, StoredDocument, WriteBoth } from "../documents.ts";
import {
  type PaymentsStore,
  readNamespaces,
  readStoreOptions,
  type StoreOptions,
  type StoreSettings,
} from "../store.ts";
import { openSqliteFile, type SqliteFile } from "./sqlite-file.ts";
import { SqliteLock } from "./sqlite-lock.ts";

/** A store in a file. */
export interface SqliteStore extends PaymentsStore {
  /** Closes the file, if it is open. The store cannot be used afterwards. */
  close(): void;
  /** The same, for `using`. */
  [Symbol.dispose](): void;
}

/**
 * A durable store in a SQLite file, for all processes of one machine. It needs
 * `node:sqlite`: Node 22.13 or newer, or a Bun or Deno that has it. The file must not be on a network share.
 *
 * If another process has locked the file, an operation waits without blocking the event loop: a create call until
 * its `timeout`, an operation without a deadline for ten seconds. Only this function blocks, for up to two seconds.
 *
 * The first create call emits a `warning` event if the file had no orders when it was opened: it may be the wrong one.
 *
 * @param path - Of the file; it is created if it does not exist. Use an absolute path: a relative one is another file in
 * another working directory, and an order of the first could be charged again.
 * @throws {ConfigurationError} on an invalid option, if the file cannot be opened for writing, and if the runtime has no
 * `node:sqlite`.
 */
export function sqliteStore(path: string, options: StoreOptions = {}): SqliteStore {
  const settings = readStoreOptions(options);
  assertConfig(typeof path === "string" && path !== "", "path must be the name of a file.");
  const file = openSqliteFile(path, toSchema(ORDERS) + toSchema(POSTBACKS), ORDERS);
  const lock = new SqliteLock(file.path);
  const nextNamespace = file.database.prepare(
    `SELECT min(namespace) AS name FROM ${ORDERS} WHERE namespace > :last`,
  );
  const close = () => {
    if (file.database.isOpen) file.database.close();
  };
  const orders = createSqliteDocuments(file, lock, ORDERS, settings);
  const postbacks = createSqliteDocuments(file, lock, POSTBACKS, settings);
  return {
    ...createStore({
      ...{ orders, postbacks, writeBoth: createWriteBoth(file, lock, postbacks, orders) },
      isShared: true,
      readNamespaces: () =>
        readNamespaces(async (last) => (await lock.read(() => nextNamespace.get({ last })))?.["name"]),
    }),
    ...(file.path === ""
      ? { warning: MEMORY_WARNING }
      : file.isEmpty && { warning: toEmptyWarning(file.path) }),
    close,
    [Symbol.dispose]: close,
  };
}

/** A relative path, or a folder that a deployment replaces, is the usual reason for a second file. */
const toEmptyWarning = (path: string) =>
  `had no orders when it was opened (${path}): if the shop has orders, this is another file, and they can be charged again`;

const ORDERS = "payments_orders";
const POSTBACKS = "payments_postbacks";

type Table = typeof ORDERS | typeof POSTBACKS;

/** Creates what does not exist. */
const toSchema = (table: Table) => `
  CREATE TABLE IF NOT EXISTS ${table} (
    namespace TEXT NOT NULL,
    key TEXT NOT NULL,
    version TEXT NOT NULL,
    changed_at INTEGER NOT NULL, -- milliseconds since 1970
    is_open INTEGER NOT NULL,    -- 1: never deleted
    body TEXT NOT NULL,          -- JSON
    PRIMARY KEY (namespace, key)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS ${table}_by_age ON ${table} (namespace, is_open, changed_at);
`;

/** Old documents are deleted before the first addition, and then once per this many additions. */
const ADDITIONS_BETWEEN_CLEANUPS = 1_000;

/** Maximum number of documents that one cleanup deletes, because it blocks this process and all others that write. */
const DELETED_AT_ONCE = 500;

const OPEN_AT_ONCE = 500;

/** Rows that one statement examines, because it blocks this process. */
const EXAMINED_AT_ONCE = 1_000;

const prepareStatements = (database: DatabaseSync, table: Table) => ({
  add: database.prepare(`
    INSERT INTO ${table} (namespace, key, version, changed_at, is_open, body)
    VALUES (:namespace, :key, :version, :now, :isOpen, :text) ON CONFLICT DO NOTHING
  `),
  read: database.prepare(
    `SELECT version, changed_at, body FROM ${table} WHERE namespace = :namespace AND key = :key`,
  ),
  replace: database.prepare(`
    UPDATE ${table} SET version = :version, changed_at = :now, is_open = :isOpen, body = :text
    WHERE namespace = :namespace AND key = :key AND version = :expected
  `),
  // The index is named because SQLite examines the whole table instead after ANALYZE.
  open: database.prepare(`
    SELECT rowid, key, version, changed_at, body FROM ${table} INDEXED BY ${table}_by_age
    WHERE namespace = :namespace AND is_open = 1 AND (changed_at, rowid) > (:time, :row)
    ORDER BY changed_at, rowid LIMIT ${OPEN_AT_ONCE}
  `),
  newestOpen: database.prepare(`
    SELECT max(changed_at) AS time FROM ${table} INDEXED BY ${table}_by_age
    WHERE namespace = :namespace AND is_open = 1
  `),
  // A range of row ids, because the rows of other namespaces are examined as well. Without the `+`, SQLite would search the
  // index of the whole namespace for each range.
  all: database.prepare(`
    SELECT key, version, changed_at, body FROM ${table}
    WHERE +namespace = :namespace AND rowid > :after AND rowid <= :after + ${EXAMINED_AT_ONCE}
  `),
  lastRow: database.prepare(`SELECT max(rowid) AS rowid FROM ${table}`),
  forget: database.prepare(`
    DELETE FROM ${table} WHERE rowid IN (
      SELECT rowid FROM ${table} WHERE namespace = :namespace AND is_open = 0 AND changed_at < :before
      LIMIT ${DELETED_AT_ONCE}
    )
  `),
});

/** Documents in a table of a SQLite file. Each operation is one statement, and so one transaction of the database. */
function createSqliteDocuments(
  { database, assertInPlace }: SqliteFile,
  lock: SqliteLock,
  table: Table,
  { namespace, retentionMs }: StoreSettings,
): SqliteDocuments {
  const statements = prepareStatements(database, table);
  let additionsUntilCleanup = 0;

  const read: Documents["read"] = async (key, signal) => {
    const row = await lock.read(() => statements.read.get({ namespace, key }), signal);
    return row && toDocument(row);
  };

  /** Runs a statement, and returns whether it changed a document. */
  function write(
    run: () => { readonly changes: number | bigint },
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    return lock.write(() => {
      assertInPlace();
      return run().changes === 1;
    }, signal);
  }

  /** For a statement that runs now: the age of a document begins when it is written. */
  const toValues = (key: string, { version, text, isOpen }: DocumentWrite) => {
    return { namespace, key, version, now: Date.now(), isOpen: isOpen ? 1 : 0, text };
  };

  function cleanUpIfDue(): void {
    if (additionsUntilCleanup > 0) {
      additionsUntilCleanup -= 1;
      return;
    }
    lock.tryNow(() => {
      const { changes } = statements.forget.run({ namespace, before: Date.now() - retentionMs });
      if (changes < DELETED_AT_ONCE) additionsUntilCleanup = ADDITIONS_BETWEEN_CLEANUPS - 1;
    });
  }

  async function* listOpen() {
    // Not by key: Node 22 reads a text only up to a NUL, so the next page would begin with the same row again.
    let [time, row] = [Number.MIN_SAFE_INTEGER, 0];
    // What is written meanwhile moves to the end again and again. If the clock was set back, the end is in the future.
    const newest = await lock.read(() => statements.newestOpen.get({ namespace }));
    const until = Math.max(Date.now(), Number(newest?.["time"] ?? 0));
    while (true) {
      const rows = await lock.read(() => statements.open.all({ namespace, time, row }));
      for (const each of rows) yield { key: String(each["key"]), ...toDocument(each) };
      const last = rows.at(-1);
      if (last === undefined || rows.length < OPEN_AT_ONCE || time > until) return;
      [time, row] = [Number(last["changed_at"]), Number(last["rowid"])];
      await new Promise((resolve) => setTimeout(resolve, 0)); // other work of the process
    }
  }

  async function* listAll() {
    const last = await lock.read(() => statements.lastRow.get());
    const lastRow = Number(last?.["rowid"] ?? 0);
    for (let after = 0; after < lastRow; after += EXAMINED_AT_ONCE) {
      const rows = await lock.read(() => statements.all.all({ namespace, after }));
      for (const row of rows) yield { key: String(row["key"]), ...toDocument(row) };
      await new Promise((resolve) => setTimeout(resolve, 0)); // other work of the process
    }
  }

  return {
    cleanUpIfDue,
    writeNow({ key, expected, write }) {
      const values = toValues(key, write);
      const isNew = expected === undefined;
      const { changes } = isNew
        ? statements.add.run(values)
        : statements.replace.run({ ...values, expected });
      return changes === 1;
    },
    async add(key, document, signal) {
      cleanUpIfDue();
      if (await write(() => statements.add.run(toValues(key, document)), signal)) return undefined;
      return (await read(key, signal)) ?? "hidden"; // it may have been deleted in between
    },
    read,
    async replace(key, version, document, signal) {
      return write(() => statements.replace.run({ ...toValues(key, document), expected: version }), signal);
    },
    list: (isOpenOnly) => (isOpenOnly ? listOpen() : listAll()),
  };
}

function toDocument(row: Readonly<Record<string, unknown>>): StoredDocument {
  const ageMs = Date.now() - Number(row["changed_at"]);
  return { text: String(row["body"]), version: String(row["version"]), ageMs };
}

interface SqliteDocuments extends Documents {
  cleanUpIfDue(): void;
  /** Writes a document within a transaction; `false` if it has another version. */
  writeNow(write: ExpectedWrite): boolean;
}

/** Writes the postbacks and the record of an order in one transaction, which the disk confirms once. */
function createWriteBoth(
  { database, assertInPlace }: SqliteFile,
  lock: SqliteLock,
  postbacks: SqliteDocuments,
  orders: SqliteDocuments,
): WriteBoth {
  const writeNow = (inbox: ExpectedWrite, order: ExpectedWrite) => {
    assertInPlace();
    database.exec("BEGIN IMMEDIATE");
    try {
      const isBoth = postbacks.writeNow(inbox) && (orders.writeNow(order) ? "both" : "first");
      database.exec("COMMIT");
      return isBoth || "kept";
    } catch (error) {
      try {
        database.exec("ROLLBACK");
      } catch {
        // A full disk has ended the transaction already.
      }
      throw error;
    }
  };
  return (inbox, order) => {
    if (inbox.expected === undefined) postbacks.cleanUpIfDue();
    return lock.write(() => writeNow(inbox, order));
  };
}
