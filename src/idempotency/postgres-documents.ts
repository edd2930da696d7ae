import { ConfigurationError } from "../core/errors/configuration-error.ts";
import { NO_CALL } from "../core/must-be.ts";
import type { Documents, Draft, Found } from "./documents.ts";
import { type Query, sqlStateOf } from "./postgres-client.ts";
import { columnKey } from "./postgres-key.ts";
import { type PostgresStatements, postgresStatements } from "./postgres-statements.ts";
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

/** Documents in a table of PostgreSQL. Each operation is one statement. */
export class PostgresDocuments implements Documents {
  readonly #query: Query;
  readonly #sql: PostgresStatements;
  readonly #namespace: string;
  readonly #retentionMs: number;
  #changes = 0;

  constructor(query: Query, table: PostgresTable, namespace: string, retentionMs: number) {
    this.#query = query;
    this.#sql = postgresStatements(table);
    this.#namespace = namespace;
    this.#retentionMs = retentionMs;
  }

  async add(key: string, draft: Draft, signal?: AbortSignal): Promise<Found | "hidden" | undefined> {
    const { short, full } = await columnKey(key);
    const values = [this.#namespace, short, full, draft.version, String(draft.isOpen), draft.text];
    const [row] = await this.#run(this.#sql.add, values, signal);
    // It was added after the statement had begun, and only the next one sees it; or no statement ever does.
    if (row === undefined) return "hidden";
    const [wasAdded] = row;
    return wasAdded === "true" ? undefined : foundIn(row.slice(1));
  }

  async read(key: string, signal?: AbortSignal): Promise<Found | undefined> {
    const { short } = await columnKey(key);
    const [row] = await this.#run(this.#sql.read, [this.#namespace, short], signal);
    return row && foundIn(row);
  }

  async replace(key: string, version: string, draft: Draft, signal?: AbortSignal): Promise<boolean> {
    const { short } = await columnKey(key);
    const values = [this.#namespace, short, version, draft.version, String(draft.isOpen), draft.text];
    const rows = await this.#run(this.#sql.replace, values, signal);
    this.#cleanUpNowAndThen();
    return rows.length === 1;
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

  async #run(sql: string, values: string[], signal?: AbortSignal): Promise<readonly (readonly unknown[])[]> {
    const retries = new Retries(signal);
    while (true) {
      try {
        return await this.#query(sql, values);
      } catch (error) {
        const state = sqlStateOf(error) ?? "";
        if (state === UNDEFINED_TABLE) throw new ConfigurationError(NO_TABLES, NO_CALL);
        if (!LOST_RACES.has(state)) throw error;
        await retries.afterLosing(error);
      }
    }
  }
}

const NO_TABLES =
  "The tables of the store are not in the search_path of its connection: call migrate(), or mend the search_path.";

function foundIn([text, version, ageMs]: readonly unknown[]): Found {
  return { text: String(text), version: String(version), ageMs: Number(ageMs) };
}
