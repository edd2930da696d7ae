import { join } from "node:path";
import { createConnection } from "mysql2/promise";
import type { PaymentsStore } from "payments-sdk/idempotency";
import { Pool } from "pg";
import { createClient } from "redis";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { aRedis } from "../../idempotency/support/redis.ts";
import { byPix, merchantWithStore } from "../../resources/support/merchant-with-store.ts";
import { missingMariadb, startMariadb } from "../../support/mariadb-server.ts";
import { failureOf } from "../../support/merchant.ts";
import { startPostgres } from "../../support/postgres-server.ts";
import { missingRedis } from "../../support/redis-server.ts";
import { root } from "../../support/running.ts";
import { type SilentProxy, startSilentProxy } from "../../support/silent-proxy.ts";
import { expectRecovery } from "./lost-connections.ts";
import { codeOf, importCode } from "./page-code.ts";

/** The clients of docs/stores.md, whose connections are ended or die without a message. */

async function aProxy(target: string): Promise<SilentProxy> {
  const proxy = await startSilentProxy(target);
  onTestFinished(proxy.stop);
  return proxy;
}

function openStore(section: string, name: string): Promise<PaymentsStore> {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const code = `${codeOf("stores", section)}\nexport const open = ${name};`;
  return importCode<{ open(): Promise<PaymentsStore> }>(
    code,
    join(root, "reports/database-pages"),
    name,
  ).then(({ open }) => open());
}

test("the documented pool of pg survives connections that are ended or silent", async () => {
  const server = await startPostgres();
  onTestFinished(server.stop);
  const { host, user, database } = server.address;
  const proxy = await aProxy(join(host, ".s.PGSQL.5432"));
  vi.stubEnv("DATABASE_URL", `postgres://${user}@127.0.0.1:${proxy.port}/${database}`);
  const store = await openStore("PostgreSQL", "openPostgresStore");
  const admin = new Pool(server.address);
  onTestFinished(() => admin.end());

  await expectRecovery(store, proxy, () =>
    admin.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"),
  );
}, 60_000);

test.skipIf(missingMariadb !== undefined)(
  "the documented pool of mysql2 survives connections that are ended or silent",
  async () => {
    const server = await startMariadb();
    onTestFinished(server.stop);
    const { socketPath, user, database } = server.address;
    const proxy = await aProxy(socketPath);
    vi.stubEnv("DATABASE_URL", `mysql://${user}@127.0.0.1:${proxy.port}/${database}`);
    const store = await openStore("MySQL and MariaDB", "openMysqlStore");
    const admin = await createConnection(server.address);
    onTestFinished(() => admin.end());

    await expectRecovery(store, proxy, async () => {
      const [rows] = await admin.query(
        "SELECT id FROM information_schema.processlist WHERE id <> CONNECTION_ID() AND db IS NOT NULL",
      );
      for (const { id } of rows as { id: number }[]) await admin.query(`KILL ${id}`);
    });
  },
  60_000,
);

describe.skipIf(missingRedis !== undefined)("the documented client of Redis", () => {
  async function openRedis(name: string) {
    const server = await aRedis();
    const proxy = await aProxy(server.path);
    vi.stubEnv("REDIS_URL", `redis://127.0.0.1:${proxy.port}`);
    const store = await openStore("Redis", name);
    const admin = await createClient({ socket: { path: server.path, tls: false } }).connect();
    onTestFinished(() => admin.destroy());
    return {
      store,
      proxy,
      endConnections: () => admin.sendCommand(["CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"]),
    };
  }

  test.each(["openRedisStore", "openIoRedisStore"])(
    "survives connections that are ended or silent: %s",
    async (name) => {
      const { store, proxy, endConnections } = await openRedis(name);

      await expectRecovery(store, proxy, endConnections);
    },
    60_000,
  );

  test("with a silent connection, a create call sends nothing, and fails long before its timeout", async () => {
    const { store, proxy } = await openRedis("openRedisStore");
    const { payments, arrivals } = await merchantWithStore(undefined, { store });
    proxy.silence();
    const start = performance.now();

    const error = await failureOf(byPix(payments));

    expect(error).toMatchObject({ code: "idempotency_store_failed", outcome: "not_sent" });
    expect(performance.now() - start).toBeLessThan(15_000);
    expect(arrivals).toEqual([]);
  }, 60_000);
});
