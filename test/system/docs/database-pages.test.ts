import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PaymentsClient, type PaymentsEvent } from "payments-sdk";
import { type OrderRecord, type PostgresStore, postgresStore } from "payments-sdk/idempotency";
import { createGateway } from "payments-sdk/sandbox";
import { Pool } from "pg";
import type { PgBoss } from "pg-boss";
import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { aTransaction, attempt, by, LEASE, ORDER, UNKNOWN } from "../../idempotency/support/orders.ts";
import { aPix } from "../../support/merchant.ts";
import { sharedPostgres } from "../../support/postgres-server.ts";
import { root } from "../../support/running.ts";

const { host, user, database } = (await sharedPostgres()).address;
const urlOf = (name: string, role = user) =>
  `postgres://${role}@localhost/${name}?host=${encodeURIComponent(host)}`;

/** Imports a sample, which connects to a real PostgreSQL. */
async function importSample<Exports>(name: string, urls: Record<string, string>): Promise<Exports> {
  for (const [variable, url] of Object.entries(urls)) vi.stubEnv(variable, url);
  return import(join(root, "docs/samples", name));
}

test("docs/samples/check-orders.ts ships paid cards, reports unclear orders, and leaves the others to the callbacks", async () => {
  const { boss, startChecks, checkLater } = await importSample<{
    boss: PgBoss;
    startChecks(): Promise<void>;
    checkLater(externalRef: string, startAfter?: number): Promise<void>;
  }>("check-orders.ts", { DATABASE_URL: urlOf(database) });
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

describe("docs/samples/metrics.ts", async () => {
  const admin = new Pool({ connectionString: urlOf(database) });
  await admin.query("CREATE DATABASE platform");
  const pool = new Pool({ connectionString: urlOf("platform") });
  await pool.query("CREATE ROLE replica LOGIN; ALTER ROLE replica SET default_transaction_read_only = on");
  const page = await importSample<{
    store: PostgresStore;
    reports: PostgresStore;
    readMetrics(): Promise<string>;
    countCall(event: PaymentsEvent): void;
    isReady(): Promise<boolean>;
    listUnresolved(): AsyncIterable<OrderRecord>;
  }>("metrics.ts", { DATABASE_URL: urlOf("platform"), REPLICA_URL: urlOf("platform", "replica") });
  const read = (file: string) => readFileSync(join(root, "docs/samples", file), "utf8");
  afterAll(() => Promise.all([admin.end(), pool.end()]));

  test("reports a store that cannot be used, and is not ready", async () => {
    const logged = vi.spyOn(console, "error").mockReturnValue();

    expect(await page.isReady()).toBe(false);
    expect(await page.readMetrics()).toMatch(/\npayments_store_errors [1-9]\n$/);
    expect(logged).toHaveBeenCalledWith(expect.stringContaining("migrate()"));

    await page.store.migrate();
    expect(await page.isReady()).toBe(true);
  });

  test("is not ready if the store does not respond in time", async () => {
    const logged = vi.spyOn(console, "error").mockReturnValue();
    vi.spyOn(page.store, "check").mockReturnValueOnce(new Promise(() => undefined));

    expect(await page.isReady()).toBe(false);
    expect(logged).toHaveBeenCalledWith(expect.stringContaining("did not respond"));
  });

  test("exports what docs/samples/alerts.yaml reads", async () => {
    await page.store.migrate();
    const { baseUrl, secretKey, publicKey, fetch } = createGateway();
    const payments = new PaymentsClient({ baseUrl, secretKey, publicKey, fetch, onEvent: page.countCall });
    await payments.transactions.createPix(aPix());
    await attempt(page.store, UNKNOWN);

    const metrics = await page.readMetrics();

    expect(metrics).toContain('payments_orders{state="unresolved"} 1\n');
    expect(metrics).toContain('payments_creates_total{outcome="ok"} 1\n');
    expect(metrics).toContain('payments_errors_total{code="authentication_failed"} 0\n'); // an alert sees a step from 0
    const names = read("alerts.yaml").match(/payments_\w+/g) ?? [];
    expect(names.length).toBeGreaterThan(5);
    for (const name of names) expect(metrics).toMatch(new RegExp(`^${name}\\b`, "m"));
  });

  test("splits the tables into partitions, which keep all orders and take new ones", async () => {
    await pool.query(read("partitions.sql"));
    await page.store.migrate();
    await pool.query("GRANT SELECT, INSERT, UPDATE ON payments_orders, payments_postbacks TO replica");

    expect(await page.store.check()).toEqual([]);
    const { rows } = await pool.query(
      "SELECT count(*)::int FROM pg_inherits WHERE inhparent = 'payments_orders'::regclass",
    );
    expect(rows).toEqual([{ count: 16 }]);
    expect(await page.store.claim({ ...ORDER, owner: "b" }, LEASE)).toEqual({ state: "unresolved" });
    expect(await page.store.claim(by("c", "new"), LEASE)).toEqual({ state: "yours" });
    expect((await page.store.stats()).orders).toMatchObject({ claimed: 1, unresolved: 1 });
  });

  test("lists from a replica, through which no order can be claimed", async () => {
    const found: string[] = [];
    for await (const { externalRef } of page.listUnresolved()) found.push(externalRef);

    expect(found).toEqual([ORDER.externalRef]);
    await expect(page.reports.claim(by("d", "other"), LEASE)).rejects.toThrow("read-only");
  });
});
