import { isRecord } from "../../data/own.ts";
import { assertConfig, NO_CALL } from "../../errors/check-options.ts";
import { ConfigurationError } from "../../errors/configuration-error.ts";
import { sanitizeDriverErrors } from "./sanitize-driver-errors.ts";

/** A client with `query(text, values)`: a `Pool` or `Client` of pg or `@neondatabase/serverless`, or a `PGlite`. */
export interface QueryingPostgresClient {
  /** Runs one statement. */
  query(
    text: string,
    values: string[],
  ): Promise<
    | {
        /** One object for each row, with its columns in order. */
        readonly rows: readonly object[];
      }
    | readonly object[]
  >;
  /** Only pg's `Client` has it. */
  getTransactionStatus?(): unknown;
  /** Only a transaction of PGlite has it. */
  readonly rollback?: never;
}

/** The `sql` of postgres.js. */
export interface PostgresJsClient {
  /** Runs one statement. */
  unsafe(text: string, values: string[], options: { readonly prepare: false }): Promise<readonly object[]>;
  /** Only a transaction of postgres.js has it. */
  readonly savepoint?: never;
}

/** The part of a PostgreSQL client that a store uses. */
export type PostgresClient = QueryingPostgresClient | PostgresJsClient;

/**
 * Runs one statement, which is its own transaction, and returns the columns of each row by position: a client may be
 * configured to rename them. Statements are unnamed: a pooler may run the next one on another connection.
 */
export type Query = (text: string, values: string[]) => Promise<readonly (readonly unknown[])[]>;

/** @throws {ConfigurationError} if `client` is not a PostgreSQL client, or is a transaction. */
export function toQuery(client: PostgresClient): Query {
  assertConfig(
    hasMethod(client, "query") || hasMethod(client, "unsafe"),
    "client must be a pool or client of pg, the sql of postgres.js, or have query(text, values).",
  );
  assertConfig(
    !hasMethod(client, "savepoint") && !hasMethod(client, "rollback"),
    "client must not be a transaction: its writes are kept only if the transaction is committed.",
  );
  const query = hasMethod(client, "query")
    ? queryWith(client as QueryingPostgresClient)
    : queryWithPostgresJs(client as PostgresJsClient);
  return (text, values) => sanitizeDriverErrors(() => query(text, values));
}

/** A client may be a function, like the `sql` of postgres.js. */
function hasMethod(client: unknown, method: string): boolean {
  const isObject = (typeof client === "object" && client !== null) || typeof client === "function";
  return isObject && typeof (client as Record<string, unknown>)[method] === "function";
}

function queryWith(client: QueryingPostgresClient): Query {
  return async (text, values) => {
    const result = await client.query(text, values);
    if (client.getTransactionStatus?.() === "T") {
      throw new ConfigurationError("The client of the store has an open transaction.", NO_CALL);
    }
    return ("rows" in result ? result.rows : result).map(Object.values);
  };
}

function queryWithPostgresJs(client: PostgresJsClient): Query {
  return async (text, values) => (await client.unsafe(text, values, { prepare: false })).map(Object.values);
}

/** The SQLSTATE code of an error, which every client passes on. */
export function readSqlState(error: unknown): string | undefined {
  const code = isRecord(error) ? error["code"] : undefined;
  return typeof code === "string" ? code : undefined;
}
