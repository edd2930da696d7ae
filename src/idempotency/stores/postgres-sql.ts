/** A table in which a PostgreSQL store keeps its documents. */
export type PostgresTable = "payments_orders" | "payments_postbacks";

/** Texts are compared byte by byte: a language's sort order changes with the operating system, and breaks a unique index. */
const toTableSql = (name: PostgresTable) => `CREATE TABLE IF NOT EXISTS ${name} (
  namespace text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  full_key json,
  version text NOT NULL,
  changed_at timestamptz NOT NULL,
  is_open boolean NOT NULL,
  body json NOT NULL,
  PRIMARY KEY (namespace, key)
);`;
const toOpenIndexSql = (name: PostgresTable) =>
  `CREATE INDEX IF NOT EXISTS ${name}_open ON ${name} (namespace, key) WHERE is_open;`;
const toEndedIndexSql = (name: PostgresTable) =>
  `CREATE INDEX IF NOT EXISTS ${name}_ended ON ${name} (namespace, changed_at) WHERE NOT is_open;`;

const RELATIONS = (["payments_orders", "payments_postbacks"] as const).flatMap((name) => [
  { name, sql: toTableSql(name) },
  { name: `${name}_open`, sql: toOpenIndexSql(name) },
  { name: `${name}_ended`, sql: toEndedIndexSql(name) },
]);

/** Creates the tables; documented for migrations with other tools. */
export const POSTGRES_TABLES = RELATIONS.map(({ sql }) => sql).join("\n");

/**
 * The same as one statement, for one process at a time. It creates only what does not exist, so a role that may not create
 * anything can run it if everything exists.
 */
export const POSTGRES_MIGRATION = `DO $migration$
BEGIN
  PERFORM set_config('client_min_messages', 'warning', true);
  PERFORM pg_advisory_xact_lock(hashtextextended('payments-sdk', 0));
${RELATIONS.map(({ name, sql }) => `  IF to_regclass('${name}') IS NULL THEN ${sql} END IF;`).join("\n")}
END
$migration$`;

const AGE_IN_MS = "(extract(epoch FROM clock_timestamp() - changed_at) * 1000)::text";
const FOUND = `body::text AS body, version, ${AGE_IN_MS} AS age`;

/**
 * The database responds when the row is on its disk, even if it is configured not to wait for that. It applies to this
 * statement alone, and does not weaken a stricter setting.
 */
const DURABLY = `
  CASE current_setting('synchronous_commit') WHEN 'off' THEN set_config('synchronous_commit', 'on', true) END
`;

/** The transaction of a statement; the outermost one, even after a savepoint. */
const TRANSACTION_ID = "pg_current_xact_id()::text";

/** For databases that have the protocol of PostgreSQL but lack its function. */
const NO_TRANSACTION_ID = "NULL::text";

/** The status of a transaction. */
export const TRANSACTION_STATUS = "SELECT pg_xact_status($1::text::xid8)::text AS status";

/** The namespace of orders that follows another one. */
export const NEXT_NAMESPACE =
  "SELECT namespace FROM payments_orders WHERE namespace > $1::text ORDER BY namespace LIMIT 1";

const toPageSql = (table: PostgresTable, condition: string) => `
  SELECT key, full_key::text AS full_key, ${FOUND} FROM ${table}
  WHERE namespace = $1::text ${condition} AND key > $2::text
  ORDER BY key LIMIT $3::text::integer
`;

/**
 * The statements of one table. All values and all returned columns are texts: clients convert numbers, times and JSON in
 * different ways.
 */
export function toPostgresStatements(table: PostgresTable, hasTransactionIds = true) {
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
    open: toPageSql(table, "AND is_open"),
    all: toPageSql(table, ""),
    // Skips rows that another process is changing.
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
