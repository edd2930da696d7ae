import type { StatementSync } from "node:sqlite";
import type { Documents, Draft, Found } from "./documents.ts";
import type { SqliteFile } from "./sqlite-file.ts";
import type { SqliteLock } from "./sqlite-lock.ts";

/** What is too old is deleted before the first addition, and then once in so many. */
const ADDITIONS_BETWEEN_CLEANUPS = 1_000;

/** Documents that one cleanup deletes: it blocks the process, and all others that write. */
const DELETED_AT_ONCE = 500;

const OPEN_AT_ONCE = 500;

export type SqliteTable = "payments_orders" | "payments_postbacks";

/** Creates what does not exist. */
export const schemaOf = (table: SqliteTable) => `
  CREATE TABLE IF NOT EXISTS ${table} (
    namespace TEXT NOT NULL,
    key TEXT NOT NULL,
    version TEXT NOT NULL,
    changed_at INTEGER NOT NULL, -- milliseconds since 1970
    is_open INTEGER NOT NULL,    -- 1: never forgotten
    body TEXT NOT NULL,          -- JSON
    PRIMARY KEY (namespace, key)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS ${table}_by_age ON ${table} (namespace, is_open, changed_at);
`;

const statementsFor = (table: SqliteTable) => ({
  add: `
    INSERT INTO ${table} (namespace, key, version, changed_at, is_open, body)
    VALUES (:namespace, :key, :version, :now, :isOpen, :text) ON CONFLICT DO NOTHING
  `,
  read: `SELECT version, changed_at, body FROM ${table} WHERE namespace = :namespace AND key = :key`,
  replace: `
    UPDATE ${table} SET version = :version, changed_at = :now, is_open = :isOpen, body = :text
    WHERE namespace = :namespace AND key = :key AND version = :expected
  `,
  open: `
    SELECT rowid, key, version, changed_at, body FROM ${table}
    WHERE namespace = :namespace AND is_open = 1 AND rowid > :after ORDER BY rowid LIMIT ${OPEN_AT_ONCE}
  `,
  forget: `
    DELETE FROM ${table} WHERE rowid IN (
      SELECT rowid FROM ${table} WHERE namespace = :namespace AND is_open = 0 AND changed_at < :before
      LIMIT ${DELETED_AT_ONCE}
    )
  `,
});

type Statements = Readonly<Record<keyof ReturnType<typeof statementsFor>, StatementSync>>;
type Row = Readonly<Record<string, unknown>>;

/** Documents in a table of a SQLite file. Each operation is one statement, and so one transaction of the database. */
export class SqliteDocuments implements Documents {
  readonly #file: SqliteFile;
  readonly #lock: SqliteLock;
  readonly #namespace: string;
  readonly #retentionMs: number;
  readonly #statements: Statements;
  #additionsUntilCleanup = 0;

  /** @param lock - Of the file: all that use the same connection wait in the same queue. */
  constructor(
    file: SqliteFile,
    lock: SqliteLock,
    table: SqliteTable,
    namespace: string,
    retentionMs: number,
  ) {
    this.#file = file;
    this.#lock = lock;
    this.#namespace = namespace;
    this.#retentionMs = retentionMs;
    const entries = Object.entries(statementsFor(table)).map(([name, sql]) => [
      name,
      file.database.prepare(sql),
    ]);
    this.#statements = Object.fromEntries(entries) as Statements;
  }

  async add(key: string, draft: Draft, signal?: AbortSignal): Promise<Found | "hidden" | undefined> {
    this.#forget();
    if (await this.#write(() => this.#statements.add.run(this.#named(key, draft)), signal)) return undefined;
    return (await this.read(key, signal)) ?? "hidden"; // it may have been deleted in between
  }

  async read(key: string, signal?: AbortSignal): Promise<Found | undefined> {
    const row = await this.#lock.read(
      () => this.#statements.read.get({ namespace: this.#namespace, key }),
      signal,
    );
    return row && foundOf(row);
  }

  async replace(key: string, version: string, draft: Draft, signal?: AbortSignal): Promise<boolean> {
    const values = () => ({ ...this.#named(key, draft), expected: version });
    return this.#write(() => this.#statements.replace.run(values()), signal);
  }

  async *open(): AsyncIterable<Found & { readonly key: string }> {
    // Not by key: Node 22 reads a text only up to a NUL, and the next page would begin with the same row again.
    let after = 0;
    while (true) {
      const rows = await this.#lock.read(() =>
        this.#statements.open.all({ namespace: this.#namespace, after }),
      );
      for (const row of rows) yield { key: String(row["key"]), ...foundOf(row) };
      const last = rows.at(-1);
      if (last === undefined) return;
      after = Number(last["rowid"]);
    }
  }

  /** Whether the statement changed a document. */
  #write(
    run: () => { readonly changes: number | bigint },
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    return this.#lock.write(() => {
      this.#file.assertInPlace();
      return run().changes === 1;
    }, signal);
  }

  #forget(): void {
    if (this.#additionsUntilCleanup > 0) {
      this.#additionsUntilCleanup -= 1;
      return;
    }
    this.#lock.tryNow(() => {
      const before = Date.now() - this.#retentionMs;
      const { changes } = this.#statements.forget.run({ namespace: this.#namespace, before });
      if (changes < DELETED_AT_ONCE) this.#additionsUntilCleanup = ADDITIONS_BETWEEN_CLEANUPS - 1;
    });
  }

  /** For a statement that runs now: the age of a document begins when it is written. */
  #named(key: string, { version, text, isOpen }: Draft) {
    return { namespace: this.#namespace, key, version, now: Date.now(), isOpen: isOpen ? 1 : 0, text };
  }
}

function foundOf(row: Row): Found {
  const ageMs = Date.now() - Number(row["changed_at"]);
  return { text: String(row["body"]), version: String(row["version"]), ageMs };
}
