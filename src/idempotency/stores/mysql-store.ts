import { NO_CALL } from "../../errors/check-options.ts";
import { ConfigurationError } from "../../errors/usage-errors.ts";
import { createStore } from "../create-store.ts";
import type { Documents, DocumentWrite, ListedDocument, StoredDocument } from "../documents.ts";
import {
  type PaymentsStore,
  readNamespaces,
  readStoreOptions,
  type StoreOptions,
  type StoreProblem,
  type StoreSettings,
} from "../store.ts";
import {
  type MysqlClient,
  type MysqlQueries,
  OPEN_TRANSACTION,
  readMysqlCode,
  toQueries,
  type WriteResponse,
} from "./mysql-client.ts";
import {
  CLEANUP_ROWS,
  FIND_INDEX,
  FIND_TABLE,
  type MysqlTable,
  NEXT_NAMESPACE,
  PAGE_SIZE,
  toMysqlStatements,
  toTableSql,
} from "./mysql-sql.ts";

/** A store in a MySQL or MariaDB database. */
export interface MysqlStore extends PaymentsStore {
  /**
   * Creates the tables `payments_orders` and `payments_postbacks` in the database of the connection, unless it has them. Any
   * number of processes may call it, any number of times. A user without permission to create tables can call it if both exist.
   */
  migrate(): Promise<void>;
}

/**
 * A store in MySQL 8 or MariaDB 10.6, or newer, for many processes and machines. Call `migrate()` before the first use, or create
 * the tables with another tool.
 *
 * Every statement is its own transaction and changes no state of its connection.
 *
 * The first create call emits a `warning` event if a setting of the server lets a power failure lose confirmed writes.
 *
 * @param client - Your own pool of `mysql2/promise`, or `pool.promise()` of one with callbacks. The first statements of a store
 * write nothing: they check that the client binds values, and returns what the server says. A record inside an open
 * transaction is refused: it would be lost if the transaction is rolled back.
 * @throws {ConfigurationError} on an invalid option, and if `client` is not a client with promises. Every operation throws it
 * if the client returns something else than the response of the server.
 */
export function mysqlStore(client: MysqlClient, options: StoreOptions = {}): MysqlStore {
  const settings = readStoreOptions(options);
  const queries = toQueries(client);
  const store = createStore({
    orders: createMysqlDocuments(queries, "payments_orders", settings),
    postbacks: createMysqlDocuments(queries, "payments_postbacks", settings),
    isShared: true,
    readNamespaces: () =>
      readNamespaces(async (last) => (await queries.select(NEXT_NAMESPACE, [last]))[0]?.[0]),
    check: async () => (await Promise.all(TABLES.map((table) => checkTable(queries, table)))).flat(),
  });
  return {
    ...store,
    get warning() {
      return queries.warning;
    },
    async migrate() {
      for (const table of TABLES) {
        const [found] = await queries.select(FIND_TABLE, [table]);
        if (found === undefined) await queries.execute(toTableSql(table), []);
      }
    },
  };
}

const TABLES: readonly MysqlTable[] = ["payments_orders", "payments_postbacks"];

/** Milliseconds between two cleanups of a store. The first one comes earlier, at a random time. */
const CLEANUP_INTERVAL_MS = 10 * 60_000;

/** The same if more rows may be left. */
const BACKLOG_INTERVAL_MS = 1_000;

/** A thousand years, in seconds: servers know no earlier times. */
const MAX_RETENTION = 1_000 * 365 * 24 * 60 * 60;

