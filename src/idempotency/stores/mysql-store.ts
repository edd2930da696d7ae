import { ConfigurationError } from "../../errors/usage-errors.ts";
import { createStore } from "../create-store.ts";
import { type Documents, type DocumentWrite, type FoundDocument, READ_AT_ONCE } from "../documents.ts";
import { recordRetention } from "../retention.ts";
import {
  type PaymentsStore,
  readNamespaces,
  readStoreOptions,
  type StoreOptions,
  type StoreSettings,
  TABLES,
  type Table,
} from "../store.ts";
import { toColumnKey } from "./column-key.ts";
import { SCHEMA, toProblems } from "./mysql-check.ts";
import {
  type MysqlClient,
  type MysqlQueries,
  OPEN_TRANSACTION,
  toQueries,
  type WriteResponse,
} from "./mysql-client.ts";
import {
  CLEANUP_ROWS,
  NEXT_NAMESPACE,
  NEXT_RETENTION,
  PAGE_SIZE,
  toMysqlStatements,
  toTableSql,
} from "./mysql-sql.ts";
import { readCode } from "./statements.ts";

/** A store in a MySQL or MariaDB database. */
export interface MysqlStore extends PaymentsStore {
  /**
   * Creates the tables `payments_orders` and `payments_postbacks` in the database of the connection, unless it has them. Any
   * number of processes may call it, any number of times. A user without permission to create tables can call it if both exist.
   */
  migrate(): Promise<void>;
}

/**
 * A store in MariaDB 10.6 or MySQL 8 (untested), or newer, for many processes and machines. Call `migrate()` before the first use, or create
 * the tables with another tool.
 *
 * Every statement is its own transaction and changes no state of its connection. It waits three seconds for locks, and five for
 * a connection of a pool.
 *
 * The first create call emits a `warning` event if a setting of the server lets a power failure lose confirmed writes.
 *
 * @param client - Your own pool of `mysql2/promise`, or `pool.promise()` of one with callbacks. The first statements of a store
 * write nothing: they check that the client binds values, and returns what the server says. A record inside an open
 * transaction is refused: it would be lost if the transaction is rolled back. So is a read, which would be old, and the first
 * claim if the tables lack a column or their primary key, or have triggers.
 * @throws {ConfigurationError} on an invalid option, and if `client` is not a client with promises. Every operation throws it
 * if the client returns something else than the response of the server.
 */
export function mysqlStore(client: MysqlClient, options: StoreOptions = {}): MysqlStore {
  const settings = readStoreOptions(options);
  const queries = toQueries(client);
  const open = (table: Table): Documents =>
    createMysqlDocuments(queries, table, settings, () => recordRetention(postbacks, settings.retentionMs));
  const [orders, postbacks] = [open("payments_orders"), open("payments_postbacks")];
  const store = createStore({
    orders,
    postbacks,
    isShared: true,
    readNamespaces: () =>
      readNamespaces(async (last) => (await queries.select(NEXT_NAMESPACE, [last]))[0]?.[0]),
    async check() {
      const schema = await queries.select(SCHEMA, []);
      const problems = TABLES.flatMap((table) => toProblems(schema, table));
      const { warning } = queries;
      if (warning !== undefined) problems.push({ level: "warning", message: `The server ${warning}.` });
      if (problems.some(({ level }) => level === "error")) return problems;
      for (const table of TABLES) await tryChanges(queries, table);
      return problems;
    },
  });
  return {
    ...store,
    get warning() {
      return queries.warning;
    },
    async migrate() {
      const schema = await queries.select(SCHEMA, []);
      for (const table of TABLES) {
        if (schema.every(([name]) => name !== table)) await queries.execute(toTableSql(table), []);
      }
    },
  };
}

/** Milliseconds between two cleanups of a store. The first one comes earlier, at a random time. */
const CLEANUP_INTERVAL_MS = 10 * 60_000;

/** The same if more rows may be left. */
const BACKLOG_INTERVAL_MS = 1_000;

/** A thousand years, in seconds: servers know no earlier times. */
const MAX_RETENTION = 1_000 * 365 * 24 * 60 * 60;

const toSeconds = (ms: number) => String(Math.min(Math.ceil(ms / 1_000), MAX_RETENTION));

