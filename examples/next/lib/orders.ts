import { randomUUID } from "node:crypto";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";

type Payment = "paid" | "returned" | null;

/** The warehouse ships `WHERE isReleased AND 'paid' IN (pix, card)`. */
export interface Order {
  id: string;
  /** In cents. */
  amount: number;
  /** An order has two references: a buyer who has a pix code can still pay by card. */
  pix: Payment;
  card: Payment;
}

/** At most 3 refused cards for an order, and 5 for an IP address in an hour: thieves try stolen cards in shops. */
const HAS_TOO_MANY_CARDS = `(
  SELECT count(*) FILTER (WHERE orderId = ?1) >= 3
      OR count(*) FILTER (WHERE ip = ?2 AND at > unixepoch() - 3600) >= 5 FROM cardAttempts
)`;

/** The tables of the shop. */
export function openOrders(file: string) {
  const db = new DatabaseSync(file);
  db.exec(`
    PRAGMA busy_timeout = 5000;
    CREATE TABLE IF NOT EXISTS orders (
      id TEXT PRIMARY KEY, amount INTEGER NOT NULL, pix TEXT, card TEXT,
      isReleased INTEGER NOT NULL DEFAULT 0, openSince INTEGER
    ) STRICT;
    CREATE INDEX IF NOT EXISTS openOrders ON orders (openSince);
    CREATE TABLE IF NOT EXISTS cardAttempts (
      id INTEGER PRIMARY KEY, orderId TEXT NOT NULL, ip TEXT NOT NULL, at INTEGER NOT NULL DEFAULT (unixepoch())
    ) STRICT`);
  const run = (sql: string, ...values: SQLInputValue[]) => db.prepare(sql).run(...values);
  const find = (id: string) =>
    db.prepare("SELECT * FROM orders WHERE id = ?").get(id) as unknown as Order | undefined;
  function record(externalRef: string, payment: Payment): string {
    const { id, method } = parse(externalRef);
    run(`UPDATE orders SET ${method} = ? WHERE id = ? AND ${method} IS NOT 'returned'`, payment, id);
    return id;
  }

  return {
    find,
    /** The id cannot be guessed: whoever knows it sees the order. */
    create(amount: number): string {
      const id = randomUUID();
      run("INSERT INTO orders (id, amount) VALUES (?, ?)", id, amount);
      return id;
    },
    /** Ships the order once, for either reference. It can be called again: by a postback of the same payment, and after a crash. */
    markPaid(externalRef: string): void {
      const id = record(externalRef, "paid");
      const sql =
        "UPDATE orders SET isReleased = 1 WHERE id = ? AND NOT isReleased AND 'paid' IN (pix, card)";
      if (run(sql, id).changes === 1) console.log(`Order ${id} is paid: ship it.`);
      const order = find(id);
      if (!order) throw new Error(`${externalRef} is paid, but the shop has no such order: check it.`);
      if (order.pix && order.card)
        console.error(`Order ${id} has a pix and a card payment: check it, refund one.`);
    },
    markReturned: (externalRef: string) => void record(externalRef, "returned"),
    /** A buyer tries to pay it: `recover` checks it until it is closed. */
    open: (id: string) => void run("UPDATE orders SET openSince = unixepoch() WHERE id = ?", id),
    /** Not at once: a buyer may just have clicked. */
    close: (id: string) =>
      void run("UPDATE orders SET openSince = NULL WHERE id = ? AND openSince < unixepoch() - 300", id),
    leaveToPerson: (externalRef: string) =>
      void run("UPDATE orders SET openSince = NULL WHERE id = ?", parse(externalRef).id),
    allOpen: () => db.prepare("SELECT id FROM orders WHERE openSince > 0").all() as { id: string }[],
    /** Counts a card before it is sent, because others are sent at the same time. `undefined`: it must not be sent. */
    countCard(id: string, ip: string) {
      const sql = `INSERT INTO cardAttempts (orderId, ip) SELECT ?1, ?2 WHERE NOT ${HAS_TOO_MANY_CARDS}`;
      const { changes, lastInsertRowid } = run(sql, id, networkOf(ip));
      return changes === 1 ? lastInsertRowid : undefined;
    },
    uncountCard(attempt: number | bigint): void {
      try {
        run("DELETE FROM cardAttempts WHERE id = ?", attempt);
      } catch (error) {
        console.error(String(error)); // the card stays counted: its payment must not fail with it
      }
    },
    hasTooManyCards: (id: string, ip: string) =>
      db.prepare(`SELECT ${HAS_TOO_MANY_CARDS} AS isOver`).get(id, networkOf(ip))?.isOver === 1,
  };
}

/** One buyer has the whole /64 of an IPv6 address. */
const networkOf = (ip: string) => ip.replace("::", ":0:0:0:0:").split(":").slice(0, 4).join(":");

function parse(externalRef: string): { id: string; method: "pix" | "card" } {
  const end = externalRef.lastIndexOf("-");
  return { id: externalRef.slice(0, end), method: externalRef.endsWith("-pix") ? "pix" : "card" };
}
