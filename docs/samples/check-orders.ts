import { postgresStore } from "payments-sdk/idempotency";
import { Pool } from "pg";
import { PgBoss } from "pg-boss";

const connectionString = process.env["DATABASE_URL"] ?? "postgres://localhost/shop";
const pool = new Pool({ connectionString, connectionTimeoutMillis: 5_000, query_timeout: 5_000 });
const store = postgresStore(pool); // the store of your client
export const boss = new PgBoss(connectionString);
// Without listeners, a lost connection ends the process.
pool.on("error", ({ message }) => console.error(message));
boss.on("error", ({ message }) => console.error(message));

/** Call it when the process starts. */
export async function startChecks() {
  await boss.start();
  await boss.createQueue("check-order");
  await boss.work<{ externalRef: string }>("check-order", { batchSize: 50 }, async (jobs) => {
    for (const { data } of jobs) await check(data.externalRef);
  });
}

/** Call it before (not after) each create call. After 15 minutes the service should show its transaction. */
export async function checkLater(externalRef: string, startAfter: number | Date = 900 /* seconds */) {
  await boss.upsert("check-order", { externalRef }, { singletonKey: externalRef, startAfter });
}

async function check(externalRef: string) {
  const order = await store.get(externalRef);
  if (order === undefined || order.state === "free") return; // no one was charged
  const { status = order.state, amount, paidAmount, pix } = order.transaction ?? {};
  const isPaid = status === "approved" && (paidAmount || amount) === order.amount;
  if (isPaid && order.paymentMethod === "credit_card") return ship(externalRef);
  if (["approved", "refunded", "chargedback"].includes(status)) return; // your callbacks do what it needs
  const deadline = Date.parse(pix?.expirationDate ?? order.since) + 3_600_000; // and one hour
  if (order.state === "created" && deadline > Date.now()) return checkLater(externalRef, new Date(deadline));
  console.error(`${externalRef} (${status}): check it with the service`);
}

/** Your code, which ships only once. */
async function ship(externalRef: string) {
  console.log(`${externalRef} is paid`);
}
