import { NO_CALL } from "../errors/check-options.ts";
import { ConfigurationError } from "../errors/configuration-error.ts";
import type { Documents, Draft, Found } from "./documents.ts";
import { type Query, sqlStateOf } from "./postgres-client.ts";
import { columnKey } from "./postgres-key.ts";
import { type PostgresStatements, postgresStatements, TRANSACTION_STATUS } from "./postgres-statements.ts";
import type { PostgresTable } from "./postgres-tables.ts";
import { Retries } from "./retries.ts";

/** Of one page of what is open. */
const PAGE = 200;

/** What is too old is deleted after the first change of a document, and then after one in so many. */
const CHANGES_BETWEEN_CLEANUPS = 1_000;

/** Deleted at a time, at most. */
const CLEANUP_ROWS = 1_000;

/** The statement did nothing, because another one was faster: where transactions are serializable, or by a deadlock. */
const LOST_RACES = new Set(["40001", "40P01"]);
const UNDEFINED_TABLE = "42P01";
const UNDEFINED_FUNCTION = "42883";
const READ_ONLY = "25006";
/** PostgreSQL reports it for a transaction that it does not know yet. */
const INVALID_PARAMETER = "22023";

/** Documents in a table of PostgreSQL. Each operation is one statement; a claim has a second one, which checks the first. */
export class PostgresDocuments implements Documents {
  readonly #query: Query;
  readonly #table: PostgresTable;
  readonly #namespace: string;
  readonly #retentionMs: number;
  #sql: PostgresStatements;
  #changes = 0;

  constructor(query: Query, table: PostgresTable, namespace: string, retentionMs: number) {
    this.#query = query;
    this.#table = table;
    this.#sql = postgresStatements(table);
    this.#namespace = namespace;
    this.#retentionMs = retentionMs;
  }

  async add(key: string, draft: Draft, signal?: AbortSignal): Promise<Found | "hidden" | undefined> {
    const { short, full } = await columnKey(key);
    const values = [this.#namespace, short, full, draft.version, String(draft.isOpen), draft.text];
    const [row] = await this.#write("add", values, signal);
    // It was added after the statement had begun, and only the next one sees it; or no statement ever does.
    if (row === undefined) return "hidden";
    if (row[0] !== "true") return foundIn(row.slice(1));
    if (draft.isClaim) await this.#assertCommitted(row[4], signal);
    return undefined;
  }

  async read(key: string, signal?: AbortSignal): Promise<Found | undefined> {
    const { short } = await columnKey(key);
    const [row] = await this.#run(this.#sql.read, [this.#namespace, short], signal);
    return row && foundIn(row);
  }

  async replace(key: string, version: string, draft: Draft, signal?: AbortSignal): Promise<boolean> {
    const { short } = await columnKey(key);
    const values = [this.#namespace, short, version, draft.version, String(draft.isOpen), draft.text];
    const [row] = await this.#write("replace", values, signal);
    if (draft.isClaim && row !== undefined) await this.#assertCommitted(row[1], signal);
    this.#cleanUpNowAndThen();
    return row !== undefined;
  }

  async *open(): AsyncGenerator<Found & { readonly key: string }> {
    let last = "";
    while (true) {
      const rows = await this.#run(this.#sql.open, [this.#namespace, last, String(PAGE)]);
      for (const row of rows) {
        const [short, full] = row;
        last = String(short);
        yield { key: full === null ? last : String(JSON.parse(String(full))), ...foundIn(row.slice(2)) };
      }
      if (rows.length < PAGE) return;
    }
  }

  /** Nobody waits for it, and nobody is told when it fails: the next one deletes what this one did not. */
  #cleanUpNowAndThen(): void {
    const isTime = this.#changes % CHANGES_BETWEEN_CLEANUPS === 0;
    this.#changes += 1;
    if (!isTime) return;
    const values = [this.#namespace, String(this.#retentionMs / 1000), String(CLEANUP_ROWS)];
    void this.#query(this.#sql.forget, values).catch(() => undefined);
  }

  async #write(name: "add" | "replace", values: string[], signal?: AbortSignal) {
    try {
      return await this.#run(this.#sql[name], values, signal);
    } catch (error) {
      if (sqlStateOf(error) !== UNDEFINED_FUNCTION) throw error;
      const sql = postgresStatements(this.#table, false);
      const rows = await this.#run(sql[name], values, signal);
      this.#sql = sql;
      return rows;
    }
  }

  /**
   * A client may be a wrapper that runs the statements of a request in one transaction. If that is rolled back after the
   * payment was sent, the claim is gone.
   */
  async #assertCommitted(transactionId: unknown, signal: AbortSignal | undefined): Promise<void> {
    if (typeof transactionId !== "string") return; // the database has no such ids
    const [row] = await this.#run(TRANSACTION_STATUS, [transactionId], signal).catch((error: unknown) => {
      throw sqlStateOf(error) === INVALID_PARAMETER ? new Error(READ_FROM_REPLICA, { cause: error }) : error;
    });
    if (row?.[0] === "in progress") throw new ConfigurationError(OPEN_TRANSACTION, NO_CALL);
    if (row?.[0] !== "committed") throw new Error(NOT_COMMITTED);
  }

  async #run(sql: string, values: string[], signal?: AbortSignal): Promise<readonly (readonly unknown[])[]> {
    const retries = new Retries(signal);
    while (true) {
      try {
        return await this.#query(sql, values);
      } catch (error) {
        const state = sqlStateOf(error) ?? "";
        if (state === UNDEFINED_TABLE) throw new ConfigurationError(NO_TABLES, NO_CALL);
        if (state === READ_ONLY) throw new Error(READ_ONLY_DATABASE, { cause: error });
        if (!LOST_RACES.has(state)) throw error;
        await retries.afterLosing(error);
      }
    }
  }
}

const NO_TABLES =
  "The tables of the store are not in the search_path of its connection: call migrate(), or mend the search_path.";

const READ_ONLY_DATABASE =
  "The database is read-only. The connection leads to a replica, or default_transaction_read_only is on.";
const READ_FROM_REPLICA =
  "The database does not know the transaction of the claim, so a replica answers the reads of the store. Send all " +
  "statements to the primary.";
const NOT_COMMITTED = "The database did not commit the claim: it rolled the claim back.";
const OPEN_TRANSACTION =
  "The client of the store runs its statements in an open transaction: the claim would be kept only when that is " +
  "committed. Give the store a client of its own, outside of the transaction of a request.";

function foundIn([text, version, ageMs]: readonly unknown[]): Found {
  return { text: String(text), version: String(version), ageMs: Number(ageMs) };
}
