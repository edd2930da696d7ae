import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { type PostgresStore, postgresStore } from "payments-sdk/idempotency";
import { Pool } from "pg";
import type { PgBoss } from "pg-boss";
import { expect, onTestFinished, test, vi } from "vitest";
import { aTransaction, attempt, LEASE, ORDER, UNKNOWN } from "../../idempotency/support/orders.ts";
import { sharedPostgres } from "../../support/postgres-server.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { root } from "../../support/tool.ts";
import { withMatrix } from "../runtimes/support/matrix.ts";
import { succeed } from "../support/consumer.ts";

/** Sets the address that the code of the pages connects to: a real PostgreSQL. */
async function usePostgres(): Promise<void> {
  const { host, user, database } = (await sharedPostgres()).address;
  vi.stubEnv("DATABASE_URL", `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`);
}

function codeOf(name: string, language: "ts" | "typescript"): string {
  const page = readFileSync(join(root, "docs", `${name}.md`), "utf8");
  const blocks = page.matchAll(/^```(\w+)\n(.*?)^```$/gms);
  return Array.from(blocks, ([, found, code]) => (found === language ? code : "")).join("\n");
}

async function importPage<Exports>(name: string): Promise<Exports> {
  await usePostgres();
  const file = join(root, "reports/database-pages", `${name}.ts`);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, codeOf(name, "ts"));
  return import(file);
}

test("docs/check-again-later.md ships paid orders, reports unclear ones, and checks the others later", async () => {
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
  const created = (status: "approved" | "pending", expirationDate: string) => {
    const pix = { qrcodeText: "00020101021226", expirationDate };
    return {
      outcome: "created",
      transactionId: 1,
      transaction: aTransaction({ id: 1, status, pix }),
    } as const;
  };
  await record("unknown", UNKNOWN);
  await record("paid card", created("approved", "2026-01-01T00:00:00Z"), { paymentMethod: "credit_card" });
  await record("paid pix", created("approved", "2026-01-01T00:00:00Z")); // onPostback ships it, or refuses its amount
  await record("expired", created("pending", "2026-01-01T00:00:00Z"));
  await record("open", created("pending", "2126-01-01T00:00:00Z"));
  const printed: string[] = [];
  for (const method of ["log", "error"] as const)
    vi.spyOn(console, method).mockImplementation((line) => void printed.push(String(line)));

  await startChecks();
  onTestFinished(() => boss.stop({ graceful: false }));
  for (const externalRef of ["unknown", "paid card", "paid pix", "expired", "open", "never claimed"]) {
    await checkLater(externalRef); // replaced by the next line
    await checkLater(externalRef, 0);
  }

  const waiting = "SELECT data->>'externalRef' AS ref, start_after FROM pgboss.job WHERE state < 'active'";
  await expect
    .poll(async () => (await pool.query(waiting)).rows, { timeout: 40_000 })
    .toEqual([{ ref: "open", start_after: new Date("2126-01-01T01:00:00Z") }]);
  expect(printed.sort()).toEqual([
    "expired (pending): look it up in the dashboard",
    "paid card is paid",
    "paid pix (approved): look it up in the dashboard",
    "unknown (unresolved): look it up in the dashboard",
  ]);
});

test("with the pool of Drizzle, a claim outlives a transaction that is rolled back", async () => {
  const { db, store } = await importPage<{
    db: NodePgDatabase & { $client: Pool };
    store: PostgresStore;
  }>("prisma-and-drizzle");
  onTestFinished(() => db.$client.end());
  await store.migrate();
  const order = { ...ORDER, externalRef: "in a transaction" };

  const rolledBack = db.transaction(async () => {
    await store.claim(order, LEASE);
    throw new Error("rolled back");
  });

  await expect(rolledBack).rejects.toThrow("rolled back");
  expect(await store.get(order.externalRef)).toMatchObject({ state: "claimed" });
  expect(() => postgresStore(db as never)).toThrow("client must be");
});

/** Rolls back a transaction of Prisma in which an order was claimed. */
const PRISMA_PROGRAM = `
import { prisma, store } from "./page.ts";
await store.migrate();
const order = { externalRef: "with prisma", owner: "a", amount: 1990, paymentMethod: "pix" } as const;
const rolledBack = await prisma.$transaction(async (transaction) => {
  await transaction.$queryRaw\`SELECT 1\`;
  await store.claim(order, 60_000);
  throw new Error("rolled back");
}).catch(({ message }) => message);
console.log(rolledBack, (await store.get("with prisma"))?.state);
process.exit();
`;

test.each(withMatrix([], ["7.10.0"]))(
  "with the pool of Prisma %s, a claim outlives a transaction that is rolled back",
  { timeout: 300_000 },
  async (version) => {
    await usePostgres();
    // Prisma downloads it otherwise. Only its migrations use it.
    vi.stubEnv("PRISMA_SCHEMA_ENGINE_BINARY", process.execPath);
    const folder = temporaryFolder();
    const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
    write("package.json", JSON.stringify({ private: true, type: "module" }));
    write("page.ts", codeOf("prisma-and-drizzle", "typescript"));
    write("program.ts", PRISMA_PROGRAM);
    const output = 'output = "./generated/prisma"';
    write(
      "schema.prisma",
      `generator client {\nprovider = "prisma-client"\n${output}\n}\ndatasource db {\nprovider = "postgresql"\n}\nmodel Order {\nid String @id\n}\n`,
    );
    const packages = ["prisma", "@prisma/client", "@prisma/adapter-pg"].map((name) => `${name}@${version}`);
    const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"];

    await succeed("npm", ["install", ...options, ...packages], folder);
    symlinkSync(root, join(folder, "node_modules/payments-sdk"));
    await succeed("npx", ["prisma", "generate"], folder);

    expect(await succeed("node", ["program.ts"], folder)).toBe("rolled back claimed\n");
  },
);