/** Documents in a table of MySQL. Each operation is one statement; adding a document that exists takes two. */
function createMysqlDocuments(
  queries: MysqlQueries,
  table: Table,
  { namespace, retentionMs }: StoreSettings,
  beforeFirstCleanup: () => Promise<void>,
): Documents {
  const sql = toMysqlStatements(table);
  let nextCleanup = performance.now() + Math.random() * CLEANUP_INTERVAL_MS;
  let isFirstCleanup = true;
  let last = "";

  /** @returns whether more rows may be left. */
  async function forget(from: string, ms: number): Promise<boolean> {
    const seconds = toSeconds(ms);
    return (await queries.execute(sql.forget, [from, seconds, seconds])) === CLEANUP_ROWS;
  }

  /** Deletes old documents of its own namespace, and each time of another one, in which perhaps no one writes any more. */
  async function cleanUp(): Promise<boolean> {
    if (isFirstCleanup) await beforeFirstCleanup();
    isFirstCleanup = false;
    const isBacklog = await forget(namespace, retentionMs);
    const [[other = "", recorded] = []] = await queries.select(NEXT_RETENTION, [last, namespace]);
    const { ms } = (recorded === undefined ? {} : JSON.parse(String(recorded))) as { readonly ms?: unknown };
    const isOtherBacklog = typeof ms === "number" && (await forget(String(other), ms));
    if (!isOtherBacklog) last = String(other); // empty after the last one
    return isBacklog || isOtherBacklog;
  }

  /** Runs in the background. A failure is not reported: the next cleanup deletes the same documents. */
  function cleanUpIfDue(): void {
    if (performance.now() < nextCleanup) return;
    nextCleanup = performance.now() + CLEANUP_INTERVAL_MS;
    void cleanUp().then(
      (isBacklog) => {
        if (isBacklog) nextCleanup = performance.now() + BACKLOG_INTERVAL_MS;
      },
      () => undefined,
    );
  }

  const read: Documents["read"] = async (key, signal) => {
    const { short } = await toColumnKey(key);
    const [found] = await queries.select(sql.read, [namespace, short], signal);
    return found && toDocument(found);
  };

  async function* readPages(text: string, first: readonly string[]) {
    let last = first;
    while (true) {
      const page = await queries.select(text, last);
      for (const row of page) yield toDocument(row);
      const [short, , space] = (page.at(-1) ?? []).slice(3).map(String);
      if (page.length < PAGE_SIZE || short === undefined || space === undefined) return;
      last = [...first.slice(0, -2).map(() => space), space, short];
    }
  }

  return {
    async write({ key, expected, write: document }, signal) {
      const { short, full } = await toColumnKey(key);
      const { version, isOpen, text } = document;
      const written = [isOpen ? "1" : "0", text];
      try {
        const response = await (expected === undefined
          ? queries.write(sql.add, [version, namespace, short, full, ...written], signal)
          : queries.write(sql.replace, [version, ...written, namespace, short, expected], signal));
        assertCommitted(document, response);
        cleanUpIfDue();
        if (response.isWritten) return "first";
        return expected === undefined ? "hidden" : "kept"; // a trigger drops a row without an error
      } catch (error) {
        if (readCode(error) !== "ER_DUP_ENTRY") throw error;
        return (await read(key, signal)) ?? "hidden";
      }
    },
    read,
    list: (isOpenOnly, isEverywhere) =>
      isEverywhere
        ? readPages(isOpenOnly ? sql.openEverywhere : sql.allEverywhere, ["", "", ""])
        : readPages(isOpenOnly ? sql.open : sql.all, [namespace, ""]),
    async readMany(keys) {
      const shorts = await Promise.all(keys.map(async (key) => (await toColumnKey(key)).short));
      const padding = Array(READ_AT_ONCE - keys.length).fill("");
      const rows = (await queries.select(sql.readMany, [namespace, ...shorts, ...padding])).map(toDocument);
      const found = new Map(rows.map((document) => [document.key, document]));
      return keys.map((key) => found.get(key));
    },
  };
}

/**
 * A client may be a wrapper that runs the statements of a request in one transaction, or turn autocommit off. If the
 * transaction is rolled back after the payment was sent, the record is lost.
 */
function assertCommitted(
  { mustBeCommitted }: DocumentWrite,
  { isWritten, isCommitted }: WriteResponse,
): void {
  if (mustBeCommitted && isWritten && !isCommitted) throw new ConfigurationError(OPEN_TRANSACTION);
}

/**
 * Runs statements that change nothing, and fail without a permission: only a payment that was sent needs UPDATE, and what
 * needs DELETE does not report that it failed.
 */
async function tryChanges(queries: MysqlQueries, table: Table): Promise<void> {
  const sql = toMysqlStatements(table);
  await queries.write(sql.check, []);
  await queries.write(sql.replace, ["", "0", "0", "", "", ""]);
  await queries.execute(sql.forget, ["", "0", "0"]);
}

/** @param row - The columns that a statement selected. */
function toDocument(row: readonly unknown[]): FoundDocument {
  const [text, version, ageMs, short, full, namespace] = row;
  if (typeof ageMs !== "number") throw new Error("A row of the store has no age.");
  const key = full === "" ? String(short) : String(JSON.parse(String(full)));
  return { text: String(text), version: String(version), ageMs, key, namespace: String(namespace) };
}
