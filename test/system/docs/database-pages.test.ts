import { join } from "node:path";
import { postgresStore } from "payments-sdk/idempotency";
import { Pool } from "pg";
import type { PgBoss } from "pg-boss";
import { expect, onTestFinished, test, vi } from "vitest";
import { aTransaction, attempt, ORDER, UNKNOWN } from "../../idempotency/support/orders.ts";
import { sharedPostgres } from "../../support/postgres-server.ts";
import { root } from "../../support/running.ts";
import { codeOf, importCode } from "./page-code.ts";

/** Imports the code of a page, which connects to a real PostgreSQL. */
async function importPage<Exports>(name: string): Promise<Exports> {
  const { host, user, database } = (await sharedPostgres()).address;
  vi.stubEnv("DATABASE_URL", `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`);
  return importCode(codeOf(name), join(root, "reports/database-pages"), name);
}

test("docs/check-again-later.md ships paid cards, reports unclear orders, and leaves the others to the callbacks", async () => {
  const { boss, startChecks, checkLater } = await importPage<{
    boss: PgBoss;
    startChecks(): Promise<void>;
    checkLater(externalRef: string, startAfter?: number): Promise<void>;
  }>("check-again-later");
  const pool = new Pool({ connectionString: process.env["DATABASE_URL"] });
  onTestFinished(() => pool.end());
  const store = postgresStore(pool);
  await store.migrate();
  const record = (externalRef: string, end: Parameters<typeof attempt>[1], terms: object = {}) =>
    attempt(store, end, { ...ORDER, ...terms, externalRef, owner: externalRef });
  const created = (status: "approved" | "pending" | "refunded", expirationDate: string, paidAmount = 0) => {
    const pix = { qrcodeText: "00020101021226", expirationDate };
    return {
      outcome: "created",
      transactionId: 1,
      transaction: aTransaction({ id: 1, status, paidAmount, pix }),
    } as const;
  };
  await record("unknown", UNKNOWN);
  await record("paid card", created("approved", "2026-01-01T00:00:00Z"), { paymentMethod: "credit_card" });
  const underpaid = created("approved", "2026-01-01T00:00:00Z", 100);
  await record("underpaid card", underpaid, { paymentMethod: "credit_card" });
  await record("paid pix", created("approved", "2026-01-01T00:00:00Z"));
  await record("refunded pix", created("refunded", "2026-01-01T00:00:00Z"));
  await record("expired", created("pending", "2026-01-01T00:00:00Z"));
  await record("open", created("pending", "2126-01-01T00:00:00Z"));
  const printed: string[] = [];
  for (const method of ["log", "error"] as const)
    vi.spyOn(console, method).mockImplementation((line) => void printed.push(String(line)));

  await startChecks();
  onTestFinished(() => boss.stop({ graceful: false }));
  const references = [
    "unknown",
    "paid card",
    "underpaid card",
    "paid pix",
    "refunded pix",
    "expired",
    "open",
  ];
  for (const externalRef of [...references, "never claimed"]) {
    await checkLater(externalRef); // replaced by the next line
    await checkLater(externalRef, 0);
  }

  await expect
    .poll(() => printed.toSorted(), { timeout: 40_000 })
    .toEqual([
      "expired (pending): check it with the service",
      "paid card is paid",
      "unknown (unresolved): check it with the service",
    ]);
  const waiting = "SELECT data->>'externalRef' AS ref, start_after FROM pgboss.job WHERE state < 'active'";
  await expect
    .poll(async () => (await pool.query(waiting)).rows, { timeout: 40_000 })
    .toEqual([{ ref: "open", start_after: new Date("2126-01-01T01:00:00Z") }]);
});
