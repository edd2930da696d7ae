/// <reference lib="esnext.disposable" preserve="true" />
import type { DatabaseSync } from "node:sqlite";
import { MEMORY_WARNING } from "../../contracts/idempotency-store.ts";
import { assertConfig } from "../../errors/check-options.ts";
import { createStore } from "../create-store.ts";
import type { ExpectedWrite, FoundDocument, StoredDocument, WriteResult } from "../documents.ts";
import {
  type PaymentsStore,
  readNamespaces,
  readStoreOptions,
  type StoreOptions,
  type StoreProblem,
  type StoreSettings,
  TABLES,
  type Table,
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
  const file = openSqliteFile(path, TABLES.map(toSchema).join("") + RETENTION_SCHEMA, ORDERS);
  const lock = new SqliteLock(file.path);
  const cleanUpIfDue = createCleanup(file.database, lock, settings);
  const open = (table: Table, writeSecond?: WriteNow) =>
    createSqliteDocuments(file, lock, table, settings.namespace, cleanUpIfDue, writeSecond);
  const orders = open(ORDERS);
  const postbacks = open(POSTBACKS, orders.writeNow);
  const close = () => {
    if (file.database.isOpen) file.database.close();
  };
  return {
    ...createStore({
      orders,
      postbacks,
      isShared: true,
      readNamespaces: orders.readNamespaces,
      check: () => check(file, lock),
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

const [ORDERS, POSTBACKS] = TABLES;

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

/** The latest retention of each namespace: a process also deletes the documents of namespaces that none uses. */
const RETENTION_SCHEMA = `
  CREATE TABLE IF NOT EXISTS payments_retention (namespace TEXT PRIMARY KEY, ms REAL NOT NULL) STRICT;
`;

/** Milliseconds between two cleanups, and after one that may have left old documents. */
const CLEANUP_INTERVAL_MS = { usual: 30_000, backlog: 1_000 };

/** Maximum number of documents that one cleanup deletes, because it blocks this process and all others that write. */
const DELETED_AT_ONCE = 100;

/** Rows that one statement of a list examines, because it blocks this process. */
const EXAMINED_AT_ONCE = 100;

/** Deletes documents that ended before their retention, before a change. Each time it examines the next namespace. */
function createCleanup(
  database: DatabaseSync,
  lock: SqliteLock,
  { namespace, retentionMs }: StoreSettings,
): () => void {
  const remember = database.prepare(`
    INSERT INTO payments_retention VALUES (:namespace, :ms)
    ON CONFLICT DO UPDATE SET ms = excluded.ms WHERE ms <> excluded.ms
  `);
  const next = database.prepare(
    "SELECT namespace, ms FROM payments_retention WHERE namespace > :last ORDER BY namespace",
  );
  const deletions = TABLES.map((table) =>
    database.prepare(`
      DELETE FROM ${table} WHERE rowid IN (
        SELECT rowid FROM ${table} INDEXED BY ${table}_by_age
        WHERE namespace = :name AND is_open = 0 AND changed_at < :before LIMIT ${DELETED_AT_ONCE}
      )
    `),
  );
  let last = "";
  // Processes that start together do not clean up together.
  let dueAt = performance.now() + Math.random() * CLEANUP_INTERVAL_MS.usual;
  return () => {
    const now = performance.now();
    if (now < dueAt) return;
    dueAt = now + CLEANUP_INTERVAL_MS.usual;
    lock.tryNow(() => {
      remember.run({ namespace, ms: retentionMs });
      const found = next.get({ last }) ?? next.get({ last: "" });
      const name = String(found?.["namespace"]);
      const before = Date.now() - Number(found?.["ms"]);
      const isBacklog = deletions.filter((each) => each.run({ name, before }).changes === DELETED_AT_ONCE);
      if (isBacklog.length > 0) dueAt = now + CLEANUP_INTERVAL_MS.backlog;
      else last = name;
    });
  };
}

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
  // From an index, which is not named: if it is missing, this is slower.
  openRows: database.prepare(`
    SELECT json_group_array(rowid) AS numbers FROM ${table} WHERE namespace = :namespace AND is_open = 1
  `),
  // CROSS JOIN: each page reads its own rows only. SQLite would rather search all open ones for those of a list.
  open: database.prepare(`
    SELECT row.key, version, changed_at, body
    FROM json_each(:numbers) number CROSS JOIN ${table} row ON row.rowid = number.value
    WHERE namespace = :namespace AND is_open = 1
  `),
  // The rows of other namespaces are examined as well.
  all: database.prepare(`
    SELECT rowid, namespace, key, version, changed_at, body, coalesce(namespace = :only, 1) AS is_selected
    FROM ${table} WHERE rowid > :after ORDER BY rowid LIMIT ${EXAMINED_AT_ONCE}
  `),
  // One namespace after the other: to list the distinct ones, SQLite would read all rows.
  nextNamespace: database.prepare(`SELECT min(namespace) AS name FROM ${table} WHERE namespace > :last`),
});

/** Writes a document now; `false` if it has another version. */
type WriteNow = (document: ExpectedWrite) => boolean;

/** Documents in a table of a SQLite file. Each operation is one transaction of the database. */
function createSqliteDocuments(
  { database, assertInPlace }: SqliteFile,
  lock: SqliteLock,
  table: Table,
  ownNamespace: string,
  cleanUpIfDue: () => void,
  writeSecond: WriteNow = () => false,
) {
  const statements = prepareStatements(database, table);

  const read = async (key: string, signal?: AbortSignal) => {
    const row = await lock.read(() => statements.read.get({ namespace: ownNamespace, key }), signal);
    return row && toDocument(row);
  };

  const writeNow: WriteNow = ({ key, expected, write: { version, text, isOpen } }) => {
    // The age of a document begins when it is written.
    const values = { namespace: ownNamespace, key, version, now: Date.now(), isOpen: isOpen ? 1 : 0, text };
    const { changes } =
      expected === undefined ? statements.add.run(values) : statements.replace.run({ ...values, expected });
    return changes === 1;
  };

  const findNamespaces = () =>
    readNamespaces(async (last) => (await lock.read(() => statements.nextNamespace.get({ last })))?.["name"]);

  async function* listOpen(namespace: string) {
    const found = await lock.read(() => statements.openRows.get({ namespace }));
    const open: readonly number[] = JSON.parse(String(found?.["numbers"]));
    for (let start = 0; start < open.length; start += EXAMINED_AT_ONCE) {
      if (start > 0) await yieldToProcess();
      const numbers = JSON.stringify(open.slice(start, start + EXAMINED_AT_ONCE));
      for (const row of await lock.read(() => statements.open.all({ namespace, numbers }))) {
        yield toListed(row, namespace);
      }
    }
  }

  /** @param only - The namespace. Default: all. */
  async function* listAll(only: string | null) {
    let after = Number.MIN_SAFE_INTEGER;
    while (true) {
      const rows = await lock.read(() => statements.all.all({ after, only }));
      for (const row of rows) if (row["is_selected"] === 1) yield toListed(row, String(row["namespace"]));
      if (rows.length < EXAMINED_AT_ONCE) return;
      after = Number(rows.at(-1)?.["rowid"]);
      await yieldToProcess();
    }
  }

  return {
    writeNow,
    async write(first: ExpectedWrite, signal?: AbortSignal, second?: ExpectedWrite): Promise<WriteResult> {
      cleanUpIfDue();
      const written = await lock.write(() => {
        assertInPlace();
        if (second === undefined) return writeNow(first) && "first";
        return inTransaction(database, () => writeNow(first) && (writeSecond(second) ? "both" : "first"));
      }, signal);
      if (written !== false) return written;
      if (first.expected !== undefined) return "kept";
      return (await read(first.key, signal)) ?? "hidden"; // it may have been deleted in between
    },
    read,
    async *list(isOpenOnly: boolean, isEverywhere: boolean) {
      if (!isOpenOnly) return yield* listAll(isEverywhere ? null : ownNamespace);
      const namespaces = isEverywhere ? await findNamespaces() : [ownNamespace];
      for (const namespace of namespaces) yield* listOpen(namespace);
    },
    readNamespaces: findNamespaces,
  };
}

function toListed(row: Readonly<Record<string, unknown>>, namespace: string): FoundDocument {
  return { key: String(row["key"]), namespace, ...toDocument(row) };
}

/** Other work of the process, between two pages of a list. */
const yieldToProcess = () => new Promise((resolve) => setImmediate(resolve));

/** Fails if the store would. Without an index it is slower. */
async function check({ database, assertInPlace }: SqliteFile, lock: SqliteLock): Promise<StoreProblem[]> {
  const slow = await lock.write(() => {
    assertInPlace();
    return TABLES.filter((table) => {
      database.exec(`DELETE FROM ${table} WHERE 0`);
      prepareStatements(database, table);
      return database.prepare("SELECT 1 FROM pragma_index_info(?)").get(`${table}_by_age`) === undefined;
    });
  }, AbortSignal.timeout(MAX_CHECK_MS));
  return slow.map((table) => ({ level: "warning", message: `The index ${table}_by_age is missing.` }));
}

/** Milliseconds that a check waits for a locked file. */
const MAX_CHECK_MS = 1_000;

function toDocument(row: Readonly<Record<string, unknown>>): StoredDocument {
  const ageMs = Date.now() - Number(row["changed_at"]);
  return { text: String(row["body"]), version: String(row["version"]), ageMs };
}

/** Runs writes in one transaction, which the disk confirms once. */
function inTransaction<Result>(database: DatabaseSync, write: () => Result): Result {
  database.exec("BEGIN IMMEDIATE");
  try {
    const result = write();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    try {
      database.exec("ROLLBACK");
    } catch {
      // A full disk has ended the transaction already.
    }
    throw error;
  }
}
