import { type StoreProblem, TABLES, type Table } from "../store.ts";
import { toSelect, toTableSql, toText } from "./mysql-sql.ts";

const NAMES = `(${TABLES.map((table) => `'${table}'`).join(", ")})`;
const OWN = `WHERE table_schema = DATABASE() AND table_name IN ${NAMES}`;

/** The parts of the tables, each as a line of {@link toTableSql}, and their triggers, which MySQL hides from a user without permission. */
export const SCHEMA = toSelect(
  `${toText("name")}, ${toText("part")}`,
  `FROM (
    SELECT table_name AS name, ${toText("CONCAT(') ENGINE=', engine)")} AS part FROM information_schema.tables ${OWN}
    UNION ALL SELECT table_name, ${toText(`CONCAT(column_name, ' ', column_type,
      IF(collation_name IS NULL, '', CONCAT(' COLLATE ', collation_name)), IF(is_nullable = 'NO', ' NOT NULL', ''))`)}
      FROM information_schema.columns ${OWN}
    UNION ALL SELECT table_name, ${toText(`CONCAT(IF(non_unique, CONCAT('KEY ', index_name), 'PRIMARY KEY'), ' (',
      GROUP_CONCAT(CONCAT(column_name, IF(sub_part IS NULL, '', '...')) ORDER BY seq_in_index SEPARATOR ', '), ')')`)}
      FROM information_schema.statistics ${OWN} GROUP BY table_name, index_name, non_unique
    UNION ALL SELECT event_object_table, ${toText("CONCAT('TRIGGER ', trigger_name)")}
      FROM information_schema.triggers WHERE event_object_schema = DATABASE() AND event_object_table IN ${NAMES}
  ) parts`,
);

/** MySQL 8 has no width of integers. A unique key on the columns of the primary key serves as well. */
const normalize = (line: string) =>
  line
    .replace(/(?<=int)\(\d+\)| CHARACTER SET \w+| ROW_FORMAT.*|,$/gi, "")
    .trim()
    .toLowerCase();

/**
 * @param rows - What {@link SCHEMA} selects.
 * @param ofClaimsOnly - Leaves out what only makes lists or a cleanup fail.
 */
export function toProblems(
  rows: readonly unknown[][],
  table: Table,
  ofClaimsOnly = false,
): readonly StoreProblem[] {
  const parts = rows.filter(([name]) => name === table).map(([, part]) => String(part));
  if (parts.length === 0) return [{ level: "error", message: `${table} does not exist: call migrate().` }];
  const found = new Set(parts.map(normalize));
  const missing = toTableSql(table)
    .split("\n")
    .slice(1)
    .filter((line) => !found.has(normalize(line)) && !(ofClaimsOnly && line.startsWith("  KEY ")));
  const triggers = parts.filter((part) => part.startsWith("TRIGGER "));
  return [
    ...missing.map((line) => ({
      level: line.includes("_created") ? ("warning" as const) : ("error" as const),
      message: `${table} must have ${line.replace(/^[) ]*|,$/g, "")}: compare it with docs/stores.md.`,
    })),
    ...triggers.map((trigger) => ({
      level: "error" as const,
      message: `${table} must have no triggers, which change the response to a statement: drop ${trigger}.`,
    })),
  ];
}
