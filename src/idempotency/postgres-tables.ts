/** What a PostgreSQL store keeps its documents in. */
export type PostgresTable = "payments_orders" | "payments_postbacks";

/** Compared byte by byte: the order of a language changes with the operating system, and breaks a unique index. */
const table = (name: PostgresTable) => `CREATE TABLE IF NOT EXISTS ${name} (
  namespace text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  full_key json,
  version text NOT NULL,
  changed_at timestamptz NOT NULL,
  is_open boolean NOT NULL,
  body json NOT NULL,
  PRIMARY KEY (namespace, key)
);`;
const openOnes = (name: PostgresTable) =>
  `CREATE INDEX IF NOT EXISTS ${name}_open ON ${name} (namespace, key) WHERE is_open;`;
const endedOnes = (name: PostgresTable) =>
  `CREATE INDEX IF NOT EXISTS ${name}_ended ON ${name} (namespace, changed_at) WHERE NOT is_open;`;

const RELATIONS = (["payments_orders", "payments_postbacks"] as const).flatMap((name) => [
  { name, sql: table(name) },
  { name: `${name}_open`, sql: openOnes(name) },
  { name: `${name}_ended`, sql: endedOnes(name) },
]);

/** What makes the tables; documented for those who migrate with tools of their own. */
export const POSTGRES_TABLES = RELATIONS.map(({ sql }) => sql).join("\n");

/**
 * The same as one statement, for one process at a time. It creates only what is missing, so a role that may not create
 * anything can run it where all is there.
 */
export const POSTGRES_MIGRATION = `DO $migration$
BEGIN
  PERFORM set_config('client_min_messages', 'warning', true);
  PERFORM pg_advisory_xact_lock(hashtextextended('payments-sdk', 0));
${RELATIONS.map(({ name, sql }) => `  IF to_regclass('${name}') IS NULL THEN ${sql} END IF;`).join("\n")}
END
$migration$`;
