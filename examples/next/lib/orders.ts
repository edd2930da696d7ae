import { randomUUID } from "node:crypto";
import { DatabaseSync } from "node:sqlite";

export interface Order {
  id: string;
  /** In cents. */
  amount: number;
  /** The reference that paid the order. The warehouse ships the orders that have one. */
  paidWith: string | null;
  isReturned: number;
}

/** At most 3 refused cards for an order, and for an IP address in an hour: thieves try stolen cards in shops. */
const MOST_REFUSALS = 3;

/** The tables of the shop. */
export function openOrders(file: string) {
  const db = new DatabaseSync(file);
  db.exec(`
    PRAGMA busy_timeout = 5000;
    CREATE TABLE IF NOT EXISTS orders (
      id TEXT PRIMARY KEY, amount INTEGER NOT NULL, paidWith TEXT, isReturned INTEGER NOT NULL DEFAULT 0,
      createdAt INTEGER NOT NULL DEFAULT (unixepoch())
    ) STRICT;
    CREATE TABLE IF NOT EXISTS refusals (
      orderId TEXT NOT NULL, ip TEXT NOT NULL, at INTEGER NOT NULL DEFAULT (unixepoch())
    ) STRICT`);
  const insert = db.prepare("INSERT INTO orders (id, amount) VALUES (?, ?)");
  const select = db.prepare("SELECT * FROM orders WHERE id = ?");
  const selectUnpaid = db.prepare(
    "SELECT id FROM orders WHERE paidWith IS NULL AND createdAt > unixepoch() - 172800",
  );
  const setPaid = db.prepare("UPDATE orders SET paidWith = ? WHERE id = ? AND paidWith IS NULL");
  const setReturned = db.prepare("UPDATE orders SET isReturned = 1 WHERE paidWith = ?");
  const addRefusal = db.prepare("INSERT INTO refusals (orderId, ip) VALUES (?, ?)");
  const countRefusals = db.prepare(
    "SELECT count(*) AS count FROM refusals WHERE orderId = ? OR (ip = ? AND at > unixepoch() - 3600)",
  );

  const find = (id: string) => select.get(id) as unknown as Order | undefined;
  return {
    find,
    /** The id cannot be guessed: whoever knows it sees the order. */
    create(amount: number): string {
      const id = randomUUID();
      insert.run(id, amount);
      return id;
    },
    /** Ships the order once, for either reference. It can be called again: by a postback of the same payment, and after a crash. */
    markPaid(externalRef: string): void {
      const id = externalRef.replace(/-(pix|card)$/, "");
      if (setPaid.run(externalRef, id).changes === 1) {
        console.log(`Order ${id} is paid: ship it.`);
        return;
      }
      const order = find(id);
      if (!order) throw new Error(`${externalRef} is paid, but the shop has no such order: check it.`);
      if (order.paidWith !== externalRef)
        console.error(`${externalRef} is paid, and ${order.paidWith} was before: refund one.`);
    },
    markReturned: (externalRef: string) => void setReturned.run(externalRef),
    unpaid: () => selectUnpaid.all().map(({ id }) => String(id)),
    countRefusal: (id: string, ip: string) => void addRefusal.run(id, ip),
    hasTooManyRefusals: (id: string, ip: string) => Number(countRefusals.get(id, ip)?.count) >= MOST_REFUSALS,
  };
}
