import { expect, test } from "vitest";
import { POSTGRES_TABLES } from "../../src/idempotency/postgres-tables.ts";
import { pageOf } from "./support/documented-site.ts";
import { tableOf } from "./support/documented-tables.ts";

const STORES = ["memoryStore", "sqliteStore", "redisStore", "postgresStore"];

test("the SQL for those who migrate with tools of their own makes the tables that migrate() makes", () => {
  const blocks = pageOf("stores.md").matchAll(/^```sql\n(.*?)\n```$/gms);

  const [tables] = Array.from(blocks, ([, sql]) => sql).filter((sql) => sql?.startsWith("CREATE"));

  expect(tables).toBe(POSTGRES_TABLES);
});

test("both pages tell which store to take, of all that there are", () => {
  const short = tableOf("time-outs.md", "Which store").map(([call]) => call?.replace(/\(.*\)/, ""));
  const [, heading = ""] = /^\| \| (.+) \|$/m.exec(pageOf("stores.md")) ?? [];

  expect(short).toEqual(STORES);
  expect(heading.replaceAll("`", "").split(" | ")).toEqual(STORES);
});
