/// <reference lib="esnext.disposable" preserve="true" />
import type { DatabaseSync } from "node:sqlite";
import { MEMORY_WARNING } from "../../contracts/idempotency-store.ts";
import { assertConfig } from "../../errors/check-options.ts";
import { createStore } from "../create-store.ts";
import type { DocumentWrite, ExpectedWrite, FoundDocument, StoredDocument, WriteBoth } from "../documents.ts";
import {
  type PaymentsStore,
  readNamespaces,
  readStoreOptions,
  type StoreOptions,
  type StoreProblem,
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
  const file = openSqliteFile(path, TABLES.map(toSchema).join("") + RETENTION_SCHEMA, ORDERS);
  const lock = new SqliteLock(file.path);
  const cleanUpIfDue = createCleanup(file.database, lock, settings);
  const open = (table: Table) => createSqliteDocuments(file, lock, table, settings.namespace, cleanUpIfDue);
  const [orders, postbacks] = [open(ORDERS), open(POSTBACKS)];
  const close = () => {
    if (file.database.isOpen) file.database.close();
  };
  return {
    ...createStore({
      ...{ orders, postbacks, writeBoth: createWriteBoth(file, lock, postbacks, orders) },
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

const ORDERS = "payments_orders";
const POSTBACKS = "payments_postbacks";

const TABLES = [ORDERS, POSTBACKS] as const;

type Table = (typeof TABLES)[number];

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
  // By the order of an index, which is not named: if it is missing, this is slower.
  open: database.prepare(`
    SELECT rowid, key, version, changed_at, body FROM ${table}
    WHERE namespace = :namespace AND is_open = 1 AND (changed_at, rowid) > (:time, :row)
    ORDER BY changed_at, rowid LIMIT ${EXAMINED_AT_ONCE}
  `),
  newestOpen: database.prepare(`
    SELECT max(changed_at) AS time FROM ${table} WHERE namespace = :namespace AND is_open = 1
  `),
  // The rows of other namespaces are examined as well.
  all: database.prepare(`
    SELECT rowid, namespace, key, version, changed_at, body, coalesce(namespace = :only, 1) AS is_selected
    FROM ${table} WHERE rowid > :after ORDER BY rowid LIMIT ${EXAMINED_AT_ONCE}
  `),
  // One namespace after the other: to list the distinct ones, SQLite would read all rows.
  nextNamespace: database.prepare(`SELECT min(namespace) AS name FROM ${table} WHERE namespace > :last`),
});

/** Documents in a table of a SQLite file. Each operation is one statement, and so one transaction of the database. */
function createSqliteDocuments(
  { database, assertInPlace }: SqliteFile,
  lock: SqliteLock,
  table: Table,
  ownNamespace: string,
  cleanUpIfDue: () => void,
) {
  const statements = prepareStatements(database, table);

  const read = async (key: string, signal?: AbortSignal) => {
    const row = await lock.read(() => statements.read.get({ namespace: ownNamespace, key }), signal);
    return row && toDocument(row);
  };

  /** Writes a document now; `false` if it has another version. */
  function writeNow({ key, expected, write: { version, text, isOpen } }: ExpectedWrite): boolean {
    // The age of a document begins when it is written.
    const values = { namespace: ownNamespace, key, version, now: Date.now(), isOpen: isOpen ? 1 : 0, text };
    const { changes } =
      expected === undefined ? statements.add.run(values) : statements.replace.run({ ...values, expected });
    return changes === 1;
  }

  function write(document: ExpectedWrite, signal: AbortSignal | undefined): Promise<boolean> {
    cleanUpIfDue();
    return lock.write(() => {
      assertInPlace();
      return writeNow(document);
    }, signal);
  }

  const findNamespaces = () =>
    readNamespaces(async (last) => (await lock.read(() => statements.nextNamespace.get({ last })))?.["name"]);

  async function* listOpen(namespace: string) {
    // Not by key: Node 22 reads a text only up to a NUL, so the next page would begin with the same row again.
    let [time, row] = [Number.MIN_SAFE_INTEGER, 0];
    let until: number | undefined;
    while (true) {
      const rows = await lock.read(() => statements.open.all({ namespace, time, row }));
      for (const each of rows) yield toListed(each, namespace);
      const last = rows.at(-1);
      if (last === undefined || rows.length < EXAMINED_AT_ONCE) return;
      // What is written meanwhile moves to the end again and again. If the clock was set back, the end is in the future.
      const newest = until ?? (await lock.read(() => statements.newestOpen.get({ namespace })))?.["time"];
      until = Math.max(until ?? Date.now(), Number(newest ?? 0));
      if (time > until) return;
      [time, row] = [Number(last["changed_at"]), Number(last["rowid"])];
      await yieldToProcess();
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
    cleanUpIfDue,
    writeNow,
    async add(key: string, document: DocumentWrite, signal?: AbortSignal) {
      if (await write({ key, expected: undefined, write: document }, signal)) return undefined;
      return (await read(key, signal)) ?? ("hidden" as const); // it may have been deleted in between
    },
    read,
    replace: (key: string, expected: string, document: DocumentWrite, signal?: AbortSignal) =>
      write({ key, expected, write: document }, signal),
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

/** Each step fails if the store would, except the last one, without which it is slower. */
async function check({ database, assertInPlace }: SqliteFile, lock: SqliteLock): Promise<StoreProblem[]> {
  const messages = new Set<string>();
  const signal = AbortSignal.timeout(MAX_CHECK_MS);
  const steps = TABLES.flatMap((table) => [
    () => database.exec(`DELETE FROM ${table} WHERE 0`),
    () => prepareStatements(database, table),
    () => database.prepare(`SELECT 1 FROM ${table} INDEXED BY ${table}_by_age`),
  ]);
  for (const step of [assertInPlace, ...steps]) {
    try {
      await lock.write(step, signal);
    } catch (error) {
      messages.add(error instanceof Error ? error.message : String(error));
      if (signal.aborted) break;
    }
  }
  return [...messages].map((message) => ({
    level: message.startsWith("no such index") ? "warning" : "error",
    message,
  }));
}

/** Milliseconds that a check waits for a locked file. */
const MAX_CHECK_MS = 1_000;

function toDocument(row: Readonly<Record<string, unknown>>): StoredDocument {
  const ageMs = Date.now() - Number(row["changed_at"]);
  return { text: String(row["body"]), version: String(row["version"]), ageMs };
}

type SqliteDocuments = ReturnType<typeof createSqliteDocuments>;

/** Writes the postbacks and the record of an order in one transaction, which the disk confirms once. */
function createWriteBoth(
  { database, assertInPlace }: SqliteFile,
  lock: SqliteLock,
  postbacks: SqliteDocuments,
  orders: SqliteDocuments,
): WriteBoth {
  return (inbox, order) => {
    postbacks.cleanUpIfDue();
    return lock.write(() => {
      assertInPlace();
      database.exec("BEGIN IMMEDIATE");
      try {
        const written = postbacks.writeNow(inbox) && (orders.writeNow(order) ? "both" : "first");
        database.exec("COMMIT");
        return written || "kept";
      } catch (error) {
        try {
          database.exec("ROLLBACK");
        } catch {
          // A full disk has ended the transaction already.
        }
        throw error;
      }
    });
  };
}
