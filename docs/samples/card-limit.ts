import { DatabaseSync } from "node:sqlite";
import { type CreateCardParams, isPaymentsError, type PaymentsClient } from "payments-sdk";

const db = new DatabaseSync(`${import.meta.dirname}/shop.db`); // of your shop
db.exec("PRAGMA busy_timeout = 5000"); // waits while another process writes
db.exec(
  "CREATE TABLE IF NOT EXISTS cards (id INTEGER PRIMARY KEY, ref TEXT, ip TEXT, at INTEGER DEFAULT (unixepoch()))",
);
const count = db.prepare(`INSERT INTO cards (ref, ip) SELECT ?1, ?2 WHERE (SELECT
  count(*) FILTER (WHERE ref = ?1) < 3 AND count(*) FILTER (WHERE ip = ?2 AND at > unixepoch() - 3600) < 5 FROM cards)`);
const uncount = db.prepare("DELETE FROM cards WHERE id = ?");
const networkOf = (ip: string) =>
  ip
    .replace(/^::ffff:/i, "")
    .replace("::", ":0:0:0:0:")
    .split(":")
    .slice(0, 4)
    .join(":");

/** Resolves with `undefined` if there were too many refusals: offer pix. */
export async function payByCard(payments: PaymentsClient, order: CreateCardParams & { ip: string }) {
  const { changes, lastInsertRowid } = count.run(order.externalRef, networkOf(order.ip));
  if (changes === 0) return undefined;
  let result = "unknown"; // which counts, as "refused" does
  try {
    const card = await payments.transactions.createCard(order);
    result = card.status;
    return card;
  } catch (error) {
    // A second click sends nothing.
    if (isPaymentsError(error)) result = error.code === "outcome_pending" ? "not_sent" : error.outcome;
    throw error;
  } finally {
    try {
      if (["approved", "not_sent", "rejected"].includes(result)) uncount.run(lastInsertRowid);
    } catch (error) {
      console.error(String(error)); // the card stays counted: its payment must not fail with it
    }
  }
}
