// D1. Save it as database.ts, next to worker.ts.
import type { CreatePixParams } from "payments-sdk";
import { d1Store } from "payments-sdk/idempotency";

export interface DatabaseBinding {
  readonly DB: D1Database; // of `npx wrangler types`
}

export function openDatabase({ DB }: DatabaseBinding) {
  const ship = DB.prepare("INSERT INTO shipments (order_id) VALUES (?) ON CONFLICT DO NOTHING");
  const select = DB.prepare("SELECT payment FROM orders WHERE id = ?");
  return {
    store: d1Store(DB), // opens no connection
    ship: (id: string) => ship.bind(id).run(),
    async findPayment(id: string): Promise<CreatePixParams | undefined> {
      const payment = await select.bind(id).first<string>("payment");
      return payment === null ? undefined : JSON.parse(payment);
    },
    closeDatabase: async () => {},
  };
}
