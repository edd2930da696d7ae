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

const MIGRATION = `BEGIN
  PERFORM set_config('client_min_messages', 'warning', true);
  PERFORM pg_advisory_xact_lock(hashtextextended('payments-sdk', 0));
${RELATIONS.map(({ name, sql }) => `  IF to_regclass('${name}') IS NULL THEN ${sql} END IF;`).join("\n")}
END`;

/**
 * Creates the tables in one statement, for one process at a time. It creates only what does not exist, so a role that may not create
 * anything can run it if everything exists. Without `$`, which Sequelize takes for a parameter.
 */
export const POSTGRES_MIGRATION = `DO '${MIGRATION.replaceAll("'", "''")}'`;

/**
 * What each statement selects: one row with one text, which is `$1`, a space and a JSON array. `$1` is new for each run of
 * a statement, so a client that returns anything else is noticed: no rows, other rows, rows from a cache, a count. One
 * text is the same for all clients: they rename and reorder columns, and convert numbers, times and JSON.
 */
const toSelect = (values: string) => `SELECT $1::text || ' ' || json_build_array(${values})::text AS result`;

/** Selects a text unchanged, and needs no table. */
export const ECHO = toSelect("$2::text");

const FOUND =
  "json_build_array(body::text, version, extract(epoch FROM clock_timestamp() - changed_at) * 1000)";

/**
 * The database responds when the row is on its disk, even if it is configured not to wait for that. It applies to this
 * statement alone, and does not weaken a stricter setting.
 */
const DURABLY = `
  CASE current_setting('synchronous_commit') WHEN 'off' THEN set_config('synchronous_commit', 'on', true) END
`;

/** The status of a transaction. */
export const TRANSACTION_STATUS = toSelect("pg_xact_status($2::text::xid8)");

/** The namespace of orders that follows another one. */
export const NEXT_NAMESPACE = toSelect(
  "(SELECT namespace FROM payments_orders WHERE namespace > $2::text ORDER BY namespace LIMIT 1)",
);

const toPageSql = (table: PostgresTable, condition: string) =>
  toSelect(`coalesce((
    SELECT json_agg(json_build_array(key, coalesce(full_key, to_json(key)), ${FOUND}) ORDER BY key) FROM (
      SELECT * FROM ${table}
      WHERE namespace = $2::text ${condition} AND key > $3::text
      ORDER BY key LIMIT $4::text::integer
    ) page
  ), '[]')`);

/**
 * The statements of one table. All values are texts: clients convert numbers, times and JSON in different ways.
 *
 * @param hasTransactionIds - `false` for databases that have the protocol of PostgreSQL but lack this function.
 */
export function toPostgresStatements(table: PostgresTable, hasTransactionIds = true) {
  // The outermost transaction of a statement, even after a savepoint.
  const transactionId = hasTransactionIds ? "pg_current_xact_id()::text" : "NULL::text";
  const found = `SELECT ${FOUND} FROM ${table} WHERE namespace = $2::text AND key = $3::text`;
  /** Selects whether a row was changed, in which transaction, and another value. */
  const toChange = (sql: string, other = "NULL") => `
    WITH changed AS (${sql} RETURNING ${DURABLY} AS durably, ${transactionId} AS transaction_id)
    ${toSelect(`EXISTS (SELECT FROM changed), (SELECT transaction_id FROM changed), ${other}`)}
  `;
  return {
    add: toChange(
      `
      INSERT INTO ${table} (namespace, key, full_key, version, changed_at, is_open, body)
      VALUES ($2::text, $3::text, NULLIF($4::text, '')::json, $5::text, clock_timestamp(), $6::text::boolean,
        $7::text::json)
      ON CONFLICT (namespace, key) DO NOTHING
      `,
      `(${found} AND NOT EXISTS (SELECT FROM changed))`,
    ),
    read: toSelect(`(${found})`),
    replace: toChange(`
      UPDATE ${table}
      SET version = $5::text, changed_at = clock_timestamp(), is_open = $6::text::boolean, body = $7::text::json
      WHERE namespace = $2::text AND key = $3::text AND version = $4::text
    `),
    open: toPageSql(table, "AND is_open"),
    all: toPageSql(table, ""),
    // Skips rows that another process is changing.
    forget: `
      WITH changed AS (
        DELETE FROM ${table}
        WHERE namespace = $2::text AND key = ANY (ARRAY(
          SELECT key FROM ${table}
          WHERE namespace = $2::text AND NOT is_open
            AND changed_at < (SELECT clock_timestamp() - make_interval(secs => $3::text::double precision))
          ORDER BY changed_at LIMIT $4::text::integer
          FOR UPDATE SKIP LOCKED
        ))
        RETURNING key
      )
      ${toSelect("EXISTS (SELECT FROM changed)")}
    `,
  };
}

/**
 * Adds or replaces the postbacks of an order, and only if it did, replaces the order's record. Selects whether each of them
 * was written, and existing postbacks.
 *
 * Parameters: those of `replace` for the order's record, then key, full key or expected version, version, `is_open` and body
 * of its postbacks. Two statements that run at the same time lock the rows in the same order, so there is no deadlock.
 */
const toBoth = (inbox: string) => `
  WITH changed AS (${inbox} RETURNING ${DURABLY} AS durably), updated AS (
    UPDATE payments_orders
    SET version = $5::text, changed_at = clock_timestamp(), is_open = $6::text::boolean, body = $7::text::json
    WHERE namespace = $2::text AND key = $3::text AND version = $4::text AND EXISTS (SELECT FROM changed)
    RETURNING 1
  )
  ${toSelect(`EXISTS (SELECT FROM changed), EXISTS (SELECT FROM updated), (
    SELECT ${FOUND} FROM payments_postbacks
    WHERE namespace = $2::text AND key = $8::text AND NOT EXISTS (SELECT FROM changed)
  )`)}
`;

export const ADD_BOTH = toBoth(`
  INSERT INTO payments_postbacks (namespace, key, full_key, version, changed_at, is_open, body)
  VALUES ($2::text, $8::text, NULLIF($9::text, '')::json, $10::text, clock_timestamp(), $11::text::boolean,
    $12::text::json)
  ON CONFLICT (namespace, key) DO NOTHING
`);

export const REPLACE_BOTH = toBoth(`
  UPDATE payments_postbacks
  SET version = $10::text, changed_at = clock_timestamp(), is_open = $11::text::boolean, body = $12::text::json
  WHERE namespace = $2::text AND key = $8::text AND version = $9::text
`);
