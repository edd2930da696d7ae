import { expect, test } from "vitest";
import { POSTGRES_TABLES } from "../../src/idempotency/postgres-tables.ts";
import { pageOf } from "./support/documented-site.ts";

const STORES = ["memoryStore", "sqliteStore", "redisStore", "postgresStore"];

test("the SQL for those who migrate with tools of their own makes the tables that migrate() makes", () => {
  const blocks = pageOf("stores.md").matchAll(/^```sql\n(.*?)\n```$/gms);

  const [tables] = Array.from(blocks, ([, sql]) => sql).filter((sql) => sql?.startsWith("CREATE"));

  expect(tables).toBe(POSTGRES_TABLES);
});

test("the page tells which store to take, of all that there are", () => {
  const [, heading = ""] = /^\| \| (.+) \|$/m.exec(pageOf("stores.md")) ?? [];

  expect(heading.replaceAll("`", "").split(" | ")).toEqual(STORES);
});
