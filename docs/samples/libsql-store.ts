import { type Client, createClient, type Row } from "@libsql/client";
import { documentStore } from "payments-sdk/idempotency";

const NOW = "CAST(unixepoch('subsec') * 1000 AS INTEGER)";
const SELECT = `SELECT key, version, body, ${NOW} - changed_at AS age FROM payments_documents`;

const toDocument = ({ body, version, age }: Row) => ({
  text: String(body),
  version: String(version),
  ageMs: Number(age),
});

export const openClient = (url: string, authToken?: string) =>
  createClient({ url, ...(authToken && { authToken }) });

export async function libsqlStore(client: Client) {
  await client.batch(
    [
      `CREATE TABLE IF NOT EXISTS payments_documents (
       key TEXT PRIMARY KEY NOT NULL, version TEXT NOT NULL, changed_at INTEGER NOT NULL,
       is_open INTEGER NOT NULL, body TEXT NOT NULL
     ) STRICT`,
      "CREATE INDEX IF NOT EXISTS payments_documents_open ON payments_documents (key) WHERE is_open = 1",
    ],
    "write",
  );
  return documentStore({
    async add(key, { version, isOpen, text }) {
      const { rowsAffected } = await client.execute(
        `INSERT INTO payments_documents VALUES (?, ?, ${NOW}, ?, ?) ON CONFLICT DO NOTHING`,
        [key, version, isOpen ? 1 : 0, text],
      );
      return rowsAffected === 1;
    },
    async read(key) {
      const {
        rows: [row],
      } = await client.execute(`${SELECT} WHERE key = ?`, [key]);
      return row === undefined ? null : toDocument(row);
    },
    async replace(key, version, write) {
      const { rowsAffected } = await client.execute(
        `UPDATE payments_documents SET version = ?, changed_at = ${NOW}, is_open = ?, body = ? WHERE key = ? AND version = ?`,
        [write.version, write.isOpen ? 1 : 0, write.text, key, version],
      );
      return rowsAffected === 1;
    },
    async *list(isOpenOnly, prefix) {
      const page = `${SELECT} WHERE key > ? ${isOpenOnly ? "AND is_open = 1" : ""} ORDER BY key LIMIT 500`;
      for (let last = prefix.slice(0, -1); ; ) {
        // before `order:`, the key of an empty reference
        const { rows } = await client.execute(page, [last]);
        for (const row of rows) {
          last = String(row["key"]);
          yield { key: last, ...toDocument(row) };
        }
        if (rows.length < 500 || !last.startsWith(prefix)) return;
      }
    },
  });
}
