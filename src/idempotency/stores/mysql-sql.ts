import { READ_AT_ONCE } from "../documents.ts";
import { RETENTION_KEY } from "../retention.ts";
import { TABLES, type Table } from "../store.ts";

/** Keys are bytes: every collation of a text ignores case, accents or spaces at the end, in one of the servers. */
export const toTableSql = (name: Table) => `CREATE TABLE IF NOT EXISTS ${name} (
  namespace VARBINARY(765) NOT NULL,
  record_key VARBINARY(1000) NOT NULL,
  full_key LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  version VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  created_at DATETIME(6) NOT NULL,
  changed_at DATETIME(6) NOT NULL,
  is_open TINYINT NOT NULL,
  body LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  PRIMARY KEY (namespace, record_key),
  KEY ${name}_open (is_open, namespace, record_key),
  KEY ${name}_created (namespace, created_at)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC`;

export const MYSQL_TABLES = TABLES.map((table) => `${toTableSql(table)};`).join("\n");

/**
 * Each row is one text: a parameter that is new for each run of a statement, a space and a JSON array. The last row has digits
 * instead: whether autocommit is on and, in MariaDB, whether a transaction is open (MySQL takes `M!` for a comment, and has no such
 * variable). A client that returns anything else is noticed, also if it returns no rows. One text is the same for all
 * clients: they rename and reorder columns, and convert numbers, times, bytes and JSON.
 */
export const toSelect = (values: string, source = "") =>
  `(SELECT ${toResult(`CONCAT(?, ' ', JSON_ARRAY(${values}))`)} ${source}) UNION ALL SELECT ${toResult(
    "CONCAT(?, ' ', IF(@@autocommit, 1, 0) /*M! , @@in_transaction */)",
  )}`;

/** Of one collation, whatever that of the connection is. */
export const toText = (text: string) => `CONVERT(${text} USING utf8mb4) COLLATE utf8mb4_bin`;
const toResult = (text: string) => `${toText(text)} AS result`;

/**
 * Limits how long a statement waits for locks, in seconds: the server runs it to its end, also after its connection was closed,
 * and a claim must not be written when no one waits for it any more. Each server ignores the form of the other.
 */
export const toLimited = (sql: string) =>
  `/*M! SET STATEMENT innodb_lock_wait_timeout = 3, lock_wait_timeout = 3 FOR */ ${sql.replace(
    /SELECT|INSERT|UPDATE|DELETE/,
    "$& /*+ SET_VAR(innodb_lock_wait_timeout = 3) SET_VAR(lock_wait_timeout = 3) */",
  )}`;

/** The bytes of a text that the server received, and the text. */
export const ECHO = toSelect("HEX(?), ?");

export const SETTINGS = toSelect("@@innodb_flush_log_at_trx_commit, IF(@@log_bin, 1, 0), @@sync_binlog");

/** The namespace of orders that follows another one. */
export const NEXT_NAMESPACE = toSelect(
  "CONVERT(namespace USING utf8mb4)",
  "FROM payments_orders WHERE namespace > ? ORDER BY namespace LIMIT 1",
);

/** The namespace that follows another one, except the own one, and the retention that it has recorded. */
export const NEXT_RETENTION = toSelect(
  "CONVERT(namespace USING utf8mb4), CONCAT(body, '')",
  `FROM payments_postbacks
    WHERE is_open = 1 AND namespace > ? AND namespace <> ? AND record_key = '${RETENTION_KEY}' ORDER BY namespace LIMIT 1`,
);

/**
 * The response to a statement that writes a row repeats this number as its `insertId`. It is new for each run of a statement.
 */
const RUN = "LAST_INSERT_ID(?)";

/** The start of a statement, in UTC: times of a session depend on its time zone. */
const NOW = "UTC_TIMESTAMP(6)";

const COLUMNS = `(version, namespace, record_key, full_key, created_at, changed_at, is_open, body)`;

export const PAGE_SIZE = 200;

/** Rows of one cleanup, which other statements may have to wait for. */
export const CLEANUP_ROWS = 200;

/** What a document needs. The body is selected as a text: MariaDB puts a column of its type JSON into an array as an object. */
const ROW = `CONCAT(body, ''), version, TIMESTAMPDIFF(MICROSECOND, changed_at, ${NOW}) / 1000,
  CONVERT(record_key USING utf8mb4), full_key, CONVERT(namespace USING utf8mb4)`;

/** The statements of one table. All values are texts: clients convert numbers and times in different ways. */
export function toMysqlStatements(table: Table) {
  const toPage = (from: string, condition: string) =>
    toSelect(ROW, `FROM ${from} WHERE ${condition} ORDER BY namespace, record_key LIMIT ${PAGE_SIZE}`);
  // The index is named because a server may expect to find enough open rows sooner in the order of the primary key.
  const open = `${table} FORCE INDEX (${table}_open)`;
  const after = "(namespace > ? OR (namespace = ? AND record_key > ?))";
  return {
    /** Writes nothing. Its response has the form of one that does. */
    check: `INSERT INTO ${table} ${COLUMNS}
      SELECT '', '', '', '', ${NOW}, ${NOW}, 0, '' FROM DUAL WHERE ${RUN} = 0`,
    // Not IGNORE, which hides other errors; not ON DUPLICATE KEY UPDATE, whose count depends on a flag of the connection.
    add: `INSERT INTO ${table} ${COLUMNS}
      VALUES (IF(${RUN}, ?, NULL), ?, ?, ?, ${NOW}, ${NOW}, ?, ?)`,
    read: toSelect(ROW, `FROM ${table} WHERE namespace = ? AND record_key = ?`),
    readMany: toSelect(
      ROW,
      `FROM ${table} WHERE namespace = ? AND record_key IN (${Array(READ_AT_ONCE).fill("?").join(", ")})`,
    ),
    // The version always changes, so the count of changed rows is that of the rows found.
    replace: `UPDATE ${table} SET version = IF(${RUN}, ?, NULL), changed_at = ${NOW}, is_open = ?, body = ?
      WHERE namespace = ? AND record_key = ? AND version = ?`,
    open: toPage(open, "is_open = 1 AND namespace = ? AND record_key > ?"),
    all: toPage(table, "namespace = ? AND record_key > ?"),
    openEverywhere: toPage(open, `is_open = 1 AND ${after}`),
    allEverywhere: toPage(table, after),
    forget: `DELETE FROM ${table}
      WHERE namespace = ? AND created_at < ${NOW} - INTERVAL ? SECOND
        AND is_open = 0 AND changed_at < ${NOW} - INTERVAL ? SECOND
      ORDER BY created_at LIMIT ${CLEANUP_ROWS}`,
  };
}
