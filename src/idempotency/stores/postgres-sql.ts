import { RETENTION_KEY } from "../retention.ts";
import { TABLES, type Table } from "../store.ts";

/** Counts the changes of the tables; `migrate()` writes it into their comments. */
export const SCHEMA_VERSION = 1;

/**
 * Texts are compared byte by byte: a language's sort order changes with the operating system, and breaks a unique index.
 * What never changes stands first: the log of a change has one contiguous part of a row.
 * The fillfactor leaves space in each page for the next versions of its rows, which then need less of the write-ahead log:
 * an order is four times as large after its claim.
 */
const toTableSql = (name: Table) => `CREATE TABLE IF NOT EXISTS ${name} (
  namespace text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  full_key json,
  retention_days numeric NOT NULL,
  version text NOT NULL,
  changed_at timestamptz NOT NULL,
  is_open boolean NOT NULL,
  body json NOT NULL,
  PRIMARY KEY (namespace, key)
) WITH (fillfactor = 75);`;
/** The only index with a column that changes: while a record stays open, or ended, PostgreSQL writes no index entry. */
const toIndexSql = (name: Table) =>
  `CREATE INDEX IF NOT EXISTS ${name}_open ON ${name} (namespace, key) WHERE is_open;`;
const toCommentSql = (name: Table) => `COMMENT ON TABLE ${name} IS 'payments-sdk schema ${SCHEMA_VERSION}';`;

/** Creates the tables; documented for migrations with other tools. */
export const POSTGRES_TABLES = TABLES.flatMap((name) => [
  toTableSql(name),
  toIndexSql(name),
  toCommentSql(name),
]).join("\n");

const toMigration = (name: Table) => `
  IF to_regclass('${name}') IS NULL THEN ${toTableSql(name)} ${toCommentSql(name)} END IF;
  IF to_regclass('${name}_open') IS NULL THEN ${toIndexSql(name)} END IF;`;

const MIGRATION = `BEGIN
  PERFORM set_config('client_min_messages', 'warning', true);
  PERFORM pg_advisory_xact_lock(hashtextextended('payments-sdk', 0));
  PERFORM set_config('lock_timeout', '1s', true);
${TABLES.map(toMigration).join("\n")}
END`;

/**
 * Creates the tables in one statement, for one process at a time. It changes only what is missing, so a role that may not create
 * anything can run it if everything exists. It waits for the lock of a table for one second, because other statements would
 * have to wait behind it. Without `$`, which Sequelize takes for a parameter.
 */
export const POSTGRES_MIGRATION = `DO '${MIGRATION.replaceAll("'", "''")}'`;

/**
 * What each statement selects: one row with one text, which is `$1`, a space and a JSON array. `$1` is new for each run of
 * a statement, so a client that returns anything else is noticed: no rows, other rows, rows from a cache, a count. One
 * text is the same for all clients: they rename and reorder columns, and convert numbers, times and JSON.
 */
export const toSelect = (values: string) =>
  `SELECT $1::text || ' ' || json_build_array(${values})::text AS result`;

/** Selects what a statement named `changed` has changed; if it has changed nothing, runs `otherwise`, which is slower. */
const toSelectChanged = (values: string, otherwise: string) => `
  SELECT $1::text || ' ' || coalesce(
    (SELECT json_build_array(true, ${values}) FROM changed), json_build_array(false, NULL, ${otherwise})
  )::text AS result
`;

/** Selects a text unchanged, and needs no table. */
export const ECHO = toSelect("$2::text");

const AGE_MS = "extract(epoch FROM clock_timestamp() - changed_at) * 1000";
const FOUND = `json_build_array(body::text, version, ${AGE_MS})`;

/** Seconds between two cleanups of a process, and cleanups that read a large table once: 23 hours. */
export const CLEANUP_SECONDS = 5;
const CLEANUPS = 16_384;
/** Blocks that one cleanup reads, at least, and of a table that it reads whole. */
const CLEANUP_BLOCKS = 8;
const SMALL_TABLE_BLOCKS = 128;

/** Its multiples, without their whole part, are spread evenly over the table: old rows anywhere are soon found. */
const GOLDEN_RATIO = 0.6180339887498949;

/**
 * Deletes what ended before the retention, in a few blocks of a table. The database's clock decides in which, so that all
 * processes read the same ones, which are then in memory, and read almost the whole table in a day. No index is needed,
 * which each write would have to update. Rows of other namespaces are deleted if they were written with the same
 * retention, and their namespace has not recorded a longer one since. Skips rows that another process is changing.
 *
 * Parameters: namespace, days, and the first block, or an empty text. Selects how many rows were deleted, and the next
 * block; `null` at the end of the table.
 */
