import { hasMethods } from "../../data/own-properties.ts";
import { DAY_IN_MS } from "../../data/time.ts";
import { assertConfig } from "../../errors/check-options.ts";
import { ConfigurationError } from "../../errors/usage-errors.ts";
import { createStore } from "../create-store.ts";
import { toDocument } from "../document-store.ts";
import type { Documents, DocumentWrite } from "../documents.ts";
import {
  type PaymentsStore,
  readNamespaces,
  readStoreOptions,
  type StoreOptions,
  type StoreProblem,
  type StoreSettings,
} from "../store.ts";
import { sanitizeDriverErrors } from "./sanitize-driver-errors.ts";

/** The part of a statement of D1 that a store uses. */
export interface D1Statement {
  /** Binds values to `?1`, `?2` and so on. */
  bind(...values: (string | number | null)[]): D1Statement;
  /** Runs it. */
  all(): Promise<D1Rows>;
}

/** The part of the result of a statement of D1 that a store uses. */
export interface D1Rows {
  /** The rows that it selected. */
  readonly results: readonly Readonly<Record<string, unknown>>[];
  /** `changes`: how many rows it wrote. */
  readonly meta: { readonly changes: number };
}

/** The part of the binding of a D1 database that a store uses. */
export interface D1Client {
  /** Prepares a statement. */
  prepare(sql: string): D1Statement;
  /** Runs statements in one transaction. */
  batch(statements: D1Statement[]): Promise<D1Rows[]>;
  /** Only a session of D1 has it, which can read from replicas. */
  readonly getBookmark?: never;
}

/** A store in a D1 database. */
export interface D1Store extends PaymentsStore {
  /** Creates the table `payments_documents` and its indexes, unless they exist. */
  migrate(): Promise<void>;
}

/**
 * A store in a D1 database of Cloudflare, for Workers. Call `migrate()` before the first use, or run the SQL of
 * docs/workers.md as a migration of wrangler.
 *
 * D1 has no transaction that stays open, so a record is committed when its statement ends. All statements run on the primary
 * database, whose clock the leases use. It can be created at module scope and serve several requests.
 *
 * @param database - The binding, such as `env.DB`.
 * @throws {ConfigurationError} on an invalid option, and if `database` is not a D1 database, or is a session of one.
 */
export function d1Store(database: D1Client, options: StoreOptions = {}): D1Store {
  const settings = readStoreOptions(options);
  assertConfig(hasMethods(database, ["prepare", "batch"]), "database must be a D1 database, such as env.DB.");
  const isSession = hasMethods(database, ["getBookmark"]);
  assertConfig(!isSession, "database must not be a session, which can read from replicas: pass env.DB.");
  const readNext = (last: string) => run(() => database.prepare(NEXT_NAMESPACE).bind(last).all());
  return {
    ...createStore({
      orders: createD1Documents(database, "order", settings),
      postbacks: createD1Documents(database, "postbacks", settings),
      isShared: true,
      check: () => check(database),
      readNamespaces: () => readNamespaces(async (last) => (await readNext(last)).results[0]?.["name"]),
    }),
    async migrate() {
      await run(() => database.batch(D1_SCHEMA.split("\n\n").map((sql) => database.prepare(sql))));
    },
  };
}

const TABLE = "payments_documents";

/** Creates what does not exist; documented for migrations of wrangler. An open document is never deleted, and has no `expires_at`. */
export const D1_SCHEMA = `CREATE TABLE IF NOT EXISTS ${TABLE} (
  kind TEXT NOT NULL,
  namespace TEXT NOT NULL,
  key TEXT NOT NULL,
  version TEXT NOT NULL,
  changed_at INTEGER NOT NULL,
  expires_at INTEGER,
  body TEXT NOT NULL,
  PRIMARY KEY (kind, namespace, key)
) STRICT;

CREATE INDEX IF NOT EXISTS ${TABLE}_open ON ${TABLE} (kind, namespace, key) WHERE expires_at IS NULL;

CREATE INDEX IF NOT EXISTS ${TABLE}_ended ON ${TABLE} (expires_at) WHERE expires_at IS NOT NULL;`;

const NEXT_NAMESPACE = `SELECT min(namespace) AS name FROM ${TABLE} WHERE kind = 'order' AND namespace > ?1`;

const PAGE_SIZE = 500;

/** An addition deletes expired documents with this chance: an isolate can end after a few requests. */
const CLEANUP_CHANCE = 1 / 20;

const CLEANUP_ROWS = 100;

/** Milliseconds since 1970, by the clock of the database. */
const NOW = "CAST(unixepoch('subsec') * 1000 AS INTEGER)";

const SELECT = `SELECT namespace, key, version, body AS text, ${NOW} - changed_at AS "ageMs" FROM ${TABLE}`;
const WHERE_KEY = "WHERE kind = ?1 AND namespace = ?2 AND key = ?3";

const READ = `${SELECT} ${WHERE_KEY}`;
const READ_MANY = `${SELECT} WHERE kind = ?1 AND namespace = ?2 AND key IN (SELECT value FROM json_each(?3))`;
const ADD = `
  INSERT INTO ${TABLE} (kind, namespace, key, version, changed_at, expires_at, body)
  VALUES (?1, ?2, ?3, ?4, ${NOW}, ${NOW} + ?5, ?6) ON CONFLICT DO NOTHING`;
