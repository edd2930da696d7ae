import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Documents, Draft, Found } from "./documents.ts";

/** What is too old is deleted with the first addition, and then once in so many. */
const ADDITIONS_BETWEEN_CLEANUPS = 1_000;

const OPEN_AT_ONCE = 500;

export type SqliteTable = "payments_orders" | "payments_postbacks";

const tableOf = (table: SqliteTable) => `
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
  forget: `DELETE FROM ${table} WHERE namespace = :namespace AND is_open = 0 AND changed_at < :before`,
});

type Statements = Readonly<Record<keyof ReturnType<typeof statementsFor>, StatementSync>>;
type Row = Readonly<Record<string, unknown>>;

/** Documents in a table of a SQLite file. Each operation is one statement, and so one transaction of the database. */
export class SqliteDocuments implements Documents {
  readonly #namespace: string;
  readonly #retentionMs: number;
  readonly #statements: Statements;
  #additions = 0;

  constructor(database: DatabaseSync, table: SqliteTable, namespace: string, retentionMs: number) {
    this.#namespace = namespace;
    this.#retentionMs = retentionMs;
    database.exec(tableOf(table));
    const entries = Object.entries(statementsFor(table)).map(([name, sql]) => [name, database.prepare(sql)]);
    this.#statements = Object.fromEntries(entries) as Statements;
  }

  async add(key: string, draft: Draft): Promise<Found | "hidden" | undefined> {
    this.#forget();
    if (this.#statements.add.run(this.#named(key, draft)).changes === 1) return undefined;
    return (await this.read(key)) ?? "hidden"; // it may have been deleted in between
  }

  async read(key: string): Promise<Found | undefined> {
    const row = this.#statements.read.get({ namespace: this.#namespace, key });
    return row && foundOf(row);
  }

  async replace(key: string, version: string, draft: Draft): Promise<boolean> {
    return this.#statements.replace.run({ ...this.#named(key, draft), expected: version }).changes === 1;
  }

  async *open(): AsyncIterable<Found & { readonly key: string }> {
    // Not by key: Node 22 reads a text only up to a NUL, and the next page would begin with the same row again.
    let after = 0;
    while (true) {
      const rows = this.#statements.open.all({ namespace: this.#namespace, after });
      for (const row of rows) yield { key: String(row["key"]), ...foundOf(row) };
      const last = rows.at(-1);
      if (last === undefined) return;
      after = Number(last["rowid"]);
    }
  }

  #forget(): void {
    if (this.#additions % ADDITIONS_BETWEEN_CLEANUPS === 0) {
      this.#statements.forget.run({ namespace: this.#namespace, before: Date.now() - this.#retentionMs });
    }
    this.#additions += 1;
  }

  #named(key: string, { version, text, isOpen }: Draft) {
    return { namespace: this.#namespace, key, version, now: Date.now(), isOpen: isOpen ? 1 : 0, text };
  }
}

function foundOf(row: Row): Found {
  const ageMs = Date.now() - Number(row["changed_at"]);
  return { text: String(row["body"]), version: String(row["version"]), ageMs };
}
