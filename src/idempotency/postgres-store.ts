import { DocumentPostbacks } from "./document-postbacks.ts";
import { type PostgresClient, queryOf } from "./postgres-client.ts";
import { PostgresDocuments } from "./postgres-documents.ts";
import { POSTGRES_MIGRATION, type PostgresTable } from "./postgres-tables.ts";
import { type PaymentsStore, storeOn } from "./store.ts";
import { readStoreOptions, type StoreOptions } from "./store-options.ts";

/** A store in a PostgreSQL database. */
export interface PostgresStore extends PaymentsStore {
  /**
   * Makes the tables `payments_orders` and `payments_postbacks`, and their indexes, where no schema of the connection's
   * `search_path` has them, in the first one. Any number of processes may call it at once, and again. A role that may
   * not create tables can call it where all of them are there.
   */
  migrate(): Promise<void>;
}

/**
 * A store in a PostgreSQL database, shared by all processes on all machines that reach it. Call `migrate()` before the
 * first use, or make the tables with your own tools.
 *
 * Every statement is its own transaction and leaves nothing on its connection, so that poolers in transaction mode work.
 *
 * @param client - Yours: a `Pool` of pg, the `sql` of postgres.js, or what has `query(text, values)`, as PGlite does.
 * A claim that it writes inside of an open transaction is refused: it would be lost if that is rolled back.
 * @throws {ConfigurationError} on an option that cannot work, and on a client that is none.
 */
export function postgresStore(client: PostgresClient, options: StoreOptions = {}): PostgresStore {
  const { namespace, retentionMs } = readStoreOptions(options);
  const query = queryOf(client);
  const documentsOf = (table: PostgresTable) => new PostgresDocuments(query, table, namespace, retentionMs);
  const orders = documentsOf("payments_orders");
  const postbacks = new DocumentPostbacks(documentsOf("payments_postbacks"));
  return {
    ...storeOn({ orders, postbacks }),
    migrate: async () => {
      await query(POSTGRES_MIGRATION, []);
    },
  };
}