/** Documents in a table of MySQL. Each operation is one statement; adding a document that exists takes two. */
function createMysqlDocuments(
  queries: MysqlQueries,
  table: MysqlTable,
  { namespace, retentionMs }: StoreSettings,
): Documents {
  const sql = toMysqlStatements(table);
  const retention = String(Math.min(Math.ceil(retentionMs / 1_000), MAX_RETENTION));
  let nextCleanup = performance.now() + Math.random() * CLEANUP_INTERVAL_MS;

  /** Runs in the background. A failure is not reported: the next cleanup deletes the same documents. */
  function cleanUpIfDue(): void {
    if (performance.now() < nextCleanup) return;
    nextCleanup = performance.now() + CLEANUP_INTERVAL_MS;
    void queries.execute(sql.forget, [retention, retention, retention]).then(
      (deleted) => {
        if (deleted === CLEANUP_ROWS) nextCleanup = performance.now() + BACKLOG_INTERVAL_MS;
      },
      () => undefined,
    );
  }

  const toValues = ({ isOpen, text }: DocumentWrite) => [retention, isOpen ? "1" : "0", text];

  const read: Documents["read"] = async (key, signal) => {
    const { short } = await toColumnKey(key);
    const [found] = await queries.select(sql.read, [namespace, short], signal);
    return found && toDocument(found);
  };

  async function* readPages(text: string, first: readonly string[]) {
    let last = first;
    while (true) {
      const page = await queries.select(text, last);
      for (const row of page) yield toListed(row);
      const [short, , space] = (page.at(-1) ?? []).slice(3).map(String);
      if (page.length < PAGE_SIZE || short === undefined || space === undefined) return;
      last = [...first.slice(0, -2).map(() => space), space, short];
    }
  }

  return {
    async add(key, document, signal) {
      const { short, full } = await toColumnKey(key);
      const values = [document.version, namespace, short, full, ...toValues(document)];
      try {
        // A row that is not written without an error was dropped by a trigger.
        const response = await queries.write(sql.add, values, signal);
        if (!response.isWritten) return "hidden";
        assertCommitted(document, response);
        cleanUpIfDue();
        return undefined;
      } catch (error) {
        if (readMysqlCode(error) !== "ER_DUP_ENTRY") throw error;
        return (await read(key, signal)) ?? "hidden";
      }
    },
    read,
    async replace(key, version, document, signal) {
      const { short } = await toColumnKey(key);
      const values = [document.version, ...toValues(document), namespace, short, version];
      const response = await queries.write(sql.replace, values, signal);
      if (response.isWritten) assertCommitted(document, response);
      cleanUpIfDue();
      return response.isWritten;
    },
    async *list(isOpenOnly) {
      for await (const { namespace: _, ...document } of readPages(isOpenOnly ? sql.open : sql.all, [
        namespace,
        "",
      ]))
        yield document;
    },
    async readMany(keys) {
      const found = new Map<string, StoredDocument>();
      for (let start = 0; start < keys.length; start += PAGE_SIZE) {
        const shorts = await Promise.all(keys.slice(start, start + PAGE_SIZE).map(toColumnKey));
        const padded = Array.from(
          { length: PAGE_SIZE },
          (_, index) => (shorts[index] ?? shorts[0])?.short ?? "",
        );
        const rows = await queries.select(sql.readMany, [namespace, ...padded]);
        for (const row of rows) found.set(toListed(row).key, toDocument(row));
      }
      return keys.map((key) => found.get(key));
    },
    listEverywhere: (isOpenOnly) =>
      readPages(isOpenOnly ? sql.openEverywhere : sql.allEverywhere, ["", "", ""]),
  };
}

/**
 * A client may be a wrapper that runs the statements of a request in one transaction, or turn autocommit off. If the
 * transaction is rolled back after the payment was sent, the record is lost.
 */
function assertCommitted({ mustBeCommitted }: DocumentWrite, { isCommitted }: WriteResponse): void {
  if (mustBeCommitted && !isCommitted) throw new ConfigurationError(OPEN_TRANSACTION, NO_CALL);
}

/** @param row - The columns that a statement selected. */
function toDocument([text, version, ageMs]: readonly unknown[]): StoredDocument {
  return { text: String(text), version: String(version), ageMs: Number(ageMs) };
}

function toListed(row: readonly unknown[]): ListedDocument & { readonly namespace: string } {
  const [short, full, namespace] = row.slice(3);
  const key = full === "" ? String(short) : String(JSON.parse(String(full)));
  return { ...toDocument(row), key, namespace: String(namespace) };
}

/** Bytes of `record_key`. */
const SHORT_KEY_MAX = 1_000;

const DIGEST = "sha256:";

/**
 * @returns `short`: the key, or its digest if the key is too long for an index or has no bytes in UTF-8. `full`: JSON of a key
 * that is stored as a digest; otherwise empty.
 */
async function toColumnKey(key: string): Promise<{ readonly short: string; readonly full: string }> {
  const isShort = key.isWellFormed() && new TextEncoder().encode(key).length <= SHORT_KEY_MAX;
  if (isShort && !key.startsWith(DIGEST)) return { short: key, full: "" };
  const full = JSON.stringify(key);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(full));
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
  return { short: `${DIGEST}${hex}`, full };
}

/** Runs the statements of a table so that they change nothing: they need its columns and permissions. */
async function checkTable(queries: MysqlQueries, table: MysqlTable): Promise<readonly StoreProblem[]> {
  const [found] = await queries.select(FIND_TABLE, [table]);
  if (found === undefined) return [{ level: "error", message: `${table} does not exist: call migrate().` }];
  const sql = toMysqlStatements(table);
  const problems: StoreProblem[] = [];
  const add = (level: StoreProblem["level"], message: string) => void problems.push({ level, message });
  if (found[0] !== "InnoDB") add("error", `${table} must be a table of InnoDB, not of ${found[0]}.`);
  const none = { version: "", text: "", isOpen: "0" };
  const checks: readonly (readonly [name: string, run: () => Promise<unknown>])[] = [
    ["SELECT", () => queries.select(sql.read, ["", ""])],
    ["INSERT", () => queries.write(sql.check, [])],
    ["UPDATE", () => queries.write(sql.replace, [none.version, "0", none.isOpen, none.text, "", "", ""])],
    ["DELETE", () => queries.execute(sql.forget, ["-1", "0", "0"])],
  ];
  for (const [name, run] of checks) {
    await run().catch((error: Error) => add("error", `${name} on ${table}: ${error.message}`));
  }
  for (const [index, level] of [
    [`${table}_open`, "error"],
    [`${table}_created`, "warning"],
  ] as const) {
    const [exists] = await queries.select(FIND_INDEX, [index]);
    if (exists === undefined) add(level, `${table} lacks the index ${index}.`);
  }
  if (queries.warning !== undefined && table === TABLES[0]) add("warning", `The server ${queries.warning}.`);
  return problems;
}
