import type { PostgresTable } from "./postgres-tables.ts";

const AGE_IN_MS = "(extract(epoch FROM clock_timestamp() - changed_at) * 1000)::text";
const FOUND = `body::text AS body, version, ${AGE_IN_MS} AS age`;

/**
 * The database answers when the row is on its disk, also where it is told not to wait for that. It holds for this
 * statement alone, and whoever asks for more than a disk is not hindered.
 */
const DURABLY = `
  CASE current_setting('synchronous_commit') WHEN 'off' THEN set_config('synchronous_commit', 'on', true) END
`;

/** The transaction of a statement; of the outermost one, also after a savepoint. */
const TRANSACTION_ID = "pg_current_xact_id()::text";

/** For databases that speak the protocol of PostgreSQL but lack its function. */
const NO_TRANSACTION_ID = "NULL::text";

/** What became of a transaction. */
export const TRANSACTION_STATUS = "SELECT pg_xact_status($1::text::xid8)::text AS status";

/**
 * The statements of one table. All values are texts, and all columns that come back: clients have their own mind about
 * numbers, times and JSON.
 */
export function postgresStatements(table: PostgresTable, hasTransactionIds = true) {
  const transactionId = hasTransactionIds ? TRANSACTION_ID : NO_TRANSACTION_ID;
  return {
    add: `
      WITH added AS (
        INSERT INTO ${table} (namespace, key, full_key, version, changed_at, is_open, body)
        VALUES ($1::text, $2::text, NULLIF($3::text, '')::json, $4::text, clock_timestamp(), $5::text::boolean,
          $6::text::json)
        ON CONFLICT (namespace, key) DO NOTHING
        RETURNING ${DURABLY} AS durably, ${transactionId} AS transaction_id
      )
      SELECT 'true' AS was_added, NULL AS body, NULL AS version, NULL AS age, transaction_id FROM added
      UNION ALL
      SELECT 'false', ${FOUND}, NULL FROM ${table}
      WHERE namespace = $1::text AND key = $2::text AND NOT EXISTS (SELECT FROM added)
    `,
    read: `SELECT ${FOUND} FROM ${table} WHERE namespace = $1::text AND key = $2::text`,
    replace: `
      UPDATE ${table}
      SET version = $4::text, changed_at = clock_timestamp(), is_open = $5::text::boolean, body = $6::text::json
      WHERE namespace = $1::text AND key = $2::text AND version = $3::text
      RETURNING ${DURABLY} AS durably, ${transactionId} AS transaction_id
    `,
    open: `
      SELECT key, full_key::text AS full_key, ${FOUND} FROM ${table}
      WHERE namespace = $1::text AND is_open AND key > $2::text
      ORDER BY key LIMIT $3::text::integer
    `,
    // Rows that somebody is changing are left for the next time.
    forget: `
      DELETE FROM ${table}
      WHERE namespace = $1::text AND key = ANY (ARRAY(
        SELECT key FROM ${table}
        WHERE namespace = $1::text AND NOT is_open
          AND changed_at < clock_timestamp() - make_interval(secs => $2::text::double precision)
        ORDER BY changed_at LIMIT $3::text::integer
        FOR UPDATE SKIP LOCKED
      ))
    `,
  };
}

export type PostgresStatements = ReturnType<typeof postgresStatements>;
