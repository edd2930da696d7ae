import { DatabaseSync } from "node:sqlite";
import { type D1Client, type D1Statement, d1Store } from "payments-sdk/idempotency";
import { onTestFinished } from "vitest";
import type { Database } from "./databases.ts";

/** The binding of a D1 database over `node:sqlite`. As in D1, a batch is a transaction. */
export function toD1(database: DatabaseSync): D1Client {
  const run = (sql: string, values: (string | number | null)[]) => {
    const count = () => Number(database.prepare("SELECT total_changes() AS count").get()?.["count"]);
    const before = count();
    const results = database.prepare(sql).all(...values) as Record<string, unknown>[];
    return { results, meta: { changes: count() - before } };
  };
  const runs = new WeakMap<D1Statement, () => ReturnType<typeof run>>();
  const prepare = (sql: string, values: (string | number | null)[] = []): D1Statement => {
    const statement: D1Statement = {
      bind: (...bound) => prepare(sql, bound),
      all: async () => run(sql, values),
    };
    runs.set(statement, () => run(sql, values));
    return statement;
  };
  return {
    prepare,
    async batch(statements) {
      database.exec("BEGIN");
      try {
        const results = statements.flatMap((statement) => runs.get(statement)?.() ?? []);
        database.exec("COMMIT");
        return results;
      } catch (error) {
        database.exec("ROLLBACK");
        throw error;
      }
    },
  };
}

export async function openD1() {
  const database = new DatabaseSync(":memory:");
  onTestFinished(() => database.close());
  const client = toD1(database);
  await d1Store(client).migrate();
  return { database, client };
}

export async function d1(): Promise<Database> {
  const { database, client } = await openD1();
  return {
    store: (options) => d1Store(client, options),
    advance: (ms) =>
      void database
        .prepare("UPDATE payments_documents SET changed_at = changed_at - ?1, expires_at = expires_at - ?1")
        .run(ms),
  };
}