const toForget = (table: Table) => `
  WITH part AS (
    SELECT blocks, first, first + size AS next FROM (
      SELECT blocks, CASE WHEN blocks <= ${SMALL_TABLE_BLOCKS} THEN ${SMALL_TABLE_BLOCKS}
        ELSE greatest(${CLEANUP_BLOCKS}, blocks / ${CLEANUPS}) END AS size
      FROM (
        SELECT greatest(pg_relation_size('${table}'), max(pg_relation_size(relid)))
          / current_setting('block_size')::bigint AS blocks
        FROM pg_partition_tree('${table}')
      ) tables
    ) sized, LATERAL (
      SELECT coalesce(NULLIF($4::text, '')::bigint, size * floor((blocks / size + 1) * (
        floor(extract(epoch FROM statement_timestamp()) / ${CLEANUP_SECONDS}) * ${GOLDEN_RATIO} % 1
      ))::bigint) AS first
    ) position
  ), due AS (
    SELECT namespace, key FROM ${table}
    WHERE ctid >= (SELECT format('(%s,0)', first)::tid FROM part)
      AND ctid < (SELECT format('(%s,0)', next)::tid FROM part)
      AND NOT is_open AND (namespace = $2::text OR retention_days = $3::text::numeric AND NOT EXISTS (
        SELECT FROM payments_postbacks kept WHERE kept.namespace = ${table}.namespace AND kept.key = '${RETENTION_KEY}'
          AND (kept.body ->> 'ms')::numeric > $3::text::numeric * 86400000
      ))
      AND changed_at < statement_timestamp() - make_interval(secs => $3::text::double precision * 86400)
    FOR UPDATE SKIP LOCKED
  ), deleted AS (
    DELETE FROM ${table} USING due
    WHERE ${table}.namespace = due.namespace AND ${table}.key = due.key RETURNING 1
  )
  ${toSelect("(SELECT count(*) FROM deleted), (SELECT next FROM part WHERE next < blocks)")}
`;

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

/** Follows each text of a page. JSON cannot contain it. */
export const SEPARATOR = "\x1e";

const LISTED = `json_build_array(key, coalesce(full_key, to_json(key)), namespace, version, ${AGE_MS})`;

/** Selects a page of documents, and after the JSON their texts: as strings in JSON they would cost twice as much. */
const toPageSql = (table: Table, condition: string, order = "key") => `
  SELECT $1::text || ' ' || json_build_array(coalesce(json_agg(${LISTED}), '[]'))::text || chr(30) ||
    coalesce(string_agg(body::text || chr(30), ''), '') AS result
  FROM (SELECT * FROM ${table} WHERE ${condition} ORDER BY ${order} LIMIT $4::text::integer) page
`;

/** Adds a row. Parameters: `$2` is the namespace; from `first` on: key, full key, version, `is_open`, body, retention in days. */
const toInsert = (table: Table, first: number) => `
  INSERT INTO ${table} (namespace, key, full_key, version, changed_at, is_open, body, retention_days)
  VALUES ($2::text, $${first}::text, NULLIF($${first + 1}::text, '')::json, $${first + 2}::text, clock_timestamp(),
    $${first + 3}::text::boolean, $${first + 4}::text::json, $${first + 5}::text::numeric)
  ON CONFLICT (namespace, key) DO NOTHING
`;

/** Replaces a version. Parameters: `$2` is the namespace; from `first` on: key, old version, version, `is_open`, body. */
const toUpdate = (table: Table, first: number) => `
  UPDATE ${table}
  SET version = $${first + 2}::text, changed_at = clock_timestamp(), is_open = $${first + 3}::text::boolean,
    body = $${first + 4}::text::json
  WHERE namespace = $2::text AND key = $${first}::text AND version = $${first + 1}::text
`;

/** Selects the document of a key, which is the parameter `nth`. */
const toFound = (table: Table, nth: number) =>
  `(SELECT ${FOUND} FROM ${table} WHERE namespace = $2::text AND key = $${nth}::text)`;

/**
 * The statements of one table. All values are texts: clients convert numbers, times and JSON in different ways.
 *
 * @param checksCommits - Whether a change selects its transaction; not if the client is known to commit.
 */
export function toPostgresStatements(table: Table, checksCommits = true) {
  // The outermost transaction of a statement, even after a savepoint.
  const transactionId = checksCommits ? "pg_current_xact_id()::text" : "NULL::text";
  /** Selects whether a row was changed, in which transaction, and another value. */
  const toChange = (sql: string, other = "NULL") => `
    WITH changed AS (${sql} RETURNING ${DURABLY} AS durably, ${transactionId} AS transaction_id)
    ${toSelectChanged("transaction_id", other)}
  `;
  const [after, afterEverywhere] = [
    "namespace = $2::text AND key > $3::text",
    "(namespace, key) > ($2::text, $3::text)",
  ];
  return {
    add: toChange(toInsert(table, 3), toFound(table, 3)),
    read: toSelect(toFound(table, 3)),
    replace: toChange(toUpdate(table, 3)),
    many: toPageSql(
      table,
      "namespace = $2::text AND key = ANY (ARRAY(SELECT json_array_elements_text($3::text::json)))",
    ),
    open: toPageSql(table, `${after} AND is_open`),
    all: toPageSql(table, after),
    openEverywhere: toPageSql(table, `${afterEverywhere} AND is_open`, "namespace, key"),
    everywhere: toPageSql(table, afterEverywhere, "namespace, key"),
    forget: toForget(table),
  };
}

/**
 * Adds or replaces the postbacks of an order, and only if it did, replaces the order's record. Selects whether each of them
 * was written, and existing postbacks.
 *
 * Parameters: those of `replace` for the order's record, then those that {@link toInsert} or {@link toUpdate} has from the key
 * on for its postbacks. Two statements that run at the same time lock the rows in the same order, so there is no deadlock.
 */
const toBoth = (inbox: string) => `
  WITH changed AS (${inbox} RETURNING ${DURABLY} AS durably), updated AS (
    ${toUpdate("payments_orders", 3)} AND EXISTS (SELECT FROM changed) RETURNING 1
  )
  ${toSelectChanged("EXISTS (SELECT FROM updated)", toFound("payments_postbacks", 8))}
`;

export const WRITE_BOTH = {
  add: toBoth(toInsert("payments_postbacks", 8)),
  replace: toBoth(toUpdate("payments_postbacks", 8)),
};
