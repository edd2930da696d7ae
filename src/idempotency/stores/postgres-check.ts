import { type StoreProblem, TABLES } from "../store.ts";
import { SCHEMA_VERSION, toSelect } from "./postgres-sql.ts";

const COLUMNS = [
  ...["namespace text", "key text", "full_key json", "retention_days numeric", "version text"],
  ...["changed_at timestamp with time zone", "is_open boolean", "body json"],
];
const RIGHTS = ["SELECT", "INSERT", "UPDATE", "DELETE"];

const toList = (values: readonly string[]) => `ARRAY[${values.map((value) => `'${value}'`).join(", ")}]`;

/** Reads the catalog about both tables, and changes nothing. A table that is not in the search_path has `null` everywhere. */
export const CHECK = toSelect(`
  pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean,
  (SELECT json_agg(json_build_array(
    name, relation IS NOT NULL,
    (SELECT json_agg(other) FROM unnest(${toList(COLUMNS)}) other WHERE other NOT IN (
      SELECT attname || ' ' || format_type(atttypid, atttypmod) FROM pg_attribute
      WHERE attrelid = relation AND NOT attisdropped)),
    (SELECT json_agg(other) FROM unnest(${toList(RIGHTS)}) other WHERE NOT has_table_privilege(relation, other)),
    EXISTS (
      SELECT FROM pg_index WHERE indrelid = relation AND indisvalid AND indisunique AND indimmediate AND indpred IS NULL
      AND indnkeyatts = 2 AND 2 = (SELECT count(*) FROM pg_attribute WHERE attrelid = relation
        AND attnum IN (indkey[0], indkey[1]) AND attname IN ('namespace', 'key'))),
    EXISTS (SELECT FROM pg_index WHERE indrelid = relation AND indisvalid AND pg_get_expr(indpred, indrelid) = 'is_open'),
    row_security_active(relation),
    substring(obj_description(relation, 'pg_class') FROM 'payments-sdk schema ([0-9]+)')::integer
  )) FROM unnest(${toList(TABLES)}) name, LATERAL (SELECT to_regclass(name)::oid AS relation) found)
`);

type CheckedTable = readonly [
  name: string,
  exists: boolean,
  wrongColumns: readonly string[] | null,
  missingRights: readonly string[] | null,
  hasKey: boolean,
  hasOpenIndex: boolean,
  hidesRows: boolean | null,
  version: number | null,
];

/** @param selected - The row of {@link CHECK}. */
export function toProblems([isReadOnly, tables]: readonly unknown[]): readonly StoreProblem[] {
  const problems: StoreProblem[] = [];
  const add = (level: StoreProblem["level"], isWrong: boolean, message: string) => {
    if (isWrong) problems.push({ level, message });
  };
  add("error", isReadOnly === true, "The database is read-only, or a replica: connect to the primary.");
  for (const table of tables as CheckedTable[]) {
    const [name, exists, columns, rights, hasKey, hasIndex, hidesRows, version] = table;
    add(
      "error",
      !exists,
      `${name} is not in the search_path of the connection: call migrate(), or fix the search_path.`,
    );
    if (!exists) continue;
    add(
      "error",
      columns !== null,
      `${name} must have ${columns?.join(", ")}: compare it with docs/stores.md.`,
    );
    add("error", rights !== null, `The role may not ${rights?.join(", ")} on ${name}: grant it.`);
    add("error", !hasKey, `${name} has no unique key on exactly namespace and key.`);
    add("warning", !hasIndex, `${name} has no index of open rows, so lists are slow: create ${name}_open.`);
    add("warning", hidesRows === true, `Row-level security applies to ${name}: it must not hide rows.`);
    const isNewer = (version ?? SCHEMA_VERSION) > SCHEMA_VERSION;
    add("warning", isNewer, `${name} has schema ${version}, of a later version of this package.`);
  }
  return problems;
}
