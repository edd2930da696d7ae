import { type PostgresClient, postgresStore } from "payments-sdk/idempotency";
import type { StoreKind } from "../support/kind.ts";
import { contentsOf, migratedSchema, type Schema } from "./support/schema.ts";

/** The kinds of PostgreSQL store that the suites run on. */
export const postgresKinds: readonly StoreKind[] = [
  kindOf("postgresStore with pg", (schema) => schema.pool()),
  kindOf("postgresStore with postgres.js", (schema) => schema.postgresJs()),
];

function kindOf(name: string, connect: (schema: Schema) => Promise<PostgresClient>): StoreKind {
  return {
    name,
    open: async () => {
      const schema = await migratedSchema();
      return {
        isShared: true,
        store: async (options) => postgresStore(await connect(schema), options),
        contents: () => contentsOf(schema),
      };
    },
  };
}
