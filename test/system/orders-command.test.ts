import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createConnection, createPool } from "mysql2/promise";
import {
  mysqlStore,
  type OrderRecord,
  type PaymentsStore,
  postgresStore,
  redisStore,
} from "payments-sdk/idempotency";
import pg from "pg";
import { createClient, createCluster } from "redis";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { runCli } from "../cli/support/run-cli.ts";
import { missingMariadb, startMariadb } from "../support/mariadb-server.ts";
import { startPostgres } from "../support/postgres-server.ts";
import { startRedisCluster } from "../support/redis-cluster.ts";
import { missingRedis, startRedis } from "../support/redis-server.ts";
import { freePort, root, tool } from "../support/running.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const PASSWORD = "hunter+2";
const NAMESPACE = "shop-a";

interface Server {
  /** With this password, or without one. */
  url(password: string | undefined): string;
  readonly open: (url: string) => Promise<{ readonly store: PaymentsStore; readonly close: () => unknown }>;
  readonly stop: () => Promise<void>;
}

async function startRedisWithPassword(): Promise<Server> {
  const port = await freePort();
  const { stop } = await startRedis("--port", String(port), "--requirepass", PASSWORD);
  return {
    url: (password) => `redis://${password ? `:${encodeURIComponent(password)}@` : ""}127.0.0.1:${port}`,
    async open(url) {
      const client = await createClient({ url }).connect();
      return { store: redisStore(client, { namespace: NAMESPACE }), close: () => client.destroy() };
    },
    stop,
  };
}

async function startPostgresWithPassword(): Promise<Server> {
  const port = await freePort();
  const { address, stop } = await startPostgres({ listen_addresses: "127.0.0.1", port: String(port) });
  const admin = new pg.Pool({ ...address, port });
  await admin.query(`CREATE ROLE shop LOGIN SUPERUSER PASSWORD '${PASSWORD}'`);
  const { rows } = await admin.query<{ hba_file: string }>("SHOW hba_file");
  writeFileSync(rows[0]?.hba_file ?? "", "local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n");
  await admin.query("SELECT pg_reload_conf()");
  await admin.end();
  const shop = { host: "127.0.0.1", port, user: "shop", database: "postgres", password: "" };
  const withoutPassword = new pg.Pool(shop);
  await vi.waitFor(() => expect(withoutPassword.query("SELECT 1")).rejects.toThrow()); // the reload takes a moment
  await withoutPassword.end();
  return {
    url: (password) =>
      `postgres://shop${password ? `:${encodeURIComponent(password)}` : ""}@127.0.0.1:${port}/postgres`,
    async open(connectionString) {
      const pool = new pg.Pool({ connectionString });
      const store = postgresStore(pool, { namespace: NAMESPACE });
      await store.migrate();
      return { store, close: () => pool.end() };
    },
    stop,
  };
}

async function startMariadbWithPassword(): Promise<Server> {
  const port = await freePort();
  const { address, stop } = await startMariadb({
    "skip-networking": "0",
    "bind-address": "127.0.0.1",
    port: String(port),
  });
  const admin = await createConnection(address);
  await admin.query(`CREATE USER 'shop'@'%' IDENTIFIED BY '${PASSWORD}'`);
  await admin.query("GRANT ALL ON shop.* TO 'shop'@'%'");
  await admin.end();
  return {
    url: (password) =>
      `mariadb://shop${password ? `:${encodeURIComponent(password)}` : ""}@127.0.0.1:${port}/shop`,
    async open(url) {
      const pool = createPool(url.replace("mariadb:", "mysql:"));
      const store = mysqlStore(pool, { namespace: NAMESPACE });
      await store.migrate();
      return { store, close: () => pool.end() };
    },
    stop,
  };
}

/** A project in which only this package is installed. */
function createProject(name: string): string {
  const cwd = temporaryFolder();
  mkdirSync(join(cwd, "node_modules"));
  symlinkSync(join(root, "node_modules", name), join(cwd, "node_modules", name));
  return cwd;
}

/** An order whose response was lost, with a postback whose callback did not run. */
async function addLostOrder(store: PaymentsStore, externalRef: string): Promise<void> {
  const order = { externalRef, amount: 1990, paymentMethod: "credit_card", owner: externalRef } as const;
  await store.claim(order, 60_000);
  await store.recordOutcome(order, { outcome: "unknown" });
  const postback = { trust: "signed", externalRef, id: 6, rawStatus: "processing", amount: 1990 } as const;
  await store.claimPostback(postback, externalRef, 60_000, { signedAmount: 1990 });
  await store.releasePostback(postback, externalRef);
}

describe.skipIf(missingRedis)("Redis", () => describeOrders(["redis", "ioredis"], startRedisWithPassword));
describe("PostgreSQL", () => describeOrders(["pg", "postgres"], startPostgresWithPassword));
describe.skipIf(missingMariadb)("MariaDB", () => describeOrders(["mysql2"], startMariadbWithPassword));