const REPLACE = `
  UPDATE ${TABLE} SET version = ?4, changed_at = ${NOW}, expires_at = ${NOW} + ?5, body = ?6
  ${WHERE_KEY} AND version = ?7 RETURNING version`;
/** Of all namespaces: those that are idle are cleaned up by others. */
const FORGET = `
  DELETE FROM ${TABLE} WHERE rowid IN (
    SELECT rowid FROM ${TABLE} WHERE expires_at < ${NOW} ORDER BY expires_at LIMIT ${CLEANUP_ROWS}
  )`;

/** The documents that follow a key, or begin with it, in one namespace or from it on. */
const toPageSql = (isOpenOnly: boolean, isEverywhere: boolean, operator: string) => `
  ${SELECT} WHERE kind = ?1
    AND ${isEverywhere ? `(namespace, key) ${operator} (?2, ?3)` : `namespace = ?2 AND key ${operator} ?3`}
    ${isOpenOnly ? "AND expires_at IS NULL" : ""}
  ORDER BY namespace, key LIMIT ${PAGE_SIZE}`;

/** Documents of one kind in the table of a D1 database. Each operation is one request to the database. */
function createD1Documents(
  database: D1Client,
  kind: "order" | "postbacks",
  { namespace, retentionMs }: StoreSettings,
): Documents {
  const retention = Math.min(Math.ceil(retentionMs), MAX_RETENTION_MS);

  const toRead = (key: string) => database.prepare(READ).bind(kind, namespace, key);
  const toWrite = (sql: string, key: string, { version, isOpen, text }: DocumentWrite, ...rest: string[]) =>
    database.prepare(sql).bind(kind, namespace, key, version, isOpen ? null : retention, text, ...rest);

  async function* list(isOpenOnly: boolean, isEverywhere: boolean) {
    let last = { namespace: isEverywhere ? "" : namespace, key: "" };
    for (let operator = ">="; ; operator = ">") {
      const page = database.prepare(toPageSql(isOpenOnly, isEverywhere, operator));
      const { results } = await run(() => page.bind(kind, last.namespace, last.key).all());
      for (const row of results) {
        last = { namespace: String(row["namespace"]), key: String(row["key"]) };
        yield { ...last, ...toDocument("list", row) };
      }
      if (results.length < PAGE_SIZE) return;
    }
  }

  return {
    async write({ key, expected, write: document }) {
      if (expected !== undefined) {
        const replaced = await run(() => toWrite(REPLACE, key, document, expected).all(), document);
        return isWritten(document, replaced, replaced) ? "first" : "kept";
      }
      const statements = [toWrite(ADD, key, document), toRead(key)]; // one transaction
      const [added, found] = await run(() => database.batch(statements), document);
      // In the background: what a failed cleanup leaves, the next one deletes.
      if (Math.random() < CLEANUP_CHANCE)
        void run(() => database.prepare(FORGET).all()).catch(() => undefined);
      return isWritten(document, found, added) ? "first" : (toFound(found) ?? "hidden");
    },
    read: async (key) => toFound(await run(() => toRead(key).all())),
    list,
    async readMany(keys) {
      const statement = database.prepare(READ_MANY).bind(kind, namespace, JSON.stringify(keys));
      const { results } = await run(() => statement.all());
      const found = new Map(results.map((row) => [row["key"], toDocument("read", row)]));
      return keys.map((key) => found.get(key));
    },
  };
}

/** Milliseconds; 1,000 years. With it, a time is still an integer of JavaScript. */
const MAX_RETENTION_MS = 1_000 * 366 * DAY_IN_MS;

/** Whether a statement wrote the document: a row changed, and one with the new version is selected, which only success can do. */
function isWritten({ version }: DocumentWrite, selected: D1Rows | undefined, changed: D1Rows | undefined) {
  return changed !== undefined && changed.meta.changes > 0 && selected?.results[0]?.["version"] === version;
}

const toFound = (rows: D1Rows | undefined) => rows?.results.map((row) => toDocument("read", row))[0];

/** @throws a copy of the error of D1 that is safe to show, and does not repeat what was written. */
function run<Result>(statement: () => Promise<Result>, write?: DocumentWrite): Promise<Result> {
  return sanitizeDriverErrors(statement, write && [write.text]).catch((error: Error) => {
    throw error.message.includes(`no such table: ${TABLE}`) ? new ConfigurationError(NO_TABLE) : error;
  });
}

const NO_TABLE = `The D1 database has no table ${TABLE}: call migrate(), or run the migration of docs/workers.md.`;

/** The primary key is an index. */
const NEEDED = `kind namespace key version changed_at expires_at body sqlite_autoindex_${TABLE}_1`.split(" ");
const INDEXES = [`${TABLE}_open`, `${TABLE}_ended`];

/** The names of its columns and its indexes. */
const PARTS = `SELECT name FROM pragma_table_info('${TABLE}') UNION ALL SELECT name FROM pragma_index_list('${TABLE}')`;

async function check(database: D1Client): Promise<readonly StoreProblem[]> {
  const { results } = await run(() => database.prepare(PARTS).all());
  if (results.length === 0) return [{ level: "error", message: NO_TABLE }];
  const names = new Set(results.map(({ name }) => name));
  const toProblem = (level: StoreProblem["level"]) => (name: string) =>
    names.has(name) ? [] : [{ level, message: `${TABLE} has no ${name}: see docs/workers.md.` }];
  return [...NEEDED.flatMap(toProblem("error")), ...INDEXES.flatMap(toProblem("warning"))];
}
