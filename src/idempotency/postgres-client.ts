import { isRecord } from "../data/own.ts";
import { assertConfig, NO_CALL } from "../errors/check-options.ts";
import { ConfigurationError } from "../errors/configuration-error.ts";
import { scrubbing } from "./scrubbing.ts";

/** A `Pool` or `Client` of pg or `@neondatabase/serverless`, a `PGlite`: what has `query(text, values)`. */
export interface QueryingPostgresClient {
  /** Runs one statement. */
  query(
    text: string,
    values: string[],
  ): Promise<
    | {
        /** One object a row, with its columns in order. */
        readonly rows: readonly object[];
      }
    | readonly object[]
  >;
  /** Of pg's `Client`. */
  getTransactionStatus?(): unknown;
  /** What has it is a transaction of PGlite. */
  readonly rollback?: never;
}

/** The `sql` of postgres.js. */
export interface PostgresJsClient {
  /** Runs one statement. */
  unsafe(text: string, values: string[], options: { readonly prepare: false }): Promise<readonly object[]>;
  /** What has it is a transaction of postgres.js. */
  readonly savepoint?: never;
}

/** A client of PostgreSQL, as far as a store uses it. */
export type PostgresClient = QueryingPostgresClient | PostgresJsClient;

/**
 * Runs one statement, which is its own transaction, and gives the columns of each row by their place: a client may be
 * told to rename them. No statement is named: a pooler may run the next one on another connection.
 */
export type Query = (text: string, values: string[]) => Promise<readonly (readonly unknown[])[]>;

/** @throws {ConfigurationError} on what is no client of PostgreSQL, or a transaction of one. */
export function queryOf(client: PostgresClient): Query {
  assertConfig(
    has(client, "query") || has(client, "unsafe"),
    "client must be a pool or client of pg, the sql of postgres.js, or have query(text, values).",
  );
  assertConfig(
    !has(client, "savepoint") && !has(client, "rollback"),
    "client must not be a transaction: what it writes would be kept only when that ends.",
  );
  const query = has(client, "query")
    ? queryingBy(client as QueryingPostgresClient)
    : unsafeBy(client as PostgresJsClient);
  return (text, values) => scrubbing(() => query(text, values));
}

/** A client may be a function, as the `sql` of postgres.js is. */
function has(client: unknown, method: string): boolean {
  const isObject = (typeof client === "object" && client !== null) || typeof client === "function";
  return isObject && typeof (client as Record<string, unknown>)[method] === "function";
}

function queryingBy(client: QueryingPostgresClient): Query {
  return async (text, values) => {
    const answer = await client.query(text, values);
    if (client.getTransactionStatus?.() === "T") {
      throw new ConfigurationError("The client of the store has an open transaction.", NO_CALL);
    }
    return ("rows" in answer ? answer.rows : answer).map(Object.values);
  };
}

function unsafeBy(client: PostgresJsClient): Query {
  return async (text, values) => (await client.unsafe(text, values, { prepare: false })).map(Object.values);
}

/** PostgreSQL's own name of an error, whatever client tells of it. */
export function sqlStateOf(error: unknown): string | undefined {
  const code = isRecord(error) ? error["code"] : undefined;
  return typeof code === "string" ? code : undefined;
}
