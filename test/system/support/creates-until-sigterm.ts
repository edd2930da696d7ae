// The process of a shop: sends many create calls at once, and ends on SIGTERM as docs/shutdown.md says.
import { PaymentsClient } from "payments-sdk";
import { postgresStore, sqliteStore } from "payments-sdk/idempotency";
import pg from "pg";
import { aPix } from "../runtimes/smoke/orders.ts";

export interface ShopSettings {
  readonly baseUrl: string;
  readonly count: number;
  /** A SQLite file, or how pg connects. */
  readonly database: string | pg.PoolConfig;
  readonly timeout: number;
}

const { baseUrl, count, database, timeout } = JSON.parse(process.argv[2] ?? "") as ShopSettings;
const pool = typeof database === "string" ? undefined : new pg.Pool(database);
const sqlite = typeof database === "string" ? sqliteStore(database) : undefined;
const idempotency = sqlite ?? postgresStore(pool ?? new pg.Pool());
const payments = new PaymentsClient({ baseUrl, secretKey: "sk_1", publicKey: "pk_1", idempotency });

process.once("SIGTERM", async () => {
  const closing = payments.close({ timeout });
  const late = await payments.transactions.createPix(aPix("late")).catch(({ outcome }) => outcome);
  console.log(`closing, and a late call is ${late}`);
  console.log(JSON.stringify(await closing));
  sqlite?.close();
  await pool?.end();
});

for (let order = 1; order <= count; order += 1) {
  payments.transactions.createPix(aPix(`order-${order}`)).catch(() => undefined);
}
console.log("sending");