test.skipIf(missingMariadb)("a database of MariaDB without tables is named", async () => {
  const { address, stop } = await startMariadb();
  onTestFinished(stop);
  const store = `mysql://root@localhost/shop?socketPath=${address.socketPath}`;

  const run = await runCli(["orders", "list", "--store", store], { cwd: createProject("mysql2") });

  expect(run).toMatchObject({ exitCode: 1, stdout: "" });
  expect(run.stderr).toContain("mysql://localhost/shop has no table payments_orders");
});

function describeOrders(drivers: readonly string[], start: () => Promise<Server>): void {
  let server: Server;
  beforeAll(async () => {
    server = await start();
    const { store, close } = await server.open(server.url(PASSWORD));
    for (const driver of drivers) await addLostOrder(store, `order-${driver}`);
    await close();
  });
  afterAll(() => server.stop());

  test.each(drivers)("%s lists, shows and resolves an order, and closes its postback", async (driver) => {
    const cwd = createProject(driver);
    const env = { PAYMENTS_STORE: server.url(PASSWORD), PAYMENTS_NAMESPACE: NAMESPACE };
    const orders = (...args: readonly string[]) => runCli(["orders", ...args], { cwd, env });
    const postbacks = (...args: readonly string[]) => runCli(["postbacks", ...args], { cwd, env });
    const reference = `order-${driver}`;

    const listed = await orders("list", "--state", "unresolved");
    const transactionId = 7 + driver.length; // another one for each order
    const finding = `--attempt 1 --transaction ${transactionId} --status approved --yes`;
    await orders("resolve", reference, ...finding.split(" "));
    const { stdout } = await orders("show", reference, "--json");
    const open = await postbacks("list");
    await postbacks("close", reference, "--yes");

    expect(open.stdout).toMatch(new RegExp(`^${reference}\\tabandoned\\tprocessing\\t`, "m"));
    expect((await postbacks("list")).stdout).not.toContain(reference);
    expect(listed).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(reference) });
    expect(JSON.parse(stdout) as OrderRecord).toMatchObject({ state: "created", transactionId });
  });

  test.each(drivers)("%s failures are one line without the password", async (driver) => {
    const cwd = createProject(driver);
    const list = (url: string) => runCli(["orders", "list", "--store", url], { cwd });
    const refused = server.url(PASSWORD).replace(/:\d+(?=\/|$)/, ":1");

    const forgotten = await list(server.url(PASSWORD));
    const wrong = await list(server.url(`${PASSWORD}x`));
    const unreachable = await list(refused);
    const program = [join(root, "dist/payments.js"), "orders", "list", "--store", server.url(undefined)];
    const missing = await tool("node", program, cwd); // a driver may keep the process alive

    expect(forgotten.stderr).toContain(
      `The database has orders in: ${NAMESPACE} (use --namespace ${NAMESPACE})`,
    );
    expect(wrong.stderr).toContain("refused the user name or the password");
    expect(unreachable.stderr).toContain("connection refused");
    expect(missing.stderr).toMatch(/password/);
    const runs = [forgotten, wrong, unreachable, { ...missing, exitCode: missing.code }];
    for (const { exitCode, stdout, stderr } of runs) {
      expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
      expect(stderr).toMatch(/^payments: .*127\.0\.0\.1:\d+.*\n$/);
      expect(stderr).not.toContain("hunter");
    }
  });
}

test.skipIf(missingRedis)("each driver lists the orders of all nodes of a cluster", async () => {
  const { ports, stop } = await startRedisCluster();
  onTestFinished(stop);
  const cluster = await createCluster({ rootNodes: [{ url: `redis://127.0.0.1:${ports[0]}` }] }).connect();
  const references = ["a", "b", "c", "d", "e", "f", "g", "h"];
  for (const reference of references) await addLostOrder(redisStore(cluster), reference);
  cluster.destroy();

  const url = `redis://127.0.0.1:${ports[1]}`;
  for (const driver of ["redis", "ioredis"]) {
    const { stdout } = await runCli(["orders", "list", "--store", url], { cwd: createProject(driver) });

    expect(stdout.match(/^\w/gm)?.toSorted(), driver).toEqual(references);
  }
});

test.each([
  ["redis://127.0.0.1", "npm install redis (or ioredis)"],
  ["postgres://127.0.0.1/shop", "npm install pg (or postgres)"],
  ["mysql://127.0.0.1/shop", "npm install mysql2."],
])("without a driver, %s fails with what to install", async (store, message) => {
  const folder = createProject("jose");
  symlinkSync(join(root, "node_modules/ky"), join(folder, "node_modules/ky"));
  cpSync(join(root, "dist"), join(folder, "dist"), { recursive: true });
  cpSync(join(root, "package.json"), join(folder, "package.json"));

  const program = [join(folder, "dist/payments.js"), "orders", "list", "--store", store];
  const run = await tool("node", program, folder);

  expect(run).toMatchObject({ code: 1, stdout: "" });
  expect(run.stderr).toContain(message);
});
