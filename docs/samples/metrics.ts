import { setTimeout } from "node:timers/promises";
import type { PaymentsEvent } from "payments-sdk";
import { postgresStore } from "payments-sdk/idempotency";
import { Pool } from "pg";

const limits = { max: 3, connectionTimeoutMillis: 5_000, query_timeout: 5_000 };
const pool = new Pool({ connectionString: process.env["DATABASE_URL"], ...limits });
pool.on("error", ({ message }) => console.error(message));
export const store = postgresStore(pool);

const counters = new Map<string, number>();
const count = (name: string, by = 1) => counters.set(name, (counters.get(name) ?? 0) + by);
// Prometheus sees no increase in a counter that first appears with 1.
for (const outcome of ["ok", "not_sent", "rejected", "unknown", "created", "pending"])
  count(`payments_creates_total{outcome="${outcome}"}`, 0);
for (const code of ["authentication_failed", "configuration", "not_found", "redirected"])
  count(`payments_errors_total{code="${code}"}`, 0);

/** The `onEvent` of the client, or a part of it. */
export function countCall(event: PaymentsEvent): void {
  if (event.type !== "result" && event.type !== "error") return;
  const { code, outcome } = event.type === "error" ? event.error : { code: undefined, outcome: "ok" };
  if (code !== undefined) count(`payments_errors_total{code="${code}"}`);
  if (event.endpoint !== "transactions.create") return;
  count(`payments_creates_total{outcome="${code === "outcome_pending" ? "pending" : outcome}"}`);
}

/** In the text format of Prometheus. */
export async function readMetrics(): Promise<string> {
  const errors = (await store.check()).filter(({ level }) => level === "error");
  const metrics = new Map(counters).set("payments_store_errors", errors.length);
  if (errors.length === 0) {
    const stats = await store.stats(); // with { namespace: "*" }: of all namespaces together
    for (const [state, count] of Object.entries(stats.orders))
      metrics.set(`payments_orders{state="${state}"}`, count);
    for (const [state, count] of Object.entries(stats.postbacks))
      metrics.set(`payments_postbacks{state="${state}"}`, count);
    metrics.set("payments_oldest_unresolved_seconds", stats.oldestUnresolvedMs / 1_000);
    metrics.set("payments_oldest_failed_postback_seconds", stats.oldestFailedPostbackMs / 1_000);
  }
  return [...metrics].map(([name, value]) => `${name} ${value}\n`).join("");
}

export async function isReady(): Promise<boolean> {
  const late = [{ level: "error", message: "The store did not respond within 2 s." }] as const;
  const problems = await Promise.race([store.check(), setTimeout(2_000, late, { ref: false })]); // neither rejects
  for (const { level, message } of problems) console.error(`${level}: ${message}`);
  return problems.every(({ level }) => level === "warning");
}

export const reports = postgresStore(new Pool({ connectionString: process.env["REPLICA_URL"], ...limits }));

export async function* listUnresolved() {
  for await (const { since, ...order } of reports.list({ state: "unresolved" })) {
    const current = await store.get(order.externalRef);
    if (current?.state === "unresolved") yield { since, ...order };
  }
}
